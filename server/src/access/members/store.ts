/** SQL of memberships: the members of a workspace with their roles. */
import type { Tx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Role } from '../../http/principal.ts';

/** Returns the user's previous role; undefined for a new member. */
export async function upsertMember(tx: Tx, userId: UserId, role: Role): Promise<Role | undefined> {
  const values = [tx.tenantId, userId];
  const reading = tx.query<{ role: Role }>(
    'select role from member where tenant_id = $1 and user_id = $2 for update',
    values,
  );
  await tx.query(
    `insert into member (tenant_id, user_id, role) values ($1, $2, $3)
     on conflict (tenant_id, user_id) do update set role = excluded.role, updated_at = excluded.updated_at`,
    [...values, role],
  );
  const [before] = await reading;
  return before?.role;
}

/** Returns false and changes nothing if the user is already a member. */
export async function insertMember(tx: Tx, userId: UserId, role: Role): Promise<boolean> {
  const rows = await tx.query(
    `insert into member (tenant_id, user_id, role) values ($1, $2, $3)
     on conflict (tenant_id, user_id) do nothing returning user_id`,
    [tx.tenantId, userId, role],
  );
  return rows.length > 0;
}

export interface MemberRow {
  id: UserId;
  name: string;
  email: string;
  role: Role;
  since: Date;
  last_seen_at: Date | null;
}

/** All members by name; with `userId` only that one. */
export async function listMembers(tx: Tx, userId: UserId | null = null): Promise<MemberRow[]> {
  const members = await tx.query<MemberRow>(
    `select u.id, u.name, u.email, m.role, m.created_at as since,
            (select max(k.last_used_at) from api_key k where k.user_id = u.id and (not k.restricted
                or exists (select 1 from api_key_tenant t where t.api_key_id = k.id and t.tenant_id = $1)))
              as last_seen_at
       from member m join user_account u on u.id = m.user_id
      where m.tenant_id = $1 and ($2::uuid is null or m.user_id = $2) order by lower(u.name), u.id`,
    [tx.tenantId, userId],
  );
  // On Citus, sessions are in another place than members.
  const sessions = await tx.query<{ user_id: UserId; at: Date }>(
    'select user_id, max(updated_at) as at from user_session where user_id = any($1::uuid[]) group by 1',
    [members.map(({ id }) => id)],
  );
  const bySession = new Map(sessions.map(({ user_id, at }) => [user_id, at]));
  return members.map((member) => ({
    ...member,
    last_seen_at: later(member.last_seen_at, bySession.get(member.id)),
  }));
}

function later(one: Date | null, other: Date | undefined): Date | null {
  if (one === null || other === undefined) return one ?? other ?? null;
  return one > other ? one : other;
}

export interface LockedMember {
  user_id: UserId;
  role: Role;
  is_enabled: boolean;
}

/** Locks the admins and this member until the transaction ends, always in the same order, to avoid deadlocks. */
export async function lockAdminsAnd(tx: Tx, userId: UserId): Promise<LockedMember[]> {
  return tx.query<LockedMember>(
    `select m.user_id, m.role, u.disabled_at is null as is_enabled
       from member m join user_account u on u.id = m.user_id
      where m.tenant_id = $1 and (m.role = $3 or m.user_id = $2) order by m.user_id for update of m`,
    [tx.tenantId, userId, 'admin'],
  );
}

export async function updateRole(tx: Tx, userId: UserId, role: Role): Promise<void> {
  await tx.query('update member set role = $3, updated_at = now() where tenant_id = $1 and user_id = $2', [
    tx.tenantId,
    userId,
    role,
  ]);
}

export async function deleteMember(tx: Tx, userId: UserId): Promise<void> {
  await tx.query('delete from member where tenant_id = $1 and user_id = $2', [tx.tenantId, userId]);
}
