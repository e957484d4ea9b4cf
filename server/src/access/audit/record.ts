/** Writes the audit log in the transaction of the action: the actor, the action and its target. Rows never change. */
import { insertRows } from '../../db/bulk.ts';
import { type InstallTx, switchTenant, type Tx } from '../../db/database.ts';
import { type Id, type IdKind, type KeyId, newId, type TenantId, type UserId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { type AuditAction, targetOf } from './actions.ts';

/** The caller of the API in one request, or the operator at the command line. */
export interface Actor {
  /** Null for the operator. */
  actorId: UserId | null;
  apiKeyId?: KeyId | null;
  requestId?: string | null;
}

export interface AuditEntry extends Actor {
  action: AuditAction;
  targetId: Id<IdKind> | null;
  data?: Record<string, unknown>;
}

export function actorOf({ user, credential, requestId }: Principal): Actor {
  return { actorId: user.id, apiKeyId: credential.type === 'key' ? credential.id : null, requestId };
}

export async function recordAudit(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  targetId: Id<IdKind> | null,
  data: Record<string, unknown> = {},
): Promise<void> {
  await recordAudits(tx, [{ ...actor, action, targetId, data }]);
}

export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    id: newId(),
    actor_id: entry.actorId,
    api_key_id: entry.apiKeyId ?? null,
    action: entry.action,
    target_type: targetOf(entry.action),
    target_id: entry.targetId,
    data: entry.data ?? {},
    request_id: entry.requestId ?? null,
  }));
  await insertRows(tx, 'audit_event', rows, { common: { at: 'now()' } });
}

/**
 * Records the entry in each of these workspaces, so that none learns about another. Afterwards the transaction has the
 * last workspace as its tenant.
 */
export async function recordInEach(tx: InstallTx, tenantIds: TenantId[], entry: AuditEntry): Promise<void> {
  for (const tenantId of tenantIds) await recordAudits(switchTenant(tx, tenantId), [entry]);
}
