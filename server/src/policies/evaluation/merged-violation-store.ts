/** SQL of merging for violations: those of a merged vulnerability move to the survivor, or end there. */

import type { Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import type { MergedVulnerabilities } from '../../domain/change-set.ts';
import type { ViolationId } from '../../domain/ids.ts';
import { sqlViolationStatusIsNot } from '../../domain/violation-state.ts';

// SQL of the pairs as rows `m`. The parameters of the statement begin with `valuesOf`.
const sqlMerges = 'unnest($2::uuid[], $3::uuid[]) as m (from_id, into_id)';

function valuesOf(tx: Tx, { repositoryId, pairs }: MergedVulnerabilities): unknown[] {
  return [tx.tenantId, pairs.map(({ from }) => from), pairs.map(({ into }) => into), repositoryId];
}

/** SQL of a join: each violation `v` of the vulnerability with the id `key`, whatever its status. */
function violationsOf(key: string): string {
  return `cross join lateral ${rowsByKey('policy_violation v', key, {
    column: 'target_id',
    next: 'policy_id',
    where: 'v.repository_id = $4',
  })}`;
}

/** Lists the violations on both sides whose policy does not match the other vulnerability of the pair. */
export async function listUnmatched(tx: Tx, merged: MergedVulnerabilities): Promise<ViolationId[]> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id
       from (select * from unnest($2::uuid[], $3::uuid[]) union all select * from unnest($3::uuid[], $2::uuid[])) k (id, other_id)
      ${violationsOf('k.id')}
      where not exists (select 1 from policy_violation o
                         where o.tenant_id = $1 and o.repository_id = $4
                           and o.target_id = k.other_id and o.policy_id = v.policy_id
                           and ${sqlViolationStatusIsNot('o.packed_state', 'resolved')})`,
    valuesOf(tx, merged),
  );
  return rows.map((row) => row.id);
}

/**
 * Lists the violations of the merged vulnerabilities. One of each policy moves, the oldest, if the survivor has none of
 * that policy.
 */
export async function listMergedViolations(
  tx: Tx,
  merged: MergedVulnerabilities,
): Promise<{ id: ViolationId; moves: boolean }[]> {
  return tx.query(
    `select v.id, row_number() over (partition by m.into_id, v.policy_id order by v.first_seen_at, v.id) = 1
              and not exists (select 1 from policy_violation o
                               where o.tenant_id = $1 and o.repository_id = $4
                                 and o.target_id = m.into_id and o.policy_id = v.policy_id) as moves
       from ${sqlMerges}
      ${violationsOf('m.from_id')}`,
    valuesOf(tx, merged),
  );
}

/** Gives these violations to the survivors. */
export async function setTargets(tx: Tx, merged: MergedVulnerabilities, ids: ViolationId[]): Promise<void> {
  await tx.query(
    `update policy_violation v set target_id = m.into_id
       from ${sqlMerges}
      where v.tenant_id = $1 and v.repository_id = $4 and v.id = any($5::uuid[]) and v.target_id = m.from_id`,
    [...valuesOf(tx, merged), ids],
  );
}

// SQL that follows `from`: each violation `g` of $5, with the violation `v` that the survivor has of its policy.
const endedWithSurvivors = `policy_violation g join ${sqlMerges} on m.from_id = g.target_id`;
const ofSurvivor = `v.tenant_id = $1 and v.repository_id = $4 and v.target_id = m.into_id
        and v.policy_id = g.policy_id`;
const isEnded = 'g.tenant_id = $1 and g.id = any($5::uuid[])';

/**
 * Withdraws the exceptions of survivors, requested ones too. One covers the ended violation only if that was exempt.
 */
export async function withdrawSurvivorExceptions(
  tx: Tx,
  merged: MergedVulnerabilities,
  ended: ViolationId[],
): Promise<void> {
  await tx.query(
    `update policy_exception o set status = 'withdrawn', review_reason = 'Another vulnerability has become part of it.',
            updated_at = now()
       from ${endedWithSurvivors} join policy_violation v on ${ofSurvivor}
      where ${isEnded} and ${sqlViolationStatusIsNot('g.packed_state', 'waived')}
        and o.tenant_id = $1 and o.violation_id = v.id and o.status in ('requested', 'approved')`,
    [...valuesOf(tx, merged), ended],
  );
}

/**
 * Ends the snoozes of survivors. A survivor stays snoozed only if the ended violation was for as long. The evaluation
 * before the commit wakes it.
 */
export async function endLongerSnoozes(
  tx: Tx,
  merged: MergedVulnerabilities,
  ended: ViolationId[],
): Promise<void> {
  await tx.query(
    `update policy_violation v set snoozed_until = 'epoch'
       from ${endedWithSurvivors}
      where ${isEnded} and ${sqlViolationStatusIsNot('g.packed_state', 'resolved')}
        and ${ofSurvivor} and v.snoozed_until is not null
        and (g.snoozed_until is null or g.snoozed_until < v.snoozed_until
             or (v.snooze_overrides_policy and not g.snooze_overrides_policy))`,
    [...valuesOf(tx, merged), ended],
  );
}

/**
 * Forgets what an undo would restore for survivors: a snooze from before the merge, which did not cover the ended one.
 * A snooze that goes on counts as made now, because nobody has snoozed what was fixed before.
 */
export async function clearSnoozeUndos(
  tx: Tx,
  merged: MergedVulnerabilities,
  ended: ViolationId[],
): Promise<void> {
  const now = new Date();
  await tx.query(
    `update policy_violation v
        set snooze_undo = case when v.snoozed_until > $6::timestamptz then $7::jsonb end
       from ${endedWithSurvivors}
      where ${isEnded} and ${ofSurvivor} and v.snooze_undo is not null`,
    [...valuesOf(tx, merged), ended, now, { at: now }],
  );
}
