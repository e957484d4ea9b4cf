/** Updates references after the names of tracked branches have changed. */
import type { Tx } from '../db/database.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { RepositoryId, VulnerabilityId } from '../domain/ids.ts';
import { updateTracked } from '../inventory/repositories/tracked-branch-store.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';

/**
 * Aligns the references of repositories that the transaction has locked, and reconciles the vulnerabilities that are or
 * were on references that become tracked or untracked. The repositories stay marked.
 */
export async function alignTracked(
  tx: Tx,
  repositoryIds: RepositoryId[],
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  for (const id of repositoryIds) {
    const moved = await updateTracked(tx, id);
    if (moved.length === 0) continue;
    const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
      `select distinct vulnerability_id from vulnerability_reference
        where tenant_id = $1 and reference_id = any($2::uuid[])`,
      [tx.tenantId, moved],
    );
    await reconcile(tx, { ids: rows.map((row) => row.vulnerability_id), cause, changes });
    changes.markTargetsChanged(id);
  }
}
