/**
 * Moves the violations of a merged vulnerability to the survivor, for each policy of which the survivor has none. The
 * other violations end with their exceptions, because an exception or a snooze of one problem does not cover another.
 */

import type { Tx } from '../../db/database.ts';
import type { ViolationId } from '../../domain/ids.ts';
import { sqlViolationStatusIsNot } from '../../domain/violation-state.ts';
import type { WorkspaceEvent } from '../../domain/workspace-event.ts';
import { listStoredViolations } from '../../policies/evaluation/evaluate-store.ts';
import { endSnoozes, withdrawExceptions } from '../../policies/exceptions/uncovered.ts';
import { endedEvents } from '../../policies/violation-events.ts';
import { violationsOfVulnerability } from '../../policies/violations/joins.ts';
import type { Cause } from '../../vulnerabilities/events.ts';

/**
 * Moves the violations, and returns the events of those that end. It must run before the merged vulnerabilities are
 * deleted.
 */
export async function moveViolations(
  tx: Tx,
  merges: { from: string; into: string }[],
  cause: Cause,
): Promise<WorkspaceEvent[]> {
  const from = merges.map((merge) => merge.from);
  const into = merges.map((merge) => merge.into);
  if (cause.actorId === null) await endUnmatched(tx, from, into);
  const rows = await tx.query<{ id: ViolationId; moves: boolean }>(
    `select v.id, row_number() over (partition by k.into_id, v.policy_id order by v.first_seen_at, v.id) = 1
              and not exists (select 1 from policy_violation o
                               where o.tenant_id = $1 and o.repository_id = v.repository_id
                                 and o.target_id = k.into_id and o.policy_id = v.policy_id) as moves
       from unnest($2::uuid[], $3::uuid[]) as k (from_id, into_id)
      ${violationsOfVulnerability('k.from_id')}`,
    [tx.tenantId, from, into],
  );
  if (rows.length === 0) return [];
  await tx.query(
    `update policy_violation v set target_id = k.into_id, updated_at = now()
       from unnest($3::uuid[], $4::uuid[]) as k (from_id, into_id)
      where v.tenant_id = $1 and v.id = any($2::uuid[]) and v.target_id = k.from_id`,
    [tx.tenantId, rows.filter((row) => row.moves).map((row) => row.id), from, into],
  );
  const merged = rows.filter((row) => !row.moves).map((row) => row.id);
  if (merged.length === 0) return [];
  // The survivor's exception covers the merged violation only if both were exempt.
  await tx.query(
    `update policy_exception o set status = 'withdrawn', review_reason = 'Another vulnerability has become part of it.',
            updated_at = now()
       from policy_violation g
       join unnest($3::uuid[], $4::uuid[]) as k (from_id, into_id) on k.from_id = g.target_id
       join policy_violation v on v.tenant_id = $1 and v.repository_id = g.repository_id
        and v.target_id = k.into_id and v.policy_id = g.policy_id
      where g.tenant_id = $1 and g.id = any($2::uuid[]) and ${sqlViolationStatusIsNot('g.packed_state', 'waived')}
        and o.tenant_id = $1 and o.violation_id = v.id and o.status = 'approved'`,
    [tx.tenantId, merged, from, into],
  );
  // The survivor stays snoozed only if the merged one is for as long. The evaluation before the commit wakes it otherwise.
  await tx.query(
    `update policy_violation v set snoozed_until = 'epoch'
       from policy_violation g
       join unnest($3::uuid[], $4::uuid[]) as k (from_id, into_id) on k.from_id = g.target_id
      where g.tenant_id = $1 and g.id = any($2::uuid[]) and ${sqlViolationStatusIsNot('g.packed_state', 'resolved')}
        and v.tenant_id = $1 and v.repository_id = g.repository_id and v.target_id = k.into_id
        and v.policy_id = g.policy_id and v.snoozed_until is not null
        and (g.snoozed_until is null or g.snoozed_until < v.snoozed_until
             or (v.snooze_overrides_policy and not g.snooze_overrides_policy))`,
    [tx.tenantId, merged, from, into],
  );
  // An undo would restore a snooze from before the merge, which did not cover the merged one.
  await tx.query(
    `update policy_violation v set snooze_undo = null
       from policy_violation g
       join unnest($3::uuid[], $4::uuid[]) as k (from_id, into_id) on k.from_id = g.target_id
      where g.tenant_id = $1 and g.id = any($2::uuid[])
        and v.tenant_id = $1 and v.repository_id = g.repository_id and v.target_id = k.into_id
        and v.policy_id = g.policy_id and v.snooze_undo is not null`,
    [tx.tenantId, merged, from, into],
  );
  await tx.query(
    `update policy_exception set status = 'withdrawn', review_reason = 'Its vulnerability is part of another now.',
            updated_at = now()
      where tenant_id = $1 and violation_id = any($2::uuid[]) and status in ('requested', 'approved')`,
    [tx.tenantId, merged],
  );
  const events = endedEvents(await listStoredViolations(tx, merged), cause);
  for (const statement of [
    'delete from violation_reference where tenant_id = $1 and violation_id = any($2::uuid[])',
    'delete from policy_violation where tenant_id = $1 and id = any($2::uuid[])',
  ]) {
    await tx.query(statement, [tx.tenantId, merged]);
  }
  return events;
}

/**
 * Ends the exceptions and snoozes of violations whose policy does not match the other vulnerability of the pair. Findings under
 * the other name may come where the policy applies, and nobody has seen them there.
 */
async function endUnmatched(tx: Tx, from: string[], into: string[]): Promise<void> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id
       from (select * from unnest($2::uuid[], $3::uuid[]) union all select * from unnest($3::uuid[], $2::uuid[])) k (id, other_id)
      ${violationsOfVulnerability('k.id')}
      where not exists (select 1 from policy_violation o
                         where o.tenant_id = $1 and o.repository_id = v.repository_id
                           and o.target_id = k.other_id and o.policy_id = v.policy_id
                           and ${sqlViolationStatusIsNot('o.packed_state', 'resolved')})`,
    [tx.tenantId, from, into],
  );
  const ids = rows.map((row) => row.id);
  await withdrawExceptions(tx, ids);
  await endSnoozes(tx, ids);
}
