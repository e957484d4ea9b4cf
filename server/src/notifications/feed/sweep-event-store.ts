/** SQL of what the clock alone makes true: what is due in a window of time, and which workspaces have it. */

import type { EventKey } from '../../access/api-keys/key-events.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { PolicyId, RepositoryId, ViolationId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { TargetId } from '../../domain/policy-enums.ts';
import { dayMs } from '../../domain/time.ts';
import { unresolvedStates } from '../../domain/violation-state.ts';
import { lastId, type SweptPosition } from '../../events/event-clock.ts';
import type { EventException } from '../../policies/exceptions/exception-events.ts';
import { reminderMs } from '../../policies/violation-events.ts';

// A person needs days to find another owner for a key, or to ask for an exception again.
export const expiringMs = 7 * dayMs;

const seconds = (ms: number): string => `interval '${ms / 1000} seconds'`;

// Personal keys count in the workspaces that they open. The keys of CI runs end within minutes, and nobody waits for
// it. `k` is the key, and `tenant` is SQL.
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
       ${violation(0)} or ${violation(reminderMs)} or ${key(0)} or ${key(expiringMs)}
       or exists (select 1 from policy_exception e where e.tenant_id = asked_tenant and e.status = 'approved'
                   and ${within('e.ends_at', expiringMs)})))`,
    `exists (select 1 from event_clock where tenant_id = asked_tenant and swept_id < '${lastId}')`,
    `exists (select 1 from event_batch where tenant_id = asked_tenant
       and created_at < asked_at - interval '${keepDays} days')`,
  ];
};

/** After `since`, up to `until`. */
export interface EventWindow {
  since: string;
  until: string;
}

export interface DueViolation {
  id: ViolationId;
  repository_id: RepositoryId;
  policy_id: PolicyId;
  target_id: TargetId;
  packed_state: number;
  severity: Severity;
  due_at: Date;
  snoozed_until: Date | null;
  type: 'violation.overdue' | 'violation.due_soon';
  /** The time at which the clock made it so. */
  at: string;
}

/**
 * The first `limit` violations that have become overdue or due soon after the position and up to `now`, in the order of
 * the clock. Each packed state is a range of the index, so that no page reads the rows of all pages.
 */
export async function listDueViolations(
  tx: Tx,
  { at, id }: SweptPosition,
  now: Date,
  limit: number,
): Promise<DueViolation[]> {
  const due = (type: DueViolation['type'], leadMs: number): string =>
    `select v.*, '${type}' as type, v.due_at - ${seconds(leadMs)} as event_at
       from unnest($2::smallint[]) as k (packed_state)
      cross join lateral (select v.id, v.repository_id, v.policy_id, v.target_id, v.packed_state, v.severity, v.due_at, v.snoozed_until
             from policy_violation v
            where v.tenant_id = $1 and v.packed_state = k.packed_state
              and (v.due_at, v.id) > ($3::timestamptz + ${seconds(leadMs)}, $4::uuid)
              and v.due_at <= greatest($3::timestamptz, $5::timestamptz) + ${seconds(leadMs)}
            order by v.due_at, v.id limit $6) v`;
  return tx.query<DueViolation>(
    `select v.*, v.event_at::text as at
       from (${due('violation.overdue', 0)} union all ${due('violation.due_soon', reminderMs)}) v
      order by v.event_at, v.id limit $6`,
    [tx.tenantId, unresolvedStates, at, id, now, limit],
  );
}

export async function listEndingExceptions(tx: Tx, { since, until }: EventWindow): Promise<EventException[]> {
  return tx.query<EventException>(
    `select id, policy_id as "policyId", repository_id as "repositoryId", violation_id as "violationId", status, mode,
            enforcement_mode as "enforcementMode", ends_at as "endsAt", requested_by as "requestedBy", reason
       from policy_exception
      where tenant_id = $1 and status = 'approved' and ends_at > $2::timestamptz + ${seconds(expiringMs)}
        and ends_at <= $3::timestamptz + ${seconds(expiringMs)} order by repository_id, id`,
    [tx.tenantId, since, until],
  );
}

/** The keys that end `leadMs` after the window. */
export async function listEndingKeys(
  tx: Tx,
  { since, until }: EventWindow,
  leadMs: number,
): Promise<EventKey[]> {
  return tx.query<EventKey>(
    `select k.id, k.kind, k.name, k.expires_at as "expiresAt" from api_key k
      where ${opensTenant('$1')} and k.expires_at > $2::timestamptz + ${seconds(leadMs)}
        and k.expires_at <= $3::timestamptz + ${seconds(leadMs)} order by k.id`,
    [tx.tenantId, since, until],
  );
}
