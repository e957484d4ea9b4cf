/** Creates and revokes API keys, for sessions and the operator. A key must never create or revoke keys. */
import type { ChangeTx, InstallTx, Tx } from '../../db/database.ts';
import { invalidInput, invalidTransition } from '../../domain/errors.ts';
import {
  formatId,
  type KeyId,
  newId,
  type TenantId,
  type TrustRuleId,
  type UserId,
} from '../../domain/ids.ts';
import { checkedName } from '../../domain/plain-name.ts';
import { dayMs } from '../../domain/time.ts';
import {
  type KeyBinding,
  type KeyScope,
  type Role,
  roleAtLeast,
  roleForScope,
  scopes,
} from '../../http/principal.ts';
import { recordAudit } from '../audit/record.ts';
import { listMembershipsOfUser } from '../members/lookup.ts';
import { lockAccount } from '../users/lookup.ts';
import { createServiceUser } from '../users/service.ts';
import { serviceAccountEmail } from '../users/service-account.ts';
import { keyEvent } from './key-events.ts';
import { hashKey, newKeyString } from './key-string.ts';
import { countActiveKeys, insertKey, lockWorkspace } from './store.ts';

export interface CreatedKey {
  id: KeyId;
  name: string;
  scopes: KeyScope[];
  expiresAt: Date | null;
  /** The value is shown once; only its digest is stored. */
  key: string;
}

export interface KeyInput {
  name: string;
  scopes: string[];
  /** A period such as `90d`, a date, or `never`. */
  expires: string;
  createdBy: UserId | null;
  requestId?: string;
}

// A person keeps a key for each machine and script and must still find the one to revoke, so fifty is a long list. A
// workspace keeps one for each pipeline and integration.
const maxPersonalKeys = 50;
const maxWorkspaceKeys = 500;

/**
 * A personal key acts as the user in all workspaces of the user, or only in `restrictedTo`. While the address of the
 * account is not proved, the key opens at most the workspaces that the user is in now, because another person may get
 * the account later. Needs a transaction of that user (`installTx` with the user's id). Throws DomainError, and 409 if
 * there are too many keys.
 */
export async function createPersonalKey(
  tx: InstallTx,
  input: KeyInput & {
    userId: UserId;
    /** The roles of the user in the workspaces that the key will open. */
    roles: Role[];
    restrictedTo: string[] | null;
  },
): Promise<CreatedKey> {
  const { userId, restrictedTo } = input;
  const { isProved } = await lockAccount(tx, userId);
  await checkRoom(tx, { userId }, maxPersonalKeys);
  const memberOf = (await listMembershipsOfUser(tx, userId)).map(({ tenantId }) => tenantId);
  return createKey(tx, input, input.roles, {
    kind: 'personal',
    userId,
    tenantId: null,
    role: null,
    restrictedTo: isProved ? restrictedTo : memberOf.filter((id) => restrictedTo?.includes(id) ?? true),
  });
}

/** Makes a workspace key with its own actor, a service user. Throws DomainError, and 409 if there are too many keys. */
export async function createWorkspaceKey(
  tx: ChangeTx,
  input: KeyInput & { tenantId: TenantId; role: Role },
): Promise<CreatedKey> {
  await lockWorkspace(tx);
  await checkRoom(tx, { tenantId: input.tenantId }, maxWorkspaceKeys);
  const id = newId<'key'>();
  const name = checkedName(input.name, 'name');
  const userId = await createServiceUser(tx, serviceAccountEmail(input.tenantId, 'key', id), name);
  const made = await createKey(
    tx,
    input,
    [input.role],
    { kind: 'workspace', userId, tenantId: input.tenantId, role: input.role, restrictedTo: null },
    id,
  );
  await recordAudit(tx, { actorId: input.createdBy, requestId: input.requestId ?? null }, 'key.create', id, {
    kind: 'workspace',
    name,
    scopes: made.scopes,
    role: input.role,
  });
  tx.changes.addEvent(
    keyEvent('key.created', { ...made, kind: 'workspace' }, { actorId: input.createdBy, at: new Date() }),
  );
  return made;
}

// A run uploads its reports and waits for the verdict within this time.
const runKeyMinutes = 15;
/** The scopes of a run of CI: it uploads, and reads the result. */
const runKeyScopes: KeyScope[] = ['scans:read', 'scans:write'];

/** The key of one run of CI. */
export interface RunKey extends CreatedKey {
  expiresAt: Date;
}

/** Makes a key of fifteen minutes for a run of CI, as the service user of its trust rule, bound to a repository. */
export async function createRunKey(
  tx: Tx,
  rule: { id: TrustRuleId; userId: UserId },
  binding: KeyBinding,
  name: string,
  requestId: string,
): Promise<RunKey> {
  const id = newId<'key'>();
  const key = newKeyString('workspace');
  const expiresAt = new Date(Date.now() + runKeyMinutes * 60_000);
  await insertKey(tx, {
    id,
    kind: 'workspace',
    userId: rule.userId,
    tenantId: tx.tenantId,
    role: 'member',
    name,
    sha256: hashKey(key),
    lastFour: key.slice(-4),
    scopes: runKeyScopes,
    restrictedTo: null,
    expiresAt,
    createdBy: null,
    boundBy: { ...binding, trustRuleId: rule.id },
  });
  await recordAudit(tx, { actorId: rule.userId, requestId }, 'key.create', id, {
    kind: 'workspace',
    name,
    scopes: runKeyScopes,
    role: 'member',
    trust_rule: formatId('trustRule', rule.id),
    repository: formatId('repository', binding.repositoryId),
  });
  return { id, name, scopes: runKeyScopes, expiresAt, key };
}

// The caller must have locked the owner, so that two keys that are created at the same time are counted one after the
// other.
async function checkRoom(
  tx: InstallTx,
  of: { userId: UserId } | { tenantId: TenantId },
  most: number,
): Promise<void> {
  if ((await countActiveKeys(tx, of)) < most) return;
  const whose = 'userId' in of ? 'user' : 'workspace';
  throw invalidTransition(
    `This ${whose} has ${most} active keys, which is the limit: revoke one that is no longer used.`,
  );
}

async function createKey(
  tx: InstallTx,
  input: KeyInput,
  held: Role[],
  owner: {
    kind: 'personal' | 'workspace';
    userId: UserId;
    tenantId: TenantId | null;
    role: Role | null;
    restrictedTo: string[] | null;
  },
  id: KeyId = newId(),
): Promise<CreatedKey> {
  const key = newKeyString(owner.kind);
  const createdAt = new Date();
  const expiresAt = expiryOf(input.expires, createdAt);
  const name = checkedName(input.name, 'name');
  const scopes = checkedScopes(input.scopes, held);
  await insertKey(tx, {
    ...owner,
    id,
    name,
    scopes,
    createdAt,
    expiresAt,
    sha256: hashKey(key),
    lastFour: key.slice(-4),
    createdBy: input.createdBy,
  });
  return { id, name, scopes, expiresAt, key };
}

function checkedScopes(names: string[], held: Role[]): KeyScope[] {
  const known = names.filter((name): name is KeyScope => (scopes as readonly string[]).includes(name));
  const unknown = names.filter((name) => !(scopes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw invalidInput(
      `No such scope: ${unknown.join(', ')}. The scopes are ${scopes.join(', ')}.`,
      'scopes',
    );
  }
  if (known.length === 0) throw invalidInput('A key needs at least one scope.', 'scopes');
  for (const scope of known) {
    const needed = roleForScope(scope);
    if (!held.some((role) => roleAtLeast(role, needed))) {
      throw invalidInput(`The scope ${scope} needs the role ${needed}.`, 'scopes');
    }
  }
  return [...new Set(known)];
}

const expiryDays = [7, 30, 60, 90, 180, 365];
/** The expiries that are offered in addition to a date. */
export const offeredExpiries = [...expiryDays.map((days) => `${days}d`), 'never'];
export const defaultExpiry = '90d';

/**
 * Parses `90d`, `2027-01-31` (to its last second, UTC) or `never` into a time, null for `never`. Throws DomainError for
 * any other text, and for a date in the past.
 */
export function expiryOf(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const days = /^([0-9]{1,3})d$/.exec(text)?.[1];
  if (days !== undefined && expiryDays.includes(Number(days))) {
    return new Date(now.getTime() + Number(days) * dayMs);
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const end = new Date(`${text}T23:59:59Z`);
    // The parser rolls over a day that the month does not have, such as 31 February, so the text is compared.
    if (!Number.isNaN(end.getTime()) && end.toISOString().startsWith(text)) {
      if (end <= now) throw invalidInput(`The date ${text} is in the past.`, 'expires');
      return end;
    }
  }
  const allowed = `${offeredExpiries.slice(0, -1).join(', ')}, a date such as 2027-01-31, or never`;
  throw invalidInput(`Must be one of ${allowed}, not "${text}".`, 'expires');
}
