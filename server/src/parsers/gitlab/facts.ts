/**
 * The parts that the readers of all kinds of rows share: the row with its scan, the advice, the links. It must never
 * decide which kind a row is.
 */
import { arrayAt, type JsonRecord, stringAt } from '../reading/json.ts';
import { safeLinks } from '../reading/text.ts';
import type { DependencyFiles } from './dependency-files.ts';
import type { Identifier } from './identifiers.ts';

export interface GitlabScan {
  /** `scan.type`; null before version 3. */
  kind: string | null;
  /** The family of the scan's own scanner. */
  tool: string | null;
  /** Summaries of remediations, by the id of the row that they fix. */
  remedies: ReadonlyMap<string, string>;
  files: DependencyFiles;
}

export interface Facts {
  pointer: string;
  row: JsonRecord;
  location: JsonRecord | null;
  identifiers: readonly Identifier[];
  scan: GitlabScan;
  /** The texts of the row, which may quote a secret. */
  name: string | null;
  description: string | null;
}

/** Analyzers write these if there is no solution. */
const noSolution = /^(?:no solution provided|unfortunately, there is no solution)/i;

export function remediationOf({ row, scan }: Facts): string | null {
  const solution = stringAt(row, 'solution');
  if (solution !== null && !noSolution.test(solution.trim())) return solution;
  const ids = [stringAt(row, 'id'), stringAt(row, 'cve')];
  return ids.map((id) => scan.remedies.get(id ?? '')).find((summary) => summary !== undefined) ?? null;
}

export function linksOf({ row, identifiers }: Facts): string[] {
  const links = arrayAt(row, 'links').map((link) => stringAt(link, 'url'));
  return safeLinks([...identifiers.map(({ url }) => url), ...links]);
}
