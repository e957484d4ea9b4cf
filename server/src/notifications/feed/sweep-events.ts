/**
 * The sweep writes events of what the clock alone makes true: that a violation is due within three days or overdue,
 * that an exception or a key ends soon, and that a key has ended. It also deletes events that are too old. It changes
 * nothing else.
 */

import { keyEvent } from '../../access/api-keys/key-events.ts';
import { type ChangeTx, type Database, importTx } from '../../db/database.ts';
import type { TenantId } from '../../domain/ids.ts';
import { severities } from '../../domain/packed-state.ts';
import { dayMs } from '../../domain/time.ts';
import { unpackViolation } from '../../domain/violation-state.ts';
import { lastId, lockEventClock, moveEventClock } from '../../events/event-clock.ts';
import { deleteEventsBefore } from '../../events/outbox.ts';
import { exceptionEvent } from '../../policies/exceptions/exception-events.ts';
import { violationEvent } from '../../policies/violation-events.ts';
import { deleteDeliveriesThrough } from '../webhooks/delivery-store.ts';
import {
  type DueViolation,
  expiringMs,
  listDueViolations,
  listEndingExceptions,
  listEndingKeys,
} from './sweep-event-store.ts';

// A page takes a second or two and some hundred megabytes, and imports that open violations wait for its transaction.
const largestPage = 10_000;
// The next sweep, a minute later, continues, so that a workspace with very many does not keep the others waiting.
const pagesAtOnce = 10;

/**
 * Writes events of what has become true since the last sweep, in pages of at most `pageSize` violations. The
 * transaction of a page holds the clock and moves it, so that no event is written twice or left out.
 */
export async function sweepEvents(
  db: Database,
  tenantId: TenantId,
  now: Date,
  keepDays: number,
  { pageSize, pages } = { pageSize: largestPage, pages: pagesAtOnce },
): Promise<void> {
  for (let left = pages, isDone = false; left > 0 && !isDone; left--) {
    isDone = await importTx(db, tenantId, (tx) => addDueEvents(tx, now, pageSize));
  }
  await importTx(db, tenantId, async (tx) => {
    const last = await deleteEventsBefore(tx, new Date(now.getTime() - keepDays * dayMs));
    if (last !== null) await deleteDeliveriesThrough(tx, last);
  });
}

/** Adds the events of the next page, and returns true if it is the last one. */
async function addDueEvents(tx: ChangeTx, at: Date, pageSize: number): Promise<boolean> {
  const clock = { scanId: null, actorId: null, at };
  const since = await lockEventClock(tx, at);
  const due = await listDueViolations(tx, since, at, pageSize);
  const last = due.length === pageSize ? due.at(-1) : undefined;
  const until = await moveEventClock(tx, last ?? { at: at.toISOString(), id: lastId });
  // The rows of a repository follow each other, so that they are few batches of the outbox.
  due.sort((a, b) => (a.repository_id < b.repository_id ? -1 : Number(a.repository_id > b.repository_id)));
  for (const row of due) tx.changes.addEvent(violationEvent(row.type, violationOf(row), clock));
  const window = { since: since.at, until };
  for (const exception of await listEndingExceptions(tx, window)) {
    tx.changes.addEvent(exceptionEvent('exception.expiring', exception, { actorId: null, at }));
  }
  for (const key of await listEndingKeys(tx, window, expiringMs)) {
    tx.changes.addEvent(keyEvent('key.expiring', key, { actorId: null, at }));
  }
  for (const key of await listEndingKeys(tx, window, 0)) {
    tx.changes.addEvent(keyEvent('key.expired', key, { actorId: null, at }));
  }
  return last === undefined;
}

function violationOf(row: DueViolation) {
  const { status, enforcement, targetType } = unpackViolation(row.packed_state);
  return {
    id: row.id,
    repositoryId: row.repository_id,
    policyId: row.policy_id,
    targetType,
    targetId: row.target_id,
    status,
    enforcement,
    severity: severities.indexOf(row.severity),
    dueAt: row.due_at,
    snoozedUntil: row.snoozed_until,
  };
}
