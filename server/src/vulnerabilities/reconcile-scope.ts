/** Reconciles the vulnerabilities that a change of a reference or of a whole repository affects. */
import type { Tx } from '../db/database.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { ReferenceId, RepositoryId } from '../domain/ids.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';
import { listIdsOfRepository, listLiveIds } from './reconcile-scope-store.ts';

/** Reconciles the vulnerabilities that are live on a reference, after it became quiet or was scanned again. */
export async function reconcileReference(
  tx: Tx,
  referenceId: ReferenceId,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  await reconcile(tx, { ids: await listLiveIds(tx, referenceId), cause, changes });
}

/** Reconciles all vulnerabilities of a repository, after its default branch has changed. */
export async function reconcileRepository(
  tx: Tx,
  repositoryId: RepositoryId,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  await reconcile(tx, { ids: await listIdsOfRepository(tx, repositoryId), cause, changes });
}
