/** Reconciles the vulnerabilities that a change of a reference or of a whole repository affects. */
import type { ChangeTx } from '../db/database.ts';
import type { ReferenceId, RepositoryId } from '../domain/ids.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';
import { listDependentIds, listIdsOfRepository } from './reconcile-scope-store.ts';
import { markUpdated } from './reconcile-store.ts';

/** Reconciles the vulnerabilities of a reference after it became inactive or was scanned again. */
export async function reconcileReference(
  tx: ChangeTx,
  referenceId: ReferenceId,
  cause: Cause,
): Promise<void> {
  const ids = await listDependentIds(tx, referenceId);
  await reconcile(tx, { ids, changedOn: [referenceId], cause });
  // An inactive reference ends the reports of its tools, which the rows of the vulnerabilities do not show.
  await markUpdated(tx, ids);
}

/** Reconciles all vulnerabilities of a repository, after its default branch has changed. */
export async function reconcileRepository(
  tx: ChangeTx,
  repositoryId: RepositoryId,
  cause: Cause,
): Promise<void> {
  await reconcile(tx, { ids: await listIdsOfRepository(tx, repositoryId), cause });
}
