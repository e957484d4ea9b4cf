/** SQL of the progress of the evaluation of a workspace after policies have changed. */
import type { Tx } from '../../db/database.ts';
import type { PolicyId, RepositoryId } from '../../domain/ids.ts';
import type { Policy } from './policy.ts';

export async function updatePolicyProgress(
  tx: Tx,
  policyIds: PolicyId[],
  progress: { done: number; total: number } | null,
): Promise<void> {
  await tx.query('update policy set progress = $3 where tenant_id = $1 and id = any($2::uuid[])', [
    tx.tenantId,
    policyIds,
    progress === null ? null : JSON.stringify(progress),
  ]);
}

/** Records that these revisions are evaluated for the whole workspace. */
export async function setEvaluated(tx: Tx, policies: Pick<Policy, 'id' | 'revision'>[]): Promise<void> {
  await tx.query(
    `update policy p set evaluated_revision = s.revision, progress = null
       from unnest($2::uuid[], $3::int[]) as s (id, revision)
      where p.tenant_id = $1 and p.id = s.id and p.evaluated_revision < s.revision`,
    [tx.tenantId, policies.map((policy) => policy.id), policies.map((policy) => policy.revision)],
  );
}

export interface RepositorySize {
  id: RepositoryId;
  vulnerabilities: number;
}

/** Repositories in ascending order of ids, after `afterId`, with the numbers of their vulnerabilities. */
export async function listRepositorySizes(
  tx: Tx,
  afterId: RepositoryId | null,
  limit: number,
): Promise<RepositorySize[]> {
  return tx.query(
    `select r.id, coalesce(c.vulnerabilities, 0)::int as vulnerabilities
       from repository r
      cross join lateral (select sum(count) as vulnerabilities from vulnerability_count
             where tenant_id = $1 and scope = 'repository' and key = r.id) c
      where r.tenant_id = $1 and ($2::uuid is null or r.id > $2) order by r.id limit $3`,
    [tx.tenantId, afterId, limit],
  );
}

export async function countRepositories(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    'select count(*)::int as n from repository where tenant_id = $1',
    [tx.tenantId],
  );
  return row?.n ?? 0;
}

/**
 * Marks these active policies for evaluation, because the loaded intel has changed; null means all of them. An
 * evaluation that is running keeps the mark.
 */
export async function reevaluate(tx: Tx, policyIds: PolicyId[] | null): Promise<void> {
  await tx.query(
    `update policy set revision = revision + 1, progress = null
      where tenant_id = $1 and status = 'active' and ($2::uuid[] is null or id = any($2))`,
    [tx.tenantId, policyIds],
  );
}
