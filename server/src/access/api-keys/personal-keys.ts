/**
 * Personal keys: those of the person at the console, who cannot see, make or revoke those of others, and the
 * operator's.
 */
import { type Database, type InstallTx, installTx } from '../../db/database.ts';
import { authenticationRequired, invalidInput, orNotFound } from '../../domain/errors.ts';
import { getId, type UserId } from '../../domain/ids.ts';
import type { Caller } from '../../http/principal.ts';
import type { Actor } from '../audit/record.ts';
import { listMembershipsOfUser, type UserMembership } from '../members/lookup.ts';
import { holdSession, lockAccount } from '../users/lookup.ts';
import { listWorkspacesOfUser, type Membership } from '../workspaces/service.ts';
import { recordOnPersonalKey } from './key-events.ts';
import { type CreatedKey, createPersonalKey, type KeyInput } from './service.ts';
import { type DisabledKey, disableKeyOf, disableKeysOfUser, listShownKeys, type ShownKey } from './store.ts';

export async function listOwnKeys(db: Database, { user }: Caller): Promise<ShownKey[]> {
  return installTx(db, (tx) => listShownKeys(tx, { userId: user.id }));
}

/** The user's keys that will open this workspace once the user is a member. */
export async function listOwnKeysFor(db: Database, userId: UserId, slug: string): Promise<ShownKey[]> {
  const keys = await installTx(db, (tx) => listShownKeys(tx, { userId }));
  return keys.filter(
    ({ status, workspaces }) => status === 'Active' && (workspaces === null || workspaces.includes(slug)),
  );
}

export interface NewOwnKey {
  name: string;
  scopes: string[];
  expires: string;
  /** Slugs; null means all workspaces of the user, including those that the user joins later. */
  workspaces: string[] | null;
}

/** Makes a key and returns its value. Throws DomainError, and 401 if the session has ended since the request began. */
export async function createOwnKey(
  db: Database,
  { user, credential }: Caller,
  { workspaces, ...input }: NewOwnKey,
  requestId: string,
): Promise<{ key: ShownKey; value: string }> {
  return installTx(
    db,
    async (tx) => {
      await lockAccount(tx, user.id);
      if (credential.type !== 'session' || !(await holdSession(tx, credential.id))) {
        throw authenticationRequired();
      }
      const opened = openedBy(await listWorkspacesOfUser(tx, user.id), workspaces);
      const made = await createRecordedKey(tx, {
        ...input,
        createdBy: user.id,
        requestId,
        userId: user.id,
        opened: opened.map(({ id, role }) => ({ tenantId: id, role })),
        isRestricted: workspaces !== null,
      });
      const [key] = await listShownKeys(tx, { userId: user.id }, made.id);
      if (!key) throw new Error('a key that was just made is not there');
      return { key, value: made.key };
    },
    user.id,
  );
}

/**
 * Makes a key that opens these workspaces of the user, or with `isRestricted: false` also those that the user joins
 * later. Records it in each of them. Needs a transaction of that user, which afterwards has the last workspace as its
 * tenant. Throws DomainError.
 */
export async function createRecordedKey(
  tx: InstallTx,
  {
    opened,
    isRestricted,
    ...input
  }: KeyInput & { userId: UserId; opened: UserMembership[]; isRestricted: boolean },
): Promise<CreatedKey> {
  const tenantIds = opened.map(({ tenantId }) => tenantId);
  const made = await createPersonalKey(tx, {
    ...input,
    roles: opened.map(({ role }) => role),
    restrictedTo: isRestricted ? tenantIds : null,
  });
  const { id, name, scopes, expiresAt } = made;
  await recordOnPersonalKey(
    tx,
    tenantIds,
    {
      actorId: input.createdBy,
      requestId: input.requestId ?? null,
      action: 'key.create',
      targetId: id,
      data: { kind: 'personal', name, scopes, expires_at: expiresAt?.toISOString() ?? null },
    },
    { id, name, expiresAt },
  );
  return made;
}

// A workspace of others and one that does not exist must get the same answer.
function openedBy(mine: Membership[], slugs: string[] | null): Membership[] {
  if (mine.length === 0) throw invalidInput('You are a member of no workspace.', 'workspaces');
  if (slugs === null) return mine;
  const unknown = slugs.filter((slug) => !mine.some((workspace) => workspace.slug === slug));
  if (unknown.length > 0) {
    throw invalidInput(`You are not a member of ${unknown.join(', ')}.`, 'workspaces');
  }
  return mine.filter(({ slug }) => slugs.includes(slug));
}

/** Revokes the key for ever. Throws 404 if it is no personal key of this user. */
export async function revokePersonalKey(
  db: Database,
  userId: UserId,
  key: string,
  actor: Actor,
): Promise<void> {
  const id = getId('key', key);
  await installTx(
    db,
    async (tx) => {
      const disabled = orNotFound(await disableKeyOf(tx, { userId }, id));
      if (disabled.already) return;
      await recordRevoked(tx, userId, disabled, actor);
    },
    userId,
  );
}

/** Revokes all personal keys for ever, and returns their number. Needs a transaction of that user (`installTx`). */
export async function revokePersonalKeys(tx: InstallTx, userId: UserId, actor: Actor): Promise<number> {
  const disabled = await disableKeysOfUser(tx, userId);
  for (const key of disabled) await recordRevoked(tx, userId, key, actor);
  return disabled.length;
}

/** Records the revocation in each workspace that the key opened. */
async function recordRevoked(tx: InstallTx, userId: UserId, key: DisabledKey, actor: Actor): Promise<void> {
  const memberships = (await listMembershipsOfUser(tx, userId)).map(({ tenantId }) => tenantId);
  const opened = key.restricted
    ? memberships.filter((tenantId) => key.tenantIds.includes(tenantId))
    : memberships;
  await recordOnPersonalKey(
    tx,
    opened,
    {
      ...actor,
      action: 'key.revoke',
      targetId: key.id,
      data: { kind: 'personal', name: key.name },
    },
    key,
  );
}
