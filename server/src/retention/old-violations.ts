/**
 * Deletes violations of packages, manifests and other targets that have long been resolved: each version that an update
 * replaces has one. Those of vulnerabilities are deleted with these (`forget-fixed.ts`).
 */
import { type Database, importTx, type Tx, tenantReadTx } from '../db/database.ts';
import type { RepositoryId, TenantId, ViolationId } from '../domain/ids.ts';
import { packedStatesWhere } from '../domain/violation-state.ts';
import { deleteViolations, lockEvaluations } from '../policies/evaluation/evaluate-store.ts';

// Each has a match for every reference that it was on, so they are fewer than the vulnerabilities of a transaction.
const atOnce = 500;

/**
 * Deletes those that were resolved before `before` and never had an exception, in transactions of `atOnce` of a
 * repository. Returns their number.
 */
export async function deleteOldViolations(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  let deleted = 0;
  for (const repositoryId of await tenantReadTx(db, tenantId, (tx) => listRepositories(tx, before))) {
    for (let batch = atOnce; batch === atOnce; deleted += batch) {
      batch = await importTx(db, tenantId, async (tx) => {
        // An evaluation may be about to open one of them again.
        await lockEvaluations(tx, [repositoryId]);
        const ids = await listOld(tx, before, repositoryId);
        await deleteViolations(tx, ids);
        return ids.length;
      });
    }
  }
  return deleted;
}

const resolvedStates = packedStatesWhere(
  ({ status, targetType }) => status === 'resolved' && targetType !== 'vulnerability',
);

const isOld = `v.tenant_id = $1 and v.packed_state = any($2::smallint[]) and v.resolved_at < $3
  and not exists (select 1 from policy_exception e where e.tenant_id = $1 and e.violation_id = v.id)`;

async function listRepositories(tx: Tx, before: Date): Promise<RepositoryId[]> {
  const rows = await tx.query<{ id: RepositoryId }>(
    `select distinct v.repository_id as id from policy_violation v where ${isOld} order by id`,
    [tx.tenantId, resolvedStates, before],
  );
  return rows.map((row) => row.id);
}

async function listOld(tx: Tx, before: Date, repositoryId: RepositoryId): Promise<ViolationId[]> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id from policy_violation v where ${isOld} and v.repository_id = $4 limit ${atOnce}`,
    [tx.tenantId, resolvedStates, before, repositoryId],
  );
  return rows.map((row) => row.id);
}
