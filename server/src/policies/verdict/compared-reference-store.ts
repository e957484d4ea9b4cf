/** SQL of the references that are compared with a base. */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';

/** The reference that needs a verdict, with its base as the reports name it. */
export interface ComparedReference {
  id: ReferenceId;
  repository_id: RepositoryId;
  /** Always true for the default branch. A tracked reference has no base: all its violations count. */
  tracked: boolean;
  base_ref: string | null;
  base_sha: string | null;
  /** The base was named by a key that may decide where a policy blocks, or by an admin. */
  base_approved: boolean;
}

export async function findComparedReference(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<ComparedReference | undefined> {
  const [row] = await tx.query<ComparedReference>(
    'select id, repository_id, tracked, base_ref, base_sha, base_approved from reference where tenant_id = $1 and id = $2',
    [tx.tenantId, referenceId],
  );
  return row;
}

// A base rarely has more open pull requests, and the gate computes its verdict at each request anyway.
const maxCompared = 200;

/** The newest references that have this one as their base, because their verdicts depend on it. */
export async function listComparedWith(
  tx: Tx,
  repositoryId: RepositoryId,
  fullRef: string,
): Promise<ReferenceId[]> {
  const rows = await tx.query<{ id: ReferenceId }>(
    `select id from reference
      where tenant_id = $1 and repository_id = $2 and base_ref = $3 and active and not tracked
      order by last_scanned_at desc nulls last limit $4`,
    [tx.tenantId, repositoryId, fullRef, maxCompared],
  );
  return rows.map((row) => row.id);
}

/** True if the reference has a completed scan whose report is no newer than `at`. */
export async function isScannedBy(tx: Tx, referenceId: ReferenceId, at: Date): Promise<boolean> {
  const [row] = await tx.query(
    `select 1 from scan s where s.tenant_id = $1 and s.reference_id = $2 and s.status = 'completed' and not s.dry_run
        and s.scanned_at <= $3 limit 1`,
    [tx.tenantId, referenceId, at],
  );
  return row !== undefined;
}
