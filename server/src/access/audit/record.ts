/** Writes the audit log in the transaction of the action: the actor, the action and its target. Rows never change. */
import { insertRows } from '../../db/bulk.ts';
import { type InstallTx, switchTenant, type Tx } from '../../db/database.ts';
import { newId, type TenantId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import type { AuditAction, AuditTarget } from './actions.ts';

export interface AuditEntry {
  /** Null for the operator at the command line. */
  actorId: string | null;
  apiKeyId?: string | null;
  action: AuditAction;
  targetType: AuditTarget;
  targetId: string | null;
  data?: Record<string, unknown>;
  requestId?: string | null;
}

/** The actor is a user of the API, or the operator (`actorId` null). */
export type Actor = Pick<AuditEntry, 'actorId' | 'apiKeyId' | 'requestId'>;

export function actorOf({ user, credential, requestId }: Principal): Actor {
  return { actorId: user.id, apiKeyId: credential.type === 'key' ? credential.id : null, requestId };
}

export async function recordAudit(tx: Tx, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    id: newId(),
    actor_id: entry.actorId,
    api_key_id: entry.apiKeyId ?? null,
    action: entry.action,
    target_type: entry.targetType,
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
  for (const tenantId of tenantIds) await recordAudit(switchTenant(tx, tenantId), [entry]);
}
