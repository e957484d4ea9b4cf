/** A scan whose report a transaction has written. It waits in the change set until the commit steps complete it. */
import type { ReferenceId, RepositoryId, ScanId } from './ids.ts';
import type { Verdict } from './policy-enums.ts';

/** The API shows these counts. They count vulnerabilities, but `read` and `unreadable` count rows of the report. */
export interface ImportCounts {
  read: number;
  new: number;
  unchanged: number;
  reopened: number;
  fixed: number;
  suppressed: number;
  unreadable: number;
  closing_held: number;
  /** Present only in the counts of a single scan whose report has VEX statements. */
  statements?: StatementCounts;
}

/** Counts of VEX statements, of which there is one for each advisory, package and version. */
export interface StatementCounts {
  decided: number;
  suggested: number;
  unmatched: number;
}

export const noCounts: Readonly<Omit<ImportCounts, 'statements'>> = {
  read: 0,
  new: 0,
  unchanged: 0,
  reopened: 0,
  fixed: 0,
  suppressed: 0,
  unreadable: 0,
  closing_held: 0,
};

export function addCounts(some: ImportCounts, others: ImportCounts): ImportCounts {
  const sum = { ...some };
  for (const count of Object.keys(noCounts) as (keyof typeof noCounts)[]) sum[count] += others[count];
  return sum;
}

// Answers show them. A report may have 250,000 rows that cannot be read; the first ones show the reason, and the counts
// have all of them.
export const maxKeptTexts = 1_000;
// Each row of a list of scans has them, and a report may have a thousand runs. CI that joins the logs of every job has
// some dozens.
export const maxKeptTools = 100;

export interface WrittenScan {
  id: ScanId;
  repositoryId: RepositoryId;
  referenceId: ReferenceId;
  isDryRun: boolean;
  /** The time of the report. */
  scannedAt: Date;
  format: string;
  /** The first `maxKeptTools`. */
  tools: string[];
  counts: ImportCounts;
  /** The first `maxKeptTexts`, like those of `unreadable`. */
  warnings: string[];
  unreadable: { pointer: string; reason: string }[];
  /** While it is undefined, the commit steps give the scan the verdict of its reference. */
  verdict?: Verdict | null;
}
