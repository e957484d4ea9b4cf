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

export async function upsertMember(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await tx.query(
    `insert into member (tenant_id, user_id, role) values ($1, $2, $3)
     on conflict (tenant_id, user_id) do update set role = excluded.role, updated_at = now()`,
    [tenantId, userId, roles.indexOf(role)],
  );
}
