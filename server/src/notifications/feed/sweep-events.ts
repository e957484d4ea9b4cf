/**
 * The sweep writes events of what the clock alone makes true: that a violation is due within three days or overdue, that
 * an exception or a key ends soon, and that a key has ended. It also deletes events that are too old. It changes nothing
 * else.
 */

import { keyEvent } from '../../access/api-keys/key-events.ts';
import { type ChangeTx, type Database, importTx } from '../../db/database.ts';
import type { TenantId } from '../../domain/ids.ts';
import { severities } from '../../domain/packed-state.ts';
import { dayMs } from '../../domain/time.ts';
import { unpackViolation } from '../../domain/violation-state.ts';
import { moveEventClock } from '../../events/event-clock.ts';
import { deleteEventsBefore } from '../../events/outbox.ts';
import { exceptionEvent } from '../../policies/exceptions/exception-events.ts';
import { reminderMs, violationEvent } from '../../policies/violation-events.ts';
import { deleteDeliveriesThrough } from '../webhooks/delivery-store.ts';
import {
  type DueViolation,
  type EventWindow,
  expiringMs,
  listDueViolations,
  listEndingExceptions,
  listEndingKeys,
} from './sweep-event-store.ts';

/** Writes events of what has become true since the last sweep. The transaction holds the clock, so that no event is written twice. */
export async function sweepEvents(
  db: Database,
  tenantId: TenantId,
  now: Date,
  keepDays: number,
): Promise<void> {
  await importTx(db, tenantId, async (tx) => {
    const since = await moveEventClock(tx, now);
    await addDueEvents(tx, { since, until: now });
  });
  await importTx(db, tenantId, async (tx) => {
    const last = await deleteEventsBefore(tx, new Date(now.getTime() - keepDays * dayMs));
    if (last !== null) await deleteDeliveriesThrough(tx, last);
  });
}

async function addDueEvents(tx: ChangeTx, window: EventWindow): Promise<void> {
  const at = window.until;
  const clock = { scanId: null, actorId: null, at };
  const later = (ms: number): EventWindow => ({
    since: new Date(window.since.getTime() + ms),
    until: new Date(window.until.getTime() + ms),
  });
  for (const row of await listDueViolations(tx, window)) {
    tx.changes.addEvent(violationEvent('violation.overdue', violationOf(row), clock));
  }
  for (const row of await listDueViolations(tx, later(reminderMs))) {
    tx.changes.addEvent(violationEvent('violation.due_soon', violationOf(row), clock));
  }
  for (const exception of await listEndingExceptions(tx, later(expiringMs))) {
    tx.changes.addEvent(exceptionEvent('exception.expiring', exception, { actorId: null, at }));
  }
  for (const key of await listEndingKeys(tx, later(expiringMs))) {
    tx.changes.addEvent(keyEvent('key.expiring', key, { actorId: null, at }));
  }
  for (const key of await listEndingKeys(tx, window)) {
    tx.changes.addEvent(keyEvent('key.expired', key, { actorId: null, at }));
  }
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
