/** SQL of snoozes. The rows of violations are locked by the evaluation's lock of their repositories. */
import { readClock } from '../../db/commit-watermark.ts';
import type { Tx } from '../../db/database.ts';
import type { PolicyId, ReferenceId, RepositoryId, UserId, ViolationId } from '../../domain/ids.ts';
import { sqlWithSnoozed } from '../../domain/violation-state.ts';
import { newestJoinedAt } from '../../vulnerabilities/joined-names.ts';

export interface SnoozableRow {
  id: ViolationId;
  repository_id: RepositoryId;
  policy_id: PolicyId;
  packed_state: number;
  snooze_count: number;
  snoozed_until: Date | null;
  /** The user who last snoozed or woke it. Null if there is none, or if the end of the snooze has changed since. */
  undo_by: string | null;
  undo_at: Date | null;
  /** The previous snooze. */
  before_until: Date | null;
  before_overrides: boolean | null;
  before_count: number | null;
  /** The time when the previous snooze was made. */
  before_since: Date | null;
  /** The time when the newest name was joined to the vulnerability; null if there is none. */
  joined_at: Date | null;
}

export async function listSnoozable(tx: Tx, ids: ViolationId[]): Promise<SnoozableRow[]> {
  return tx.query<SnoozableRow>(
    `select id, repository_id, policy_id, packed_state, snooze_count, snoozed_until,
            case when snoozed_until is not distinct from (snooze_undo->>'set_until')::timestamptz
                 then snooze_undo->>'by' end as undo_by,
            (snooze_undo->>'at')::timestamptz as undo_at,
            (snooze_undo->>'until')::timestamptz as before_until,
            (snooze_undo->>'overrides_policy')::boolean as before_overrides,
            (snooze_undo->>'count')::int as before_count,
            (snooze_undo->>'since')::timestamptz as before_since, ${newestJoinedAt('target_id')} as joined_at
       from policy_violation where tenant_id = $1 and id = any($2::uuid[]) order by id`,
    [tx.tenantId, ids],
  );
}

/** `until` null wakes the violations. Returns the ids of the references on which they match. */
export async function setSnoozed(
  tx: Tx,
  ids: ViolationId[],
  until: Date | null,
  overridesPolicy: boolean,
  userId: UserId,
): Promise<ReferenceId[]> {
  const now = await readClock(tx);
  const before = await tx.query<{
    id: ViolationId;
    until: Date | null;
    since: string | null;
    overrides_policy: boolean;
    count: number;
  }>(
    `select id, snoozed_until as until, snooze_undo->>'at' as since, snooze_overrides_policy as overrides_policy,
            snooze_count as count
       from policy_violation where tenant_id = $1 and id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  await tx.query(
    `update policy_violation v set snoozed_until = $4, snooze_overrides_policy = $5, snooze_undo = k.undo,
            snooze_count = snooze_count + case when $4::timestamptz is null then 0 else 1 end,
            packed_state = ${sqlWithSnoozed('packed_state', '$4::timestamptz is not null')}
       from unnest($2::uuid[], $3::jsonb[]) as k (id, undo)
      where v.tenant_id = $1 and v.id = k.id`,
    [
      tx.tenantId,
      before.map(({ id }) => id),
      before.map(({ id, ...undo }) => ({ by: userId, at: now, set_until: until, ...undo })),
      until,
      overridesPolicy,
    ],
  );
  return setOnReferences(tx, ids, until !== null);
}

export interface SnoozeBefore {
  id: ViolationId;
  until: Date | null;
  /** The time when it was made. */
  since: Date | null;
  overridesPolicy: boolean;
  count: number;
}

/** Restores the previous snoozes. Returns the ids of the references on which they match. */
export async function restoreSnoozes(tx: Tx, snoozes: SnoozeBefore[]): Promise<ReferenceId[]> {
  await tx.query(
    `update policy_violation v set snoozed_until = k.until, snooze_overrides_policy = k.overrides,
            snooze_count = k.count, snooze_undo = k.undo,
            packed_state = ${sqlWithSnoozed('v.packed_state', 'k.until is not null')}
       from unnest($2::uuid[], $3::timestamptz[], $4::boolean[], $5::int[], $6::jsonb[])
              as k (id, until, overrides, count, undo)
      where v.tenant_id = $1 and v.id = k.id`,
    [
      tx.tenantId,
      snoozes.map(({ id }) => id),
      snoozes.map(({ until }) => until),
      snoozes.map(({ overridesPolicy }) => overridesPolicy),
      snoozes.map(({ count }) => count),
      snoozes.map(({ until, since }) => (until === null ? null : { at: since })),
    ],
  );
  const idsOf = (isSnoozed: boolean) =>
    snoozes.filter(({ until }) => (until !== null) === isSnoozed).map(({ id }) => id);
  return [
    ...(await setOnReferences(tx, idsOf(true), true)),
    ...(await setOnReferences(tx, idsOf(false), false)),
  ];
}

async function setOnReferences(tx: Tx, ids: ViolationId[], isSnoozed: boolean): Promise<ReferenceId[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ reference_id: ReferenceId }>(
    `update violation_reference
        set packed_state = ${sqlWithSnoozed('packed_state', '$3')}
      where tenant_id = $1 and violation_id = any($2::uuid[]) and cleared_at is null returning reference_id`,
    [tx.tenantId, ids, isSnoozed],
  );
  return [...new Set(rows.map((row) => row.reference_id))];
}

/** Ends the snoozes of these violations, and takes away what an undo would restore. The next evaluation follows. */
export async function endSnoozes(tx: Tx, violationIds: ViolationId[]): Promise<void> {
  if (violationIds.length === 0) return;
  await tx.query(
    `update policy_violation set snooze_undo = null,
            snoozed_until = case when snoozed_until is null then null else 'epoch'::timestamptz end
      where tenant_id = $1 and id = any($2::uuid[]) and (snoozed_until is not null or snooze_undo is not null)`,
    [tx.tenantId, violationIds],
  );
}
