/** Personal keys of the person at the console: nobody sees, makes or revokes another's. */
import { type Database, installTx, switchTenant, type Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../errors.ts';
import type { Caller } from '../../http/principal.ts';
import { parseId } from '../../ids.ts';
import { Refusal } from '../../refusal.ts';
import { type Actor, type AuditEntry, recordAudit } from '../audit/record.ts';
import { listMembershipsOfUser } from '../members/lookup.ts';
import { listWorkspacesOfUser, type Membership } from '../tenants/service.ts';
import { createPersonalKey } from './service.ts';
import { disableKeyOf, listShownKeys, type ShownKey } from './store.ts';

export async function listOwnKeys(db: Database, { user }: Caller): Promise<ShownKey[]> {
  return installTx(db, (tx) => listShownKeys(tx, { userId: user.id }));
}

export interface NewOwnKey {
  name: string;
  scopes: string[];
  expires: string;
  /** Slugs; null: wherever the user is a member, from now on too. */
  workspaces: string[] | null;
}

/** Throws Refusal. */
export async function makeOwnKey(
  db: Database,
  { user }: Caller,
  { workspaces, ...input }: NewOwnKey,
  requestId: string,
): Promise<{ key: ShownKey; value: string }> {
  return installTx(
    db,
    async (tx) => {
      const opened = openedBy(await listWorkspacesOfUser(tx, user.id), workspaces);
      const tenantIds = opened.map(({ id }) => id);
      const made = await createPersonalKey(tx, {
        ...input,
        madeBy: user.id,
        userId: user.id,
        roles: opened.map(({ role }) => role),
        restrictedTo: workspaces === null ? null : tenantIds,
      });
      const [key] = await listShownKeys(tx, { userId: user.id }, made.id);
      if (!key) throw new Error('a key that was just made is not there');
      const { name, scopes, expires_at: expiresAt } = key;
      await recordInEach(tx, tenantIds, {
        actorId: user.id,
        requestId,
        action: 'key.create',
        targetType: 'key',
        targetId: made.id,
        data: { kind: 'personal', name, scopes, expires_at: expiresAt?.toISOString() ?? null },
      });
      return { key, value: made.key };
    },
    user.id,
  );
}

// The same answer for a workspace of others and for one that nobody has.
function openedBy(mine: Membership[], slugs: string[] | null): Membership[] {
  if (mine.length === 0) throw new Refusal('invalid', 'you are a member of no workspace', 'workspaces');
  if (slugs === null) return mine;
  const unknown = slugs.filter((slug) => !mine.some((workspace) => workspace.slug === slug));
  if (unknown.length > 0) {
    throw new Refusal('invalid', `you are no member of ${unknown.join(', ')}`, 'workspaces');
  }
  return mine.filter(({ slug }) => slugs.includes(slug));
}

/** For ever. Throws 404 for every key that is not a personal one of this user. */
export async function revokePersonalKey(
  db: Database,
  userId: string,
  key: string,
  actor: Actor,
): Promise<void> {
  const id = parseId('key', key);
  if (id === undefined) throw resourceNotFound();
  await installTx(
    db,
    async (tx) => {
      const disabled = await disableKeyOf(tx, { userId }, id);
      if (!disabled) throw resourceNotFound();
      if (disabled.already) return;
      const memberships = (await listMembershipsOfUser(tx, userId)).map(({ tenantId }) => tenantId);
      const opened = disabled.restricted
        ? memberships.filter((tenantId) => disabled.tenantIds.includes(tenantId))
        : memberships;
      await recordInEach(tx, opened, {
        ...actor,
        action: 'key.revoke',
        targetType: 'key',
        targetId: id,
        data: { kind: 'personal', name: disabled.name },
      });
    },
    userId,
  );
}

/** In each workspace that the key opens. None is told of another. */
export async function recordInEach(tx: Tx, tenantIds: string[], entry: AuditEntry): Promise<void> {
  for (const tenantId of tenantIds) {
    await switchTenant(tx, tenantId);
    await recordAudit(tx, tenantId, [entry]);
  }
}
