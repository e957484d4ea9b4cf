/** The steps of an import share these types: where the report belongs, and what it shows again. */
import type { PreparedFinding } from '../prepare/prepared-report.ts';

export interface ImportContext {
  scanId: string;
  repositoryId: string;
  reference: { id: string; fullRef: string; isDefault: boolean; tracked: boolean; active: boolean };
  /** The report's own time: its findings were true then. */
  scannedAt: Date;
  partial: boolean;
  /** Null means that each run of the report says it. */
  source: 'current' | 'git_history' | null;
  force: boolean;
  /** The sender may decide about vulnerabilities, so its suppressions and VEX statements are more than suggestions. */
  mayDecide: boolean;
  /** The decisions hold even where a policy blocks. */
  overridesPolicy: boolean;
}

/** The series saw this finding before, but its line, severity or text has changed. */
export interface Changed {
  finding: PreparedFinding;
  vulnerabilityId: string;
  locationId: string;
}
