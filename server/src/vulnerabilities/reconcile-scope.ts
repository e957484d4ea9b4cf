/** Reconciling what a change of a reference or of a whole repository touches. */
import type { Tx } from '../db/database.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';

/** Reconciles what is live on a reference whose own state changed: it went quiet, or was scanned again after that. */
export async function reconcileReference(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  const rows = await tx.query<{ vulnerability_id: string }>(
    `select vulnerability_id from vulnerability_reference where tenant_id = $1 and reference_id = $2 and live`,
    [tenantId, referenceId],
  );
  await reconcile(tx, tenantId, { ids: rows.map((row) => row.vulnerability_id), cause, changes });
}

/** Reconciles all of a repository: its default branch is another one now. */
export async function reconcileRepository(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    'select id from vulnerability where tenant_id = $1 and repository_id = $2',
    [tenantId, repositoryId],
  );
  await reconcile(tx, tenantId, { ids: rows.map((row) => row.id), cause, changes });
}
