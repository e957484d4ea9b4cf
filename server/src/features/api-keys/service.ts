/** Making and revoking API keys: names, scopes, expiry, restriction. For sessions and the operator, never for a key. */
import type { Tx } from '../../db/database.ts';
import { type Role, roleAtLeast, roleForScope, type Scope, scopes } from '../../http/principal.ts';
import { formatId, newId } from '../../ids.ts';
import { checkedName } from '../../plain-name.ts';
import { Refusal } from '../../refusal.ts';
import { recordAudit } from '../audit/record.ts';
import { createServiceUser } from '../users/service.ts';
import { hashKey, makeKeyString } from './key-string.ts';
import { insertKey } from './store.ts';

export interface MadeKey {
  id: string;
  /** Shown once; only its digest is stored. */
  key: string;
}

interface CommonInput {
  name: string;
  scopes: string[];
  /** `90d`, a date, `never`. */
  expires: string;
  madeBy: string | null;
  requestId?: string;
}

/** A personal key acts as the user: wherever the user is a member, or only in `restrictedTo`. */
export async function createPersonalKey(
  tx: Tx,
  input: CommonInput & {
    userId: string;
    /** What the user is where the key will be valid. */
    roles: Role[];
    restrictedTo: string[] | null;
  },
): Promise<MadeKey> {
  return createKey(tx, input, input.roles, {
    kind: 'personal',
    userId: input.userId,
    tenantId: null,
    role: null,
    restrictedTo: input.restrictedTo,
  });
}

/** A workspace key has an actor of its own, a service user. */
export async function createWorkspaceKey(
  tx: Tx,
  input: CommonInput & { tenantId: string; role: Role },
): Promise<MadeKey> {
  const id = newId();
  const name = checkedName(input.name, 'name');
  const userId = await createServiceUser(tx, `${formatId('key', id)}@service.invalid`, name);
  const made = await createKey(
    tx,
    input,
    [input.role],
    { kind: 'workspace', userId, tenantId: input.tenantId, role: input.role, restrictedTo: null },
    id,
  );
  await recordAudit(tx, input.tenantId, [
    {
      actorId: input.madeBy,
      requestId: input.requestId ?? null,
      action: 'key.create',
      targetType: 'key',
      targetId: id,
      data: { kind: 'workspace', name, scopes: input.scopes, role: input.role },
    },
  ]);
  return made;
}

async function createKey(
  tx: Tx,
  input: CommonInput,
  held: Role[],
  owner: {
    kind: 'personal' | 'workspace';
    userId: string;
    tenantId: string | null;
    role: Role | null;
    restrictedTo: string[] | null;
  },
  id: string = newId(),
): Promise<MadeKey> {
  const key = makeKeyString(owner.kind);
  await insertKey(tx, {
    ...owner,
    id,
    name: checkedName(input.name, 'name'),
    scopes: checkedScopes(input.scopes, held),
    expiresAt: expiryOf(input.expires, new Date()),
    sha256: hashKey(key),
    lastFour: key.slice(-4),
    madeBy: input.madeBy,
  });
  return { id, key };
}

function checkedScopes(names: string[], held: Role[]): Scope[] {
  const known = names.filter((name): name is Scope => (scopes as readonly string[]).includes(name));
  const unknown = names.filter((name) => !(scopes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new Refusal(
      'invalid',
      `no such scope: ${unknown.join(', ')}; there are ${scopes.join(', ')}`,
      'scopes',
    );
  }
  if (known.length === 0) throw new Refusal('invalid', 'a key needs a scope at least', 'scopes');
  for (const scope of known) {
    const needed = roleForScope(scope);
    if (!held.some((role) => roleAtLeast(role, needed))) {
      throw new Refusal('invalid', `${scope} takes the role ${needed}`, 'scopes');
    }
  }
  return [...new Set(known)];
}

const expiryDays = [7, 30, 60, 90, 180, 365];
/** What is offered beside a date. */
export const offeredExpiries = [...expiryDays.map((days) => `${days}d`), 'never'];
export const defaultExpiry = '90d';

/** `90d`, `2027-01-31` (to its last second, UTC), `never` → the instant, null for none. */
export function expiryOf(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const days = /^([0-9]{1,3})d$/.exec(text)?.[1];
  if (days !== undefined && expiryDays.includes(Number(days))) {
    return new Date(now.getTime() + Number(days) * 24 * 3600 * 1000);
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const end = new Date(`${text}T23:59:59Z`);
    // A day that no month has is rolled over by the parser: 31 February is no date.
    if (!Number.isNaN(end.getTime()) && end.toISOString().startsWith(text)) {
      if (end <= now) throw new Refusal('invalid', `${text} is past`, 'expires');
      return end;
    }
  }
  const allowed = `${offeredExpiries.slice(0, -1).join(', ')}, a date such as 2027-01-31, or never`;
  throw new Refusal('invalid', `${text}: must be one of ${allowed}`, 'expires');
}
