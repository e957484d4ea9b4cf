/** Reconciles the vulnerabilities that a change of a reference or of a whole repository affects. */
import type { Tx } from '../db/database.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { ReferenceId, RepositoryId, VulnerabilityId } from '../domain/ids.ts';
import type { Cause } from './events.ts';
import { reconcile } from './reconcile.ts';

/** Reconciles the vulnerabilities that are live on a reference, after it became quiet or was scanned again. */
export async function reconcileReference(
  tx: Tx,
  referenceId: ReferenceId,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select vulnerability_id from vulnerability_reference where tenant_id = $1 and reference_id = $2 and live`,
    [tx.tenantId, referenceId],
  );
  await reconcile(tx, { ids: rows.map((row) => row.vulnerability_id), cause, changes });
}

/** Reconciles all vulnerabilities of a repository, after its default branch has changed. */
export async function reconcileRepository(
  tx: Tx,
  repositoryId: RepositoryId,
  cause: Cause,
  changes: ChangeSet,
): Promise<void> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    'select id from vulnerability where tenant_id = $1 and repository_id = $2',
    [tx.tenantId, repositoryId],
  );
  await reconcile(tx, { ids: rows.map((row) => row.id), cause, changes });
}
