/** The queries and checks of memberships that other modules may use. */

import {
  type ChangeTx,
  type Database,
  type InstallTx,
  Parameters,
  type Tx,
  tenantTx,
} from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { addressUnproved, invalidInput, tokenAbilityDenied } from '../../domain/errors.ts';
import { memberRule } from '../../domain/field-rules.ts';
import { parseId, parseUnprefixedId, type TenantId, type UserId } from '../../domain/ids.ts';
import type { Principal, Role } from '../../http/principal.ts';
import { type Actor, actorOf } from '../audit/record.ts';
import { isAddressProved } from '../users/lookup.ts';

export interface UserMembership {
  tenantId: TenantId;
  role: Role;
}

/** Needs a transaction of that user (`installTx` with the user's id), because no tenant is chosen yet. */
export async function listMembershipsOfUser(tx: InstallTx, userId: UserId): Promise<UserMembership[]> {
  const rows = await tx.query<{ tenant_id: TenantId; role: Role }>(
    'select tenant_id, role from member where user_id = $1',
    [userId],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, role: row.role }));
}

export interface Person {
  id: UserId;
  name: string;
  email: string;
}

interface Disabled {
  /** Also members whose account the operator has disabled. They keep what they have, and get nothing new. */
  withDisabled?: boolean;
}

/** The enabled members with one of these user ids or folded e-mail addresses. Service users are no members. */
export async function findMembers(
  tx: Tx,
  { userIds = [], emails = [], withDisabled = false }: { userIds?: UserId[]; emails?: string[] } & Disabled,
): Promise<Person[]> {
  const { values, add } = new Parameters(tx.tenantId);
  // A condition that nobody asks for would keep PostgreSQL from the index of the other.
  const isOneOf = (column: string, type: string, wanted: string[]): string[] =>
    wanted.length === 0 ? [] : [`u.${column} = any(${add(wanted)}::${type}[])`];
  const asked = [...isOneOf('id', 'uuid', userIds), ...isOneOf('email', 'text', emails)];
  if (asked.length === 0) return [];
  return tx.query<Person>(
    `select u.id, u.name, u.email from member m join user_account u on u.id = m.user_id
      where m.tenant_id = $1 ${withDisabled ? '' : 'and u.disabled_at is null'} and (${asked.join(' or ')})`,
    values,
  );
}

/**
 * Finds the person that a caller names by `me`, a user id with or without prefix, or an e-mail address. Throws 422 on
 * `field` for a person who is no member, and for `me` with a workspace key, which has no person.
 */
export async function resolvePerson(
  tx: Tx,
  principal: Pick<Principal, 'user'>,
  text: string,
  field: string,
  { withDisabled = false }: Disabled = {},
): Promise<Person> {
  if (text === 'me') {
    if (principal.user.kind === 'user') return principal.user;
    throw invalidInput('A workspace key has no user, so me is not valid.', field);
  }
  const userId = parseId('user', text) ?? parseUnprefixedId<'user'>(text);
  const named = userId === undefined ? { emails: [foldEmail(text)] } : { userIds: [userId] };
  const [member] = await findMembers(tx, { ...named, withDisabled });
  if (!member) throw invalidInput(memberRule, field);
  return member;
}

/** True if the user is the only enabled admin of the workspace. Needs the tenant's transaction. */
export async function isOnlyAdmin(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from member where tenant_id = $1 and user_id = $2 and role = $3
        and not exists (select 1 from member o join user_account u on u.id = o.user_id
                         where o.tenant_id = $1 and o.user_id <> $2 and o.role = $3 and u.disabled_at is null)`,
    [tx.tenantId, userId, 'admin'],
  );
  return rows.length > 0;
}

/** Throws 403 if the user is no member yet and the address is not proved. Needs the tenant's transaction. */
export async function checkMayJoin(tx: Tx, userId: UserId): Promise<void> {
  if (await isAddressProved(tx, userId)) return;
  if ((await listNonMembers(tx, [userId])).length > 0) throw addressUnproved();
}

/** Returns those of the users who are enabled members, and holds them as members until the transaction ends. */
export async function holdMembers(tx: Tx, userIds: UserId[]): Promise<Set<string>> {
  const rows = await tx.query<{ user_id: UserId }>(
    `select m.user_id from member m join user_account u on u.id = m.user_id
      where m.tenant_id = $1 and m.user_id = any($2::uuid[]) and u.disabled_at is null
      order by m.user_id for key share of m`,
    [tx.tenantId, userIds],
  );
  return new Set(rows.map((row) => row.user_id));
}

/** Returns those of the users who are no members. */
export async function listNonMembers(tx: Tx, userIds: UserId[]): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(
    `select id from unnest($2::uuid[]) id
      where not exists (select 1 from member m where m.tenant_id = $1 and m.user_id = id)`,
    [tx.tenantId, userIds],
  );
  return rows.map((row) => row.id);
}

/**
 * Call this before a lasting action that only an admin may do. Throws 403 for a caller who is no longer an admin since
 * the request began, and holds the role until the transaction ends.
 */
export async function holdAdmin(tx: Tx, { tenant, user }: Principal): Promise<void> {
  // The role of a workspace key never changes.
  if (user.kind === 'service') return;
  const [row] = await tx.query<{ role: Role }>(
    'select role from member where tenant_id = $1 and user_id = $2 for share',
    [tenant.id, user.id],
  );
  if (row === undefined || row.role !== 'admin') throw tokenAbilityDenied({ role: 'admin' });
}

/** Runs `work` in a transaction of an admin, as `holdAdmin` says. */
export async function adminTx<T>(
  db: Database,
  principal: Principal,
  work: (tx: ChangeTx, actor: Actor) => Promise<T>,
): Promise<T> {
  return tenantTx(db, principal.tenant.id, async (tx) => {
    await holdAdmin(tx, principal);
    return work(tx, actorOf(principal));
  });
}

/**
 * A leaked key must not create a permanent admin, so only a person at the console makes somebody an admin. Throws 403.
 */
export function checkMayGive({ credential }: Principal, role: Role): void {
  if (credential.type === 'key' && role === 'admin') {
    throw tokenAbilityDenied({ person: 'Only a person at the console makes admins' });
  }
}
