/** What the steps of an import share: where the report belongs, what it counts, what it shows again. */
import type { PreparedFinding } from '../prepare/prepared-report.ts';

export interface ImportContext {
  tenantId: string;
  scanId: string;
  repositoryId: string;
  reference: { id: string; fullRef: string; isDefault: boolean; tracked: boolean; active: boolean };
  /** The report's own time: when what it shows was so. */
  scannedAt: Date;
  partial: boolean;
  /** Null: as each run of the report says. */
  source: 'current' | 'git_history' | null;
  force: boolean;
  /** Whoever sent it may decide about vulnerabilities: its suppressions and VEX statements are no mere suggestions. */
  mayDecide: boolean;
  /** So that it holds even where a policy blocks. */
  overridesPolicy: boolean;
}

/** As the API shows them, in vulnerabilities; `read` and `unreadable` in rows of the report. */
export interface ImportCounts {
  read: number;
  new: number;
  unchanged: number;
  reopened: number;
  fixed: number;
  suppressed: number;
  unreadable: number;
  closing_held: number;
}

/** A finding that the series saw before, now with another line, severity, text. */
export interface Changed {
  finding: PreparedFinding;
  vulnerabilityId: string;
  locationId: string;
}
