/** The types that the steps of an import share: the target of a report, and the position of a finding. */
import type { LocationId, ReferenceId, RepositoryId, ScanId, VulnerabilityId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { RepositoryOwners } from '../../inventory/code-owners/repository-owners.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';

export interface ImportContext {
  scanId: ScanId;
  repositoryId: RepositoryId;
  reference: { id: ReferenceId; fullRef: string; isDefault: boolean; tracked: boolean; active: boolean };
  /** Names what has read the report (`same-report.ts`); null for findings that are no report. */
  reader: string | null;
  /** The report's own time: its findings were true then. */
  scannedAt: Date;
  partial: boolean;
  /** As the sender gives it; null means that the report decides. */
  category: string | null;
  /** Null means that each run of the report decides. */
  source: Source | null;
  /** The commit and the path of the report, as the sender gives them. Both are null for findings that are no report. */
  sha: string | null;
  fileName: string | null;
  force: boolean;
  /** The same result as that of the scan whose closure is held may confirm the closure (ADR 120). */
  mayConfirm: boolean;
  /** The sender may decide about vulnerabilities, so its suppressions and VEX statements are more than suggestions. */
  mayDecide: boolean;
  /** The decisions hold even where a policy blocks. */
  overridesPolicy: boolean;
  /** The owners of the paths; null if the repository has no CODEOWNERS file. */
  owners: RepositoryOwners | null;
  /** New vulnerabilities are assigned to the member whom the CODEOWNERS file names. */
  assignsOwners: boolean;
}

/**
 * The rights of the sender about the suppressions in its report. On a branch that is not tracked they are suggestions,
 * also later: an admin who adds a tracked name has not read the ignore files of old branches.
 */
export function suppressionRights({ mayDecide, overridesPolicy, reference }: ImportContext): {
  decides: boolean;
  overridesPolicy: boolean;
} {
  const decides = mayDecide && reference.tracked;
  return { decides, overridesPolicy: decides && overridesPolicy };
}

/** A finding with the vulnerability and the location that it is about. */
export interface LocatedFinding {
  finding: PreparedFinding;
  vulnerabilityId: VulnerabilityId;
  locationId: LocationId;
  /** The vulnerability had no such location on this reference. */
  newLocation: boolean;
}
