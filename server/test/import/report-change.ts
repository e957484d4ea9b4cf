/**
 * The type of a case of the table in docs/identity.md, and the findings that most cases use. This file has no case and
 * checks nothing.
 */
import type { Severity, Status } from '../../src/domain/packed-state.ts';
import type { Origin } from '../../src/vulnerabilities/status.ts';
import { type CodeResult, sarif } from '../support/reports.ts';

export interface Step {
  report: unknown;
  ref?: string;
  category?: string;
  mayDecide?: boolean;
  partial?: boolean;
  /** Time of the scan. Without it, scans follow each other from day 1. */
  day?: number;
}

export interface Known {
  status: Status;
  /** Status on each reference. */
  on: Record<string, Status>;
  decidedBy: Origin | null;
  severity: Severity;
  title: string;
  /** Number of references on which it is open. */
  places: number;
  /** The series that see it. */
  tools: string[];
}

export interface Change {
  /** The row of the table, with the same text. */
  change: string;
  says: string;
  steps: Step[];
  /** The counts of the last report; a missing count is 0. */
  counts: { new?: number; unchanged?: number; fixed?: number; reopened?: number };
  /** The relevant fields of each vulnerability of the repository, in order of their ids. */
  known: Partial<Known>[];
  /** The match rules of the locations that the series of the last report sees. */
  matchMethods?: string[];
}

export const a: CodeResult = { rule: 'sqli', path: 'src/a.ts', line: 10, code: 'db.query("select " + id)' };
/** A result with neither code nor line. */
export const alone: CodeResult = { rule: 'sqli', path: 'src/a.ts' };
export const other: CodeResult = { rule: 'xss', path: 'src/b.ts', line: 3, code: 'res.send(name)' };

export const reports = (...list: unknown[]): Step[] => list.map((report) => ({ report }));
/** Two reports of one code scanner. */
export const code = (before: CodeResult, after: CodeResult): Step[] =>
  reports(sarif([before]), sarif([after]));

export const unchanged = { unchanged: 1 };
const newAndFixed = { new: 1, fixed: 1 };
const open: Partial<Known>[] = [{ status: 'open', places: 1 }];
const fixedAndOpen: Partial<Known>[] = [{ status: 'fixed' }, { status: 'open' }];
/** The last report shows the vulnerability of the first one. */
export const kept = { counts: unchanged, known: open };
export const stays = { says: 'unchanged', ...kept };
/** The last report closes the vulnerability of the first one and opens another. */
export const replaced = { counts: newAndFixed, known: fixedAndOpen };
