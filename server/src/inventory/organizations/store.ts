/** SQL of organizations. */

import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import type { OrganizationId, RepositoryId } from '../../domain/ids.ts';
import type { OrganizationType } from '../../domain/organization-enums.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import { type NameSearch, pageByName, replaceNameTerms } from '../name-terms.ts';

export interface OrganizationRow {
  id: OrganizationId;
  name: string;
  full_path: string;
  type: OrganizationType;
  external_id: string;
  orphaned: boolean;
  repositories_count: number;
  created_at: Date;
  updated_at: Date;
}

export interface OrganizationDetailRow extends OrganizationRow {
  description: string | null;
  parent_id: OrganizationId | null;
  parent_name: string | null;
  parent_full_path: string | null;
  has_given_parent: boolean;
}

const columns = `o.id, o.name, o.full_path, o.type, o.external_id, o.orphaned, o.created_at, o.updated_at,
  (select count(*)::int from repository r where r.tenant_id = $1 and r.organization_id = o.id)
    as repositories_count`;

/** Organizations in order of creation, after `afterId`. The results of a search come in the order of their terms. */
export async function listOrganizations(
  tx: Tx,
  { term, ...rest }: NameSearch,
): Promise<(OrganizationRow & { sort_key?: string })[]> {
  if (term !== null) {
    const { values, add } = new Parameters(tx.tenantId);
    const page = pageByName('organization', { term, ...rest }, add);
    return tx.query<OrganizationRow>(
      `select ${columns}, p.sort_key from (${page}) p cross join lateral ${rowByKey('organization o', 'p.id')}
        order by p.sort_key, o.id`,
      values,
    );
  }
  return tx.query<OrganizationRow>(
    `select ${columns} from organization o
      where o.tenant_id = $1 and ($2::uuid is null or o.id > $2) order by o.id limit $3`,
    [tx.tenantId, rest.afterId, rest.limit],
  );
}

export type OrganizationRef = { id: OrganizationId } | { pathKey: string };

export async function findOrganization(
  tx: Tx,
  by: OrganizationRef,
): Promise<OrganizationDetailRow | undefined> {
  const rows = await tx.query<OrganizationDetailRow>(
    `select ${columns}, o.description, o.has_given_parent, p.id as parent_id, p.name as parent_name, p.full_path as parent_full_path
       from organization o left join organization p on p.tenant_id = $1 and p.id = o.parent_id
      where o.tenant_id = $1 and ${'id' in by ? 'o.id' : 'o.path_key'} = $2`,
    [tx.tenantId, 'id' in by ? by.id : by.pathKey],
  );
  return rows[0];
}

export interface ParentRow {
  id: OrganizationId;
  parent_id: OrganizationId | null;
  parent_name: string | null;
  parent_full_path: string | null;
}

/** The parents of these organizations, in the order of the ids; unknown ids are left out. */
export async function listParents(tx: Tx, ids: OrganizationId[]): Promise<ParentRow[]> {
  return tx.query<ParentRow>(
    `select o.id, p.id as parent_id, p.name as parent_name, p.full_path as parent_full_path
       from unnest($2::uuid[]) with ordinality k (id, n)
      cross join lateral (select o.id, o.parent_id from organization o
                           where o.tenant_id = $1 and o.id = k.id limit 1) o
       left join lateral (select p.id, p.name, p.full_path from organization p
                           where p.tenant_id = $1 and p.id = o.parent_id limit 1) p on true
      order by k.n`,
    [tx.tenantId, ids],
  );
}

export interface OrganizationInput {
  id: OrganizationId;
  name: string;
  fullPath: string;
  type: OrganizationType;
  externalId: string;
  orphaned: boolean;
  description: string | null;
  parentId: OrganizationId | null;
  /** An inventory file says the parent, or that there is none. */
  hasGivenParent: boolean;
}

/**
 * Until the transaction ends, no other transaction creates an organization, so that of two new ones with one path below
 * the other the later finds the earlier.
 */
export async function lockOrganizations(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`organizations ${tx.tenantId}`]);
}

/**
 * Returns the organization with the longest path above this one, such as acme/platform above acme/platform/web; null if
 * there is none.
 */
export async function findIdAbove(tx: Tx, path: string): Promise<OrganizationId | null> {
  const parts = nameKeyOf(path).split('/');
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
  const [row] = await tx.query<{ id: OrganizationId }>(
    `select id from organization where tenant_id = $1 and path_key = any($2::text[])
      order by length(path_key) desc limit 1`,
    [tx.tenantId, above],
  );
  return row?.id ?? null;
}

/**
 * Makes a new organization the parent of those with a path below it that have the same parent as it, or none like it.
 * Others stay where an inventory has put them, and so do those above it.
 */
export async function takeThoseBelow(
  tx: Tx,
  { id, fullPath, parentId }: Pick<OrganizationInput, 'id' | 'fullPath' | 'parentId'>,
): Promise<void> {
  await tx.query(
    `with recursive up (id, parent_id) as (
       select o.id, o.parent_id from organization o where o.tenant_id = $1 and o.id = $4
       union
       select o.id, o.parent_id from up join organization o on o.tenant_id = $1 and o.id = up.parent_id)
     update organization set parent_id = $2, updated_at = now()
      where tenant_id = $1 and starts_with(path_key, $3) and parent_id is not distinct from $4 and not has_given_parent
        and id not in (select up.id from up)`,
    [tx.tenantId, id, `${nameKeyOf(fullPath)}/`, parentId],
  );
}

/** Inserts the organization, or updates the one with the same path. Returns its id. */
export async function upsertOrganization(tx: Tx, input: OrganizationInput): Promise<OrganizationId> {
  const rows = await tx.query<{ id: OrganizationId }>(
    `insert into organization (tenant_id, id, name, full_path, path_key, type, external_id, orphaned, description, parent_id, has_given_parent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (tenant_id, path_key) do update set name = excluded.name, full_path = excluded.full_path,
       type = excluded.type, external_id = excluded.external_id, orphaned = excluded.orphaned,
       description = excluded.description, parent_id = excluded.parent_id,
       has_given_parent = excluded.has_given_parent, updated_at = excluded.updated_at
     returning id`,
    [
      tx.tenantId,
      input.id,
      input.name,
      input.fullPath,
      nameKeyOf(input.fullPath),
      input.type,
      input.externalId,
      input.orphaned,
      input.description,
      input.parentId,
      input.hasGivenParent,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('an upsert returned nothing');
  await replaceNameTerms(tx, 'organization', row.id, input.fullPath);
  return row.id;
}

/** The path of one of these organizations that is above itself; undefined if none is. */
export async function findOwnAncestor(tx: Tx, paths: string[]): Promise<string | undefined> {
  // Without "all", the query ends at a circle, because each row comes once.
  const [row] = await tx.query<{ full_path: string }>(
    `with recursive up (id, full_path, parent_id) as (
       select o.id, o.full_path, o.parent_id from organization o where o.tenant_id = $1 and o.path_key = any($2::text[])
       union
       select up.id, up.full_path, o.parent_id from up
         join organization o on o.tenant_id = $1 and o.id = up.parent_id)
     select full_path from up where parent_id = id order by full_path limit 1`,
    [tx.tenantId, keysOf(paths)],
  );
  return row?.full_path;
}

/** The repositories of these organizations and of all below them. */
export async function listRepositoriesUnder(tx: Tx, paths: string[]): Promise<RepositoryId[]> {
  if (paths.length === 0) return [];
  const rows = await tx.query<{ id: RepositoryId }>(
    `with recursive down (id, step) as (
       select o.id, 0 from organization o where o.tenant_id = $1 and o.path_key = any($2::text[])
       union all
       select o.id, down.step + 1 from down
         join organization o on o.tenant_id = $1 and o.parent_id = down.id where down.step < 50)
     select distinct r.id from down join repository r on r.tenant_id = $1 and r.organization_id = down.id`,
    [tx.tenantId, keysOf(paths)],
  );
  return rows.map((row) => row.id);
}

function keysOf(paths: string[]): string[] {
  return paths.map(nameKeyOf);
}
