/** Keys of a workspace, which its admins make and revoke. */
import { type Database, tenantReadTx, tenantTx } from '../../db/database.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import { getId, type TenantId } from '../../domain/ids.ts';
import { type Principal, type Role, roleAtLeast } from '../../http/principal.ts';
import { type Actor, recordAudit } from '../audit/record.ts';
import { holdAdmin } from '../members/lookup.ts';
import { keyEvent } from './key-events.ts';
import { createWorkspaceKey } from './service.ts';
import { disableKeyOf, listShownKeys, type ShownKey } from './store.ts';

export async function listWorkspaceKeys(db: Database, { tenant }: Principal): Promise<ShownKey[]> {
  return tenantReadTx(db, tenant.id, (tx) => listShownKeys(tx, { tenantId: tenant.id }));
}

export interface NewWorkspaceKey {
  name: string;
  scopes: string[];
  expires: string;
  role: Role;
}

/** Makes a key and returns its value. Throws DomainError, and 403 for a caller who is no longer an admin. */
export async function createWorkspaceKeyFor(
  db: Database,
  principal: Principal,
  input: NewWorkspaceKey,
): Promise<{ key: ShownKey; value: string }> {
  const tenantId = principal.tenant.id;
  return tenantTx(db, tenantId, async (tx) => {
    await holdAdmin(tx, principal);
    if (!roleAtLeast(principal.role, input.role)) {
      throw invalidInput(`Must not be higher than your own role, ${principal.role}.`, 'role');
    }
    const made = await createWorkspaceKey(tx, {
      ...input,
      tenantId,
      createdBy: principal.user.id,
      requestId: principal.requestId,
    });
    const [key] = await listShownKeys(tx, { tenantId }, made.id);
    if (!key) throw new Error('a key that was just made is not there');
    return { key, value: made.key };
  });
}

/** Revokes the key for ever. Throws 404 if it is no key of this workspace. */
export async function revokeWorkspaceKey(
  db: Database,
  tenantId: TenantId,
  key: string,
  actor: Actor,
): Promise<void> {
  const id = getId('key', key);
  await tenantTx(db, tenantId, async (tx) => {
    const disabled = orNotFound(await disableKeyOf(tx, { tenantId }, id));
    if (disabled.already) return;
    await recordAudit(tx, actor, 'key.revoke', id, { kind: 'workspace', name: disabled.name });
    tx.changes.addEvent(
      keyEvent('key.revoked', { ...disabled, kind: 'workspace' }, { actorId: actor.actorId, at: new Date() }),
    );
  });
}
