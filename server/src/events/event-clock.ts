/**
 * The event clock says up to when the sweep has told what the clock alone makes true, such as that a violation is
 * overdue. What is due before that time and becomes so by a change is told by the change, so that each is told once.
 */
import type { Tx } from '../db/database.ts';

/**
 * The time up to which the sweep has told. It does not move before the transaction ends; the sweep waits for it, and then
 * sees what the transaction has written.
 */
export async function holdEventClock(tx: Tx, now: Date): Promise<Date> {
  const read = () =>
    tx.query<{ told_until: Date }>('select told_until from event_clock where tenant_id = $1 for share', [
      tx.tenantId,
    ]);
  const [row] = await read();
  if (row) return row.told_until;
  await tx.query(
    'insert into event_clock (tenant_id, told_until) values ($1, $2) on conflict (tenant_id) do nothing',
    [tx.tenantId, now],
  );
  const [made] = await read();
  return made?.told_until ?? now;
}

/** Moves the clock to `until` and returns where it was. Waits for those that hold it. */
export async function moveEventClock(tx: Tx, until: Date): Promise<Date> {
  const [row] = await tx.query<{ told_until: Date }>(
    'select told_until from event_clock where tenant_id = $1 for update',
    [tx.tenantId],
  );
  await tx.query(
    `insert into event_clock as c (tenant_id, told_until) values ($1, $2)
     on conflict (tenant_id) do update set told_until = greatest(c.told_until, excluded.told_until)`,
    [tx.tenantId, until],
  );
  return row?.told_until ?? until;
}
