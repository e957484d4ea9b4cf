/**
 * Counts the violations of each policy now, in the workspace or in one repository. The numbers are exact and come from
 * the index by due date alone; resolved violations are not read.
 */
import type { Tx } from '../../db/database.ts';
import { separate } from '../../db/planner-hints.ts';
import { formatId, type PolicyId, type RepositoryId } from '../../domain/ids.ts';
import {
  isBlocking,
  isUnresolved,
  packedStatesWhere,
  unpackViolation,
} from '../../domain/violation-state.ts';
import { firstKey } from './read.ts';

export interface PolicyCounts {
  policy: string;
  /** Open violations, and those that wait for a review. */
  unresolved: number;
  /** The blocking ones among `unresolved`. */
  blocking: number;
  snoozed: number;
  waived: number;
}

// Only one index gives each of these orders, so the planner uses it even for a workspace that is newer than the
// statistics.
const ofWorkspace = 'l.packed_state = b.packed_state order by l.due_at, l.id';
const ofRepository = `l.repository_id = $3 and (l.packed_state, l.due_at, l.id) > (b.packed_state, '-infinity', '${firstKey.id}')
             and (l.packed_state, l.due_at, l.id) < (b.packed_state, 'infinity', '${firstKey.id}')
           order by l.packed_state, l.due_at, l.id`;

/** The counts of all policies that have violations, in order of their ids. */
export async function countByPolicy(
  tx: Tx,
  repositoryId: RepositoryId | null = null,
): Promise<PolicyCounts[]> {
  const rows = await tx.query<{ policy_id: PolicyId; packed_state: number; n: number }>(
    `select c.policy_id, b.packed_state, c.n from unnest($2::smallint[]) as b (packed_state)
      cross join lateral (
        select l.policy_id, count(*)::int as n from ${separate(`select l.policy_id from policy_violation l
           where l.tenant_id = $1 and ${repositoryId === null ? ofWorkspace : ofRepository}`)} l
         group by l.policy_id) c
      order by c.policy_id`,
    [
      tx.tenantId,
      packedStatesWhere(({ status }) => status !== 'resolved'),
      ...(repositoryId === null ? [] : [repositoryId]),
    ],
  );
  const counts = new Map<string, PolicyCounts>();
  for (const { policy_id: id, packed_state: packedState, n } of rows) {
    const found = counts.get(id) ?? {
      policy: formatId('policy', id),
      unresolved: 0,
      blocking: 0,
      snoozed: 0,
      waived: 0,
    };
    const traits = unpackViolation(packedState);
    if (!isUnresolved(traits.status)) found.waived += n;
    else {
      found.unresolved += n;
      if (isBlocking(traits)) found.blocking += n;
      if (traits.snoozed) found.snoozed += n;
    }
    counts.set(id, found);
  }
  return [...counts.values()];
}
