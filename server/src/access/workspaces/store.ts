/** SQL of workspaces. */

import type { InstallTx, Tx } from '../../db/database.ts';
import type { Forge } from '../../domain/forge.ts';
import { nilId, type TenantId } from '../../domain/ids.ts';
import { isOpenIn, unpackState } from '../../domain/packed-state.ts';
import type { Tenant } from '../../http/principal.ts';

export async function insertTenant(tx: InstallTx, tenant: Tenant): Promise<boolean> {
  const rows = await tx.query(
    'insert into tenant (id, slug, name) values ($1, $2, $3) on conflict (slug) do nothing returning id',
    [tenant.id, tenant.slug, tenant.name],
  );
  return rows.length > 0;
}

/** Makes the row beside which a set is inserted (`db/bulk.ts`). */
export async function insertAnchor(tx: Tx): Promise<void> {
  await tx.query('insert into tenant_anchor (tenant_id) values ($1)', [tx.tenantId]);
}

export async function listTenants(tx: InstallTx): Promise<Tenant[]> {
  return tx.query<Tenant>('select id, slug, name from tenant where deleted_at is null order by slug');
}

/** Workspaces of `tenantIds` after `afterId`, in order of creation. */
export async function listTenantsByIds(
  tx: InstallTx,
  tenantIds: TenantId[],
  afterId: TenantId | null,
  limit: number,
): Promise<Tenant[]> {
  return tx.query<Tenant>(
    `select id, slug, name from tenant
      where id = any($1::bigint[]) and deleted_at is null and ($2::bigint is null or id > $2) order by id limit $3`,
    [tenantIds, afterId, limit],
  );
}

/** Sets these settings and keeps the others. */
export async function updateSettings(tx: Tx, id: TenantId, settings: Record<string, unknown>): Promise<void> {
  await tx.query('update tenant set settings = settings || $2::jsonb, updated_at = now() where id = $1', [
    id,
    JSON.stringify(settings),
  ]);
}

export interface WorkspaceCounts {
  repositories: number;
  /** The number of vulnerabilities that are open on tracked references. */
  open: number;
}

/** Needs the tenant's transaction. */
export async function countOf(tx: Tx): Promise<WorkspaceCounts> {
  const [repositories, packedStates] = await Promise.all([
    tx.query<{ n: number }>('select count(*)::int as n from repository where tenant_id = $1', [tx.tenantId]),
    tx.query<{ packed_state: number; n: number }>(
      `select packed_state, count as n from vulnerability_count where tenant_id = $1 and scope = $2 and key = '${nilId}' and count > 0`,
      [tx.tenantId, 'workspace'],
    ),
  ]);
  const open = packedStates.filter(({ packed_state: packedState }) =>
    isOpenIn(unpackState(packedState), 'tracked'),
  );
  return { repositories: repositories[0]?.n ?? 0, open: open.reduce((sum, { n }) => sum + n, 0) };
}

export async function findSlug(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ slug: string }>('select slug from tenant where id = $1', [tx.tenantId]);
  return row?.slug ?? '';
}

/** Locks the workspace until the transaction ends and returns its name. */
export async function lockName(tx: Tx, id: TenantId): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>('select name from tenant where id = $1 for no key update', [
    id,
  ]);
  return row?.name;
}

export async function updateName(tx: Tx, id: TenantId, name: string): Promise<void> {
  await tx.query('update tenant set name = $2, updated_at = now() where id = $1', [id, name]);
}

/**
 * Says that a search for due deliveries must ask the workspace. The row stays locked until the transaction ends, so
 * that two of them do not exceed the number of webhooks together.
 */
export async function setHasWebhooks(tx: Tx): Promise<void> {
  await tx.query('update tenant set has_webhooks = true where id = $1', [tx.tenantId]);
}

/** Says that a search for due issues must ask the workspace, as `setHasWebhooks`. */
export async function setHasIssueTrackers(tx: Tx): Promise<void> {
  await tx.query('update tenant set has_issue_trackers = true where id = $1', [tx.tenantId]);
}

/** Locks the workspace until the transaction ends and returns its own settings. */
export async function lockSettings(tx: Tx): Promise<WorkspaceRow['settings']> {
  const [row] = await tx.query<Pick<WorkspaceRow, 'settings'>>(
    'select settings from tenant where id = $1 for no key update',
    [tx.tenantId],
  );
  return row?.settings ?? {};
}

/** Sets the names of tracked branches. Returns the previous names. */
export async function updateWorkspaceTracking(tx: Tx, names: string[]): Promise<string[]> {
  const [row] = await tx.query<{ names: string[] }>(
    `update tenant t set tracked_branches = $2, updated_at = now()
       from (select tracked_branches as names from tenant where id = $1 for no key update) o
      where t.id = $1 returning o.names`,
    [tx.tenantId, names],
  );
  return row?.names ?? [];
}

export interface WorkspaceSettings {
  new_repositories?: string;
  forges?: Forge[];
  advisory_matching?: string;
  assign_owners?: string;
  exposed_environments?: string[];
}

export interface WorkspaceRow extends Tenant {
  settings: WorkspaceSettings;
  tracked_branches: string[];
  created_at: Date;
}

export async function findWorkspace(tx: InstallTx, id: TenantId): Promise<WorkspaceRow | undefined> {
  const [row] = await tx.query<WorkspaceRow>(
    'select id, slug, name, settings, tracked_branches, created_at from tenant where id = $1',
    [id],
  );
  return row;
}
