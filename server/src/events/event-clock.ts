/**
 * The event clock says up to when the sweep has written events of what the clock alone makes true, such as that a
 * violation is overdue. What a change makes due before that time is an event of the change, so that each is written
 * once.
 */
import type { Tx } from '../db/database.ts';

/**
 * The sweep is past what was due before `at`, and past the violations up to the id `id` of those that were due at it.
 */
interface ClockPosition<Time> {
  at: Time;
  id: string;
}

export type EventClock = ClockPosition<Date>;

/** The position with the microseconds of the database, so that the sweep continues exactly there. */
export type SweptPosition = ClockPosition<string>;

/** The id of a position that is past all that was due at its time. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isPast(clock: EventClock, time: number, id: string): boolean {
  return time < clock.at.getTime() || (time === clock.at.getTime() && id <= clock.id);
}

/**
 * The position up to which the sweep has written events. It does not move before the transaction ends; the sweep waits
 * for it, and then sees what the transaction has written.
 */
export async function holdEventClock(tx: Tx, now: Date): Promise<EventClock> {
  const read = () =>
    tx.query<EventClock>(
      'select swept_until as at, swept_id as id from event_clock where tenant_id = $1 for share',
      [tx.tenantId],
    );
  const [row] = await read();
  if (row) return row;
  await startEventClock(tx, now);
  const [made] = await read();
  return made ?? { at: now, id: lastId };
}

/** Waits for those that hold the clock, and returns its position. A new clock begins at `now`. */
export async function lockEventClock(tx: Tx, now: Date): Promise<SweptPosition> {
  await startEventClock(tx, now);
  const [row] = await tx.query<SweptPosition>(
    'select swept_until::text as at, swept_id as id from event_clock where tenant_id = $1 for update',
    [tx.tenantId],
  );
  if (!row) throw new Error('the event clock was deleted');
  return row;
}

/** Moves the clock to this position, or to the end of its time if that is later. Returns the time. */
export async function moveEventClock(tx: Tx, { at, id }: SweptPosition): Promise<string> {
  const [row] = await tx.query<{ at: string }>(
    `update event_clock set swept_until = greatest(swept_until, $2::timestamptz),
            swept_id = case when swept_until > $2::timestamptz then '${lastId}' else $3::uuid end
      where tenant_id = $1 returning swept_until::text as at`,
    [tx.tenantId, at, id],
  );
  return row?.at ?? at;
}

async function startEventClock(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    'insert into event_clock (tenant_id, swept_until) values ($1, $2) on conflict (tenant_id) do nothing',
    [tx.tenantId, now],
  );
}
