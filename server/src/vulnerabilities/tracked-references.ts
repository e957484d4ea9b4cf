/** Updates references after the names of tracked branches have changed. */
import type { ChangeTx } from '../db/database.ts';
import type { RepositoryId } from '../domain/ids.ts';
import { updateTracked } from '../inventory/repositories/tracked-branch-store.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';
import { listIdsOnReferences } from './reconcile-scope-store.ts';
import { markUpdated } from './reconcile-store.ts';

/**
 * Aligns the references of repositories that the transaction has locked, and reconciles the vulnerabilities that are or
 * were on references that become tracked or untracked. The repositories stay marked.
 */
export async function alignTracked(tx: ChangeTx, repositoryIds: RepositoryId[], cause: Cause): Promise<void> {
  for (const id of repositoryIds) {
    const moved = await updateTracked(tx, id);
    if (moved.length === 0) continue;
    const ids = await listIdsOnReferences(tx, moved);
    await reconcile(tx, { ids, cause });
    // A quiet branch that is tracked counts again, and so do the reports of its tools.
    await markUpdated(tx, ids);
    tx.changes.markTargetsChanged(id);
  }
}
