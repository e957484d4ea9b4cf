/**
 * The sweep writes events of what the clock alone makes true: that a violation is due soon or overdue, that an exception
 * or a key ends soon, and that a key has ended. It also deletes events that are too old. It changes nothing else.
 */

import { type EventKey, keyEvent } from '../../access/api-keys/key-events.ts';
import { type ChangeTx, type Database, importTx, type Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { PolicyId, RepositoryId, TenantId, ViolationId } from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import type { TargetId } from '../../domain/policy-enums.ts';
import { dayMs } from '../../domain/time.ts';
import { isUnresolved, packedStatesWhere, unpackViolation } from '../../domain/violation-state.ts';
import { moveEventClock } from '../../events/event-clock.ts';
import { deleteEventsBefore } from '../../events/outbox.ts';
import { type EventException, exceptionEvent } from '../../policies/exceptions/exception-events.ts';
import { dueSoonMs, violationEvent } from '../../policies/violation-events.ts';
import { deleteDeliveriesThrough } from '../webhooks/delivery-store.ts';

// A person needs days to find another owner for a key, or to ask for an exception again.
const expiringMs = 7 * dayMs;

const unresolvedStates = packedStatesWhere(({ status }) => isUnresolved(status));

const seconds = (ms: number): string => `interval '${ms / 1000} seconds'`;

// Personal keys count in the workspaces that they open. The keys of CI runs end within minutes, and nobody waits for it. `k` is the key, and `tenant` is SQL.
const opensTenant = (tenant: string): string =>
  `k.disabled_at is null and k.trust_rule_id is null and (k.tenant_id = ${tenant} or (k.kind = 'personal'
     and exists (select 1 from member m where m.tenant_id = ${tenant} and m.user_id = k.user_id)
     and (not k.restricted or exists (select 1 from api_key_tenant t where t.api_key_id = k.id and t.tenant_id = ${tenant}))))`;

/** True in SQL if `sweepEvents` has work. */
export const eventsDue = (keepDays: number): DueCondition[] => {
  const within = (column: string, leadMs: number): string =>
    `${column} > c.swept_until + ${seconds(leadMs)} and ${column} <= asked_at + ${seconds(leadMs)}`;
  const violation = (leadMs: number): string =>
    `exists (select 1 from policy_violation v where v.tenant_id = asked_tenant
       and v.packed_state = any ('{${unresolvedStates}}'::smallint[]) and ${within('v.due_at', leadMs)})`;
  const key = (leadMs: number): string =>
    `exists (select 1 from api_key k where ${opensTenant('asked_tenant')} and ${within('k.expires_at', leadMs)})`;
  return [
    'not exists (select 1 from event_clock where tenant_id = asked_tenant)',
    `exists (select 1 from event_clock c where c.tenant_id = asked_tenant and (
       ${violation(0)} or ${violation(dueSoonMs)} or ${key(0)} or ${key(expiringMs)}
       or exists (select 1 from policy_exception e where e.tenant_id = asked_tenant and e.status = 'approved'
                   and ${within('e.ends_at', expiringMs)})))`,
    `exists (select 1 from event_batch where tenant_id = asked_tenant
       and created_at < asked_at - interval '${keepDays} days')`,
  ];
};

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

interface Window {
  since: Date;
  until: Date;
}

async function addDueEvents(tx: ChangeTx, window: Window): Promise<void> {
  const at = window.until;
  const clock = { scanId: null, actorId: null, at };
  const later = (ms: number): Window => ({
    since: new Date(window.since.getTime() + ms),
    until: new Date(window.until.getTime() + ms),
  });
  for (const row of await listDueViolations(tx, window)) {
    tx.changes.addEvent(violationEvent('violation.overdue', violationOf(row), clock));
  }
  for (const row of await listDueViolations(tx, later(dueSoonMs))) {
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

interface DueRow {
  id: ViolationId;
  repository_id: RepositoryId;
  policy_id: PolicyId;
  target_id: TargetId;
  packed_state: number;
  severity: Severity;
  due_at: Date;
  snoozed_until: Date | null;
}

// The rows of a repository follow each other, so that they are few batches of the outbox.
async function listDueViolations(tx: Tx, { since, until }: Window): Promise<DueRow[]> {
  return tx.query<DueRow>(
    `select v.id, v.repository_id, v.policy_id, v.target_id, v.packed_state, v.severity, v.due_at, v.snoozed_until
       from policy_violation v
      where v.tenant_id = $1 and v.packed_state = any ($2::smallint[]) and v.due_at > $3 and v.due_at <= $4
      order by v.repository_id, v.due_at, v.id`,
    [tx.tenantId, unresolvedStates, since, until],
  );
}

function violationOf(row: DueRow) {
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

async function listEndingExceptions(tx: Tx, { since, until }: Window): Promise<EventException[]> {
  return tx.query<EventException>(
    `select id, policy_id as "policyId", repository_id as "repositoryId", violation_id as "violationId", status, mode,
            enforcement_mode as "enforcementMode", ends_at as "endsAt", requested_by as "requestedBy", reason
       from policy_exception
      where tenant_id = $1 and status = 'approved' and ends_at > $2 and ends_at <= $3 order by repository_id, id`,
    [tx.tenantId, since, until],
  );
}

async function listEndingKeys(tx: Tx, { since, until }: Window): Promise<EventKey[]> {
  return tx.query<EventKey>(
    `select k.id, k.kind, k.name, k.expires_at as "expiresAt" from api_key k
      where ${opensTenant('$1')} and k.expires_at > $2 and k.expires_at <= $3 order by k.id`,
    [tx.tenantId, since, until],
  );
}
