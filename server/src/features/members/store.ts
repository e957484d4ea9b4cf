/** SQL of memberships: which role a user has in a workspace. */
import type { Tx } from '../../db/database.ts';
import { type Role, roles } from '../../http/principal.ts';

/** Needs the tenant's transaction. */
export async function findRole(tx: Tx, tenantId: string, userId: string): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: number }>(
    'select role from member where tenant_id = $1 and user_id = $2',
    [tenantId, userId],
    'find-role',
  );
  return row && roles[row.role];
}

/** Needs a transaction of that user (`installTx` with the user's id): no tenant is chosen yet. */
export async function listMembershipsOfUser(
  tx: Tx,
  userId: string,
): Promise<{ tenantId: string; role: Role }[]> {
  const rows = await tx.query<{ tenant_id: string; role: number }>(
    'select tenant_id, role from member where user_id = $1',
    [userId],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, role: roles[row.role] ?? 'viewer' }));
}

export async function upsertMember(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await tx.query(
    `insert into member (tenant_id, user_id, role) values ($1, $2, $3)
     on conflict (tenant_id, user_id) do update set role = excluded.role, updated_at = now()`,
    [tenantId, userId, roles.indexOf(role)],
  );
}

export interface Person {
  id: string;
  name: string;
  email: string;
}

/** A member by user id or by e-mail (lower case). Service users are no members. */
export async function findMember(
  tx: Tx,
  tenantId: string,
  by: { userId: string } | { email: string },
): Promise<Person | undefined> {
  const rows = await tx.query<Person>(
    `select u.id, u.name, u.email from user_account u join member m on m.user_id = u.id
      where m.tenant_id = $1 and ${'userId' in by ? 'u.id' : 'u.email'} = $2 and u.disabled_at is null`,
    [tenantId, 'userId' in by ? by.userId : by.email],
  );
  return rows[0];
}
