/** SQL of snoozes. The rows of violations are locked by the evaluation's lock of their repositories. */
import type { Tx } from '../../db/database.ts';

export interface SnoozableRow {
  id: string;
  repository_id: string;
  policy_id: string;
  packed_state: number;
  snooze_count: number;
  snoozed_until: Date | null;
}

export async function listSnoozable(tx: Tx, ids: string[]): Promise<SnoozableRow[]> {
  return tx.query<SnoozableRow>(
    `select id, repository_id, policy_id, packed_state, snooze_count, snoozed_until
       from policy_violation where tenant_id = $1 and id = any($2::uuid[]) order by id`,
    [tx.tenantId, ids],
  );
}

/** `until` null wakes the violations. Returns the ids of the references on which they match. */
export async function setSnoozed(
  tx: Tx,
  ids: string[],
  until: Date | null,
  overridesPolicy: boolean,
): Promise<string[]> {
  await tx.query(
    `update policy_violation set snoozed_until = $3, snooze_overrides_policy = $4, updated_at = now(),
            snooze_count = snooze_count + case when $3::timestamptz is null then 0 else 1 end,
            packed_state = case when $3::timestamptz is null then packed_state & ~1 else packed_state | 1 end
      where tenant_id = $1 and id = any($2::uuid[])`,
    [tx.tenantId, ids, until, overridesPolicy],
  );
  const rows = await tx.query<{ reference_id: string }>(
    `update violation_reference
        set packed_state = case when $3::timestamptz is null then packed_state & ~1 else packed_state | 1 end
      where tenant_id = $1 and violation_id = any($2::uuid[]) and cleared_at is null returning reference_id`,
    [tx.tenantId, ids, until],
  );
  return [...new Set(rows.map((row) => row.reference_id))];
}
