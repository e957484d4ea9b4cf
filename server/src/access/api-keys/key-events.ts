/** The events of keys. A personal key has them in each workspace that it opens. */
import { type InstallTx, switchTenant } from '../../db/database.ts';
import type { KeyId, TenantId, UserId } from '../../domain/ids.ts';
import type { WorkspaceEvent, WorkspaceEventType } from '../../domain/workspace-event.ts';
import { writeEventsNow } from '../../events/outbox.ts';
import { type AuditEntry, recordInEach } from '../audit/record.ts';

/** The fields of a key that its events say. */
export interface EventKey {
  id: KeyId;
  kind: 'personal' | 'workspace';
  name: string;
  expiresAt: Date | null;
}

export function keyEvent(
  type: WorkspaceEventType & `key.${string}`,
  { id, kind, name, expiresAt }: EventKey,
  { actorId, at }: { actorId: UserId | null; at: Date },
): WorkspaceEvent {
  return {
    type,
    objectId: id,
    repositoryId: null,
    scanId: null,
    actorId,
    at,
    data: { kind, name, expires_at: expiresAt?.toISOString() ?? null },
  };
}

/**
 * Records the act on a personal key in the audit log and in the outbox of each of these workspaces. Afterwards the
 * transaction has the last workspace as its tenant.
 */
export async function recordOnPersonalKey(
  tx: InstallTx,
  tenantIds: TenantId[],
  entry: AuditEntry & { action: 'key.create' | 'key.revoke' },
  key: Omit<EventKey, 'kind'>,
): Promise<void> {
  await recordInEach(tx, tenantIds, entry);
  const type = entry.action === 'key.create' ? 'key.created' : 'key.revoked';
  const event = keyEvent(type, { ...key, kind: 'personal' }, { actorId: entry.actorId, at: new Date() });
  // In one order, because two transactions on the same workspaces wait for each other's outbox.
  const inOrder = tenantIds.toSorted((a, b) => Number(a) - Number(b));
  for (const tenantId of inOrder) await writeEventsNow(switchTenant(tx, tenantId), [event]);
}
