/**
 * The event clock says up to when the sweep has written events of what the clock alone makes true, such as that a violation
 * is overdue. What a change makes due before that time is an event of the change, so that each is written once.
 */
import type { Tx } from '../db/database.ts';

/**
 * The time up to which the sweep has written events. It does not move before the transaction ends; the sweep waits for it,
 * and then sees what the transaction has written.
 */
export async function holdEventClock(tx: Tx, now: Date): Promise<Date> {
  const read = () =>
    tx.query<{ swept_until: Date }>('select swept_until from event_clock where tenant_id = $1 for share', [
      tx.tenantId,
    ]);
  const [row] = await read();
  if (row) return row.swept_until;
  await tx.query(
    'insert into event_clock (tenant_id, swept_until) values ($1, $2) on conflict (tenant_id) do nothing',
    [tx.tenantId, now],
  );
  const [made] = await read();
  return made?.swept_until ?? now;
}

/** Moves the clock to `until` and returns where it was. Waits for those that hold it. */
export async function moveEventClock(tx: Tx, until: Date): Promise<Date> {
  const [row] = await tx.query<{ swept_until: Date }>(
    'select swept_until from event_clock where tenant_id = $1 for update',
    [tx.tenantId],
  );
  await tx.query(
    `insert into event_clock as c (tenant_id, swept_until) values ($1, $2)
     on conflict (tenant_id) do update set swept_until = greatest(c.swept_until, excluded.swept_until)`,
    [tx.tenantId, until],
  );
  return row?.swept_until ?? until;
}
