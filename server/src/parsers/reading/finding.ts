/**
 * Owns the blank finding: every field at what "the report does not say" is, so that a parser names only what it
 * knows. Also the small vocabularies that several formats share. Must never read a report.
 */
import type { Severity } from '../../domain/packed-state.ts';
import type { ReportFinding, Run } from '../report.ts';
import { analysisTypesOf } from './analyses.ts';

type Known = Pick<ReportFinding, 'pointer' | 'type' | 'severity' | 'title' | 'rule'>;

export function newFinding(known: Known & Partial<ReportFinding>): ReportFinding {
  return {
    description: null,
    advisories: [],
    relatedAdvisories: [],
    package: null,
    fixedVersions: [],
    cvss: null,
    cwes: [],
    path: null,
    pathIsTarget: false,
    line: null,
    artifact: null,
    fingerprint: null,
    code: null,
    secret: null,
    links: [],
    suppression: null,
    verified: false,
    exploitable: false,
    committedAt: null,
    ...known,
  };
}

/**
 * A run of a whole and finished look at the current tree, with nothing in it. `analysisTypes`: what the report itself
 * says was looked for; left out, the tool and what it found tell.
 */
export function newRun(known: Pick<Run, 'tool'> & Partial<Run>): Run {
  const run = {
    toolVersion: null,
    category: '',
    ranAt: null,
    history: false,
    outcome: 'succeeded' as const,
    findings: [],
    image: null,
    manifests: [],
    ...known,
  };
  return { ...run, analysisTypes: analysisTypesOf(run, known.analysisTypes ?? null) };
}

const severitiesByWord: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['error', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
  ['low', 'low'],
  ['note', 'low'],
  ['negligible', 'info'],
  ['info', 'info'],
  ['informational', 'info'],
  ['none', 'info'],
]);

/** A tool's word in any case; `unknown` for a word that says nothing. */
export function severityOfWord(word: string | null): Severity {
  return severitiesByWord.get((word ?? '').trim().toLowerCase()) ?? 'unknown';
}

/** CVSS's own bands; 0 is `info`. Null for what is no score. */
export function severityOfScore(score: number | null): Severity | null {
  if (score === null || score < 0) return null;
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** `CWE-79` from `79`, `CWE-079`, `external/cwe/cwe-079`, `CWE-79: Cross-site …`; null for anything else. */
export function cweOf(text: string): string | null {
  const number = /^(?:external\/cwe\/)?(?:cwe[-:_ ]?)?0*([1-9][0-9]{0,4})(?![0-9A-Za-z])/i.exec(
    text.trim(),
  )?.[1];
  return number === undefined ? null : `CWE-${number}`;
}

/** The ids that stand in a text, each once, in upper case for CVE, otherwise as written. */
export function advisoriesIn(text: string): string[] {
  const found = text
    .slice(0, 4096)
    .matchAll(/(?<![A-Za-z0-9-])(?:CVE-[0-9]{4}-[0-9]{4,9}|GHSA(?:-[a-z0-9]{4}){3})(?![A-Za-z0-9])/gi);
  return [
    ...new Set(
      Array.from(found, ([id]) => (/^cve/i.test(id) ? id.toUpperCase() : `GHSA${id.slice(4).toLowerCase()}`)),
    ),
  ];
}

/**
 * Splits what a tool lists beside its own id: what means the same, and what only belongs to it. Several CVEs
 * mean that none of them is the same; an id of a distribution's advisory never is.
 */
export function sortAdvisories(id: string, others: readonly string[]): { same: string[]; related: string[] } {
  const same = [id];
  const related: string[] = [];
  const rest = others.filter((other) => other !== id);
  const isCve = (text: string): boolean => text.startsWith('CVE-');
  const cves = new Set([id, ...rest].filter(isCve)).size;
  for (const other of new Set(rest)) {
    const means = isCve(other) ? cves === 1 : cves <= 1 && /^(?:GHSA|PYSEC|GO|RUSTSEC|OSV|SNYK)-/.test(other);
    (means ? same : related).push(other);
  }
  return { same, related };
}
