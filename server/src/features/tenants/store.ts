/** SQL of workspaces. */
import type { Tx } from '../../db/database.ts';
import type { Tenant } from '../../http/principal.ts';

export async function findTenantBySlug(tx: Tx, slug: string): Promise<Tenant | undefined> {
  const rows = await tx.query<Tenant>(
    'select id, slug, name from tenant where slug = $1',
    [slug],
    'find-tenant',
  );
  return rows[0];
}

export async function insertTenant(tx: Tx, tenant: Tenant): Promise<boolean> {
  const rows = await tx.query(
    'insert into tenant (id, slug, name) values ($1, $2, $3) on conflict (slug) do nothing returning id',
    [tenant.id, tenant.slug, tenant.name],
  );
  return rows.length > 0;
}

export async function listTenants(tx: Tx): Promise<Tenant[]> {
  return tx.query<Tenant>('select id, slug, name from tenant order by slug');
}

/** Workspaces after `afterId` that are in `tenantIds`; in order of creation. */
export async function listTenantsByIds(
  tx: Tx,
  tenantIds: string[],
  afterId: string | null,
  limit: number,
): Promise<Tenant[]> {
  return tx.query<Tenant>(
    `select id, slug, name from tenant
      where id = any($1::uuid[]) and ($2::uuid is null or id > $2) order by id limit $3`,
    [tenantIds, afterId, limit],
  );
}

/** Sets these and leaves the others. */
export async function updateSettings(tx: Tx, id: string, settings: Record<string, unknown>): Promise<void> {
  await tx.query('update tenant set settings = settings || $2::jsonb, updated_at = now() where id = $1', [
    id,
    JSON.stringify(settings),
  ]);
}
