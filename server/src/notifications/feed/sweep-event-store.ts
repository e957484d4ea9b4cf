/** SQL of what the clock alone makes true: what is due in a window of time, and which workspaces have it. */

import type { EventKey } from '../../access/api-keys/key-events.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { PolicyId, RepositoryId, ViolationId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { TargetId } from '../../domain/policy-enums.ts';
import { dayMs } from '../../domain/time.ts';
import { unresolvedStates } from '../../domain/violation-state.ts';
import type { EventException } from '../../policies/exceptions/exception-events.ts';
import { reminderMs } from '../../policies/violation-events.ts';

// A person needs days to find another owner for a key, or to ask for an exception again.
export const expiringMs = 7 * dayMs;

const seconds = (ms: number): string => `interval '${ms / 1000} seconds'`;

// Personal keys count in the workspaces that they open. The keys of CI runs end within minutes, and nobody waits for it.
// `k` is the key, and `tenant` is SQL.
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
    `exists (select 1 from event_batch where tenant_id = asked_tenant
       and created_at < asked_at - interval '${keepDays} days')`,
  ];
};

/** After `since`, up to `until`. */
export interface EventWindow {
  since: Date;
  until: Date;
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
}

// The rows of a repository follow each other, so that they are few batches of the outbox.
export async function listDueViolations(tx: Tx, { since, until }: EventWindow): Promise<DueViolation[]> {
  return tx.query<DueViolation>(
    `select v.id, v.repository_id, v.policy_id, v.target_id, v.packed_state, v.severity, v.due_at, v.snoozed_until
       from policy_violation v
      where v.tenant_id = $1 and v.packed_state = any ($2::smallint[]) and v.due_at > $3 and v.due_at <= $4
      order by v.repository_id, v.due_at, v.id`,
    [tx.tenantId, unresolvedStates, since, until],
  );
}

export async function listEndingExceptions(tx: Tx, { since, until }: EventWindow): Promise<EventException[]> {
  return tx.query<EventException>(
    `select id, policy_id as "policyId", repository_id as "repositoryId", violation_id as "violationId", status, mode,
            enforcement_mode as "enforcementMode", ends_at as "endsAt", requested_by as "requestedBy", reason
       from policy_exception
      where tenant_id = $1 and status = 'approved' and ends_at > $2 and ends_at <= $3 order by repository_id, id`,
    [tx.tenantId, since, until],
  );
}

export async function listEndingKeys(tx: Tx, { since, until }: EventWindow): Promise<EventKey[]> {
  return tx.query<EventKey>(
    `select k.id, k.kind, k.name, k.expires_at as "expiresAt" from api_key k
      where ${opensTenant('$1')} and k.expires_at > $2 and k.expires_at <= $3 order by k.id`,
    [tx.tenantId, since, until],
  );
}
