/**
 * SQL of the violations of a whole workspace. Exact numbers and pages come from the index by due date alone, one packed
 * state at a time, so that other states cost nothing. With a repository, its own index of the same form is used.
 */
import type { Tx } from '../../db/database.ts';
import { rowByKey, separate } from '../../db/planner-hints.ts';
import type { DueRange } from '../../domain/due.ts';
import type { PolicyId, RepositoryId, ViolationId, VulnerabilityId } from '../../domain/ids.ts';
import { firstKey, packedStateRange, type ViolationKeyRow, type ViolationPosition } from './read.ts';

export interface WorkspaceViolationFilter {
  repositoryId: RepositoryId | null;
  policyIds: PolicyId[] | null;
  due: DueRange;
  /** Search terms of the target, which is a vulnerability; empty without a search. */
  terms: string[];
}

// The condition must read the policy id from this index: the index by policy would read its rows for each packed state.
const ofPolicies = (parameter: string): string =>
  `and (${parameter}::uuid[] is null or array_position(${parameter}, l.policy_id) is not null)`;

function scopeOf({ repositoryId }: WorkspaceViolationFilter): { repositoryId: RepositoryId } | null {
  return repositoryId === null ? null : { repositoryId };
}

/** The number of violations for each of these packed states that has any. */
export async function countWorkspaceViolations(
  tx: Tx,
  filter: WorkspaceViolationFilter,
  packedStates: number[],
): Promise<{ packed_state: number; n: number }[]> {
  const { repositoryId, policyIds, due } = filter;
  const { rows, order } = packedStateRange(scopeOf(filter), '$7');
  return tx.query(
    `select b.packed_state, c.n from unnest($2::smallint[]) as b (packed_state)
      cross join lateral (
        select count(*)::int as n from ${separate(`${rows} ${ofPolicies('$6')} ${order}`)} l) c
      where c.n > 0`,
    [
      tx.tenantId,
      packedStates,
      due.from?.toISOString() ?? firstKey.at,
      firstKey.id,
      due.to?.toISOString() ?? 'infinity',
      policyIds,
      ...(repositoryId === null ? [] : [repositoryId]),
    ],
  );
}

/** The key after which a page begins. Violations that were due soon on the previous page may be overdue now. */
export function startOf({ from }: DueRange, after: ViolationPosition | null): typeof firstKey {
  if (after !== null && (from === null || after.dueAt >= from)) {
    return { at: after.dueAt.toISOString(), id: after.id };
  }
  return { at: from?.toISOString() ?? firstKey.at, id: firstKey.id };
}

/** Keys after the position, soonest due first. `packedStates` holds only states that have violations. */
export async function listWorkspaceViolationKeys(
  tx: Tx,
  filter: WorkspaceViolationFilter,
  packedStates: number[],
  after: ViolationPosition | null,
  limit: number,
): Promise<ViolationKeyRow[]> {
  if (packedStates.length === 0) return [];
  const { repositoryId, policyIds, due } = filter;
  const start = startOf(due, after);
  const { rows, order } = packedStateRange(scopeOf(filter), '$8');
  return tx.query<ViolationKeyRow>(
    `select p.* from unnest($2::smallint[]) as b (packed_state)
      cross join lateral (${rows} ${ofPolicies('$6')} ${order} limit $7) p
      order by p.due_at, p.id limit $7`,
    [
      tx.tenantId,
      packedStates,
      start.at,
      start.id,
      due.to?.toISOString() ?? 'infinity',
      policyIds,
      limit,
      ...(repositoryId === null ? [] : [repositoryId]),
    ],
  );
}

/** Ids of the violations of one vulnerability, at most one for each policy: unresolved first, then soonest due. */
export async function listKeysOfVulnerability(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
): Promise<ViolationId[]> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id from ${rowByKey('vulnerability w', '$2')}
      cross join lateral ${separate(`select v.id, v.resolved_at, v.due_at from policy_violation v
             where v.tenant_id = $1 and v.repository_id = w.repository_id and v.target_id = w.id`)} v
      order by v.resolved_at is not null, v.due_at, v.id`,
    [tx.tenantId, vulnerabilityId],
  );
  return rows.map((row) => row.id);
}
