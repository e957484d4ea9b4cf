/** SQL of applications. */
import type { Person } from '../../access/members/lookup.ts';
import { changedNow, insertRows, updateRow } from '../../db/bulk.ts';
import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import type { ApplicationId, RepositoryId, UserId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import { deleteNameTerms, type NameSearch, pageByName, replaceNameTerms } from '../name-terms.ts';

export interface ApplicationRow {
  id: ApplicationId;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface OwnedApplicationRow extends ApplicationRow {
  owner: Person | null;
  is_product: boolean;
}

// JSON as a column, so that the owner is either complete or null.
const owner = `(select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from user_account u
                  where u.id = a.owner_id) as owner`;

/** Applications in order of creation, after `afterId`. The results of a search come in the order of their terms. */
export async function listApplications(
  tx: Tx,
  { term, ...rest }: NameSearch,
): Promise<(ApplicationRow & { sort_key?: string })[]> {
  if (term !== null) {
    const { values, add } = new Parameters(tx.tenantId);
    const page = pageByName('application', { term, ...rest }, add);
    return tx.query<ApplicationRow>(
      `select a.id, a.name, a.description, a.created_at, a.updated_at, p.sort_key
         from (${page}) p cross join lateral ${rowByKey('application a', 'p.id')} order by p.sort_key, a.id`,
      values,
    );
  }
  return tx.query<ApplicationRow>(
    `select id, name, description, created_at, updated_at from application
      where tenant_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [tx.tenantId, rest.afterId, rest.limit],
  );
}

export async function findApplication(tx: Tx, id: ApplicationId): Promise<OwnedApplicationRow | undefined> {
  const [row] = await tx.query<OwnedApplicationRow>(
    `select a.id, a.name, a.description, a.created_at, a.updated_at, a.is_product, ${owner} from application a
      where a.tenant_id = $1 and a.id = $2`,
    [tx.tenantId, id],
  );
  return row;
}

/** True if an application of the workspace is marked as a product. */
export async function hasProducts(tx: Tx): Promise<boolean> {
  const rows = await tx.query('select 1 from application where tenant_id = $1 and is_product limit 1', [
    tx.tenantId,
  ]);
  return rows.length > 0;
}

/** Locks the application until the transaction ends. */
export async function lockApplication(tx: Tx, id: ApplicationId): Promise<OwnedApplicationRow | undefined> {
  const [row] = await tx.query<OwnedApplicationRow>(
    `select a.id, a.name, a.description, a.created_at, a.updated_at, a.is_product, ${owner} from application a
      where a.tenant_id = $1 and a.id = $2 for update of a`,
    [tx.tenantId, id],
  );
  return row;
}

export interface ApplicationRepository {
  id: RepositoryId;
  full_name: string;
}

export async function findIdByName(tx: Tx, nameKey: string): Promise<ApplicationId | undefined> {
  const rows = await tx.query<{ id: ApplicationId }>(
    'select id from application where tenant_id = $1 and name_key = $2',
    [tx.tenantId, nameKey],
  );
  return rows[0]?.id;
}

/** The ids of the repositories of an application; undefined if there is none. */
export async function findApplicationRepositoryIds(
  tx: Tx,
  named: { id: ApplicationId } | { nameKey: string },
): Promise<RepositoryId[] | undefined> {
  const [condition, value] = 'id' in named ? ['a.id', named.id] : ['a.name_key', named.nameKey];
  const [row] = await tx.query<{ ids: RepositoryId[] }>(
    `select array(select x.repository_id from application_repository x
                   where x.tenant_id = $1 and x.application_id = a.id order by x.repository_id) as ids
       from application a where a.tenant_id = $1 and ${condition} = $2`,
    [tx.tenantId, value],
  );
  return row?.ids;
}

/** The repositories of the application by name. */
export async function listRepositoriesOf(tx: Tx, id: ApplicationId): Promise<ApplicationRepository[]> {
  return tx.query<ApplicationRepository>(
    `select r.id, r.full_name
       from application_repository x join repository r on r.tenant_id = $1 and r.id = x.repository_id
      where x.tenant_id = $1 and x.application_id = $2 order by r.name_key`,
    [tx.tenantId, id],
  );
}

/** The number of repositories of each application and its owner, in the order of the ids; unknown ids are left out. */
export async function countApplicationRepositories(
  tx: Tx,
  ids: ApplicationId[],
): Promise<{ id: ApplicationId; repositories: number; owner: Person | null }[]> {
  return tx.query(
    `select a.id, (select count(*)::int from application_repository x
                    where x.tenant_id = $1 and x.application_id = a.id) as repositories, ${owner}
       from unnest($2::uuid[]) with ordinality k (id, n)
      cross join lateral (select a.id, a.owner_id from application a where a.tenant_id = $1 and a.id = k.id limit 1) a
      order by k.n`,
    [tx.tenantId, ids],
  );
}

/** The repositories of the workspace with one of these ids. */
export async function listKnownRepositories(tx: Tx, ids: RepositoryId[]): Promise<ApplicationRepository[]> {
  return tx.query<ApplicationRepository>(
    `select r.id, r.full_name from unnest($2::uuid[]) k (id)
       join repository r on r.tenant_id = $1 and r.id = k.id`,
    [tx.tenantId, ids],
  );
}

interface WrittenApplication {
  id: ApplicationId;
  name: string;
  description: string | null;
  ownerId: UserId | null;
  isProduct: boolean;
}

/** False if an application has that name. */
export async function insertApplication(
  tx: Tx,
  { id, name, description, ownerId, isProduct }: WrittenApplication,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into application (tenant_id, id, name, name_key, description, owner_id, is_product)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, name_key) do nothing returning id`,
    [tx.tenantId, id, name, nameKeyOf(name), description, ownerId, isProduct],
  );
  if (rows.length > 0) await replaceNameTerms(tx, 'application', id, name);
  return rows.length > 0;
}

/** Fails with a unique violation if another application has the name. */
export async function updateApplication(
  tx: Tx,
  { id, name, description, ownerId, isProduct }: WrittenApplication,
): Promise<void> {
  const fields = {
    name,
    name_key: nameKeyOf(name),
    description,
    owner_id: ownerId,
    is_product: isProduct,
  };
  await updateRow(tx, 'application', id, fields, changedNow);
  await replaceNameTerms(tx, 'application', id, name);
}

/** Leaves the applications of this user without an owner, before the membership ends. */
export async function disownApplications(tx: Tx, userId: UserId): Promise<void> {
  await tx.query('update application set owner_id = null where tenant_id = $1 and owner_id = $2', [
    tx.tenantId,
    userId,
  ]);
}

/** Deletes the application and its list of repositories. */
export async function deleteApplication(tx: Tx, id: ApplicationId): Promise<void> {
  await tx.query('delete from application where tenant_id = $1 and id = $2', [tx.tenantId, id]);
  await deleteNameTerms(tx, id);
}

/**
 * Inserts the application, or updates the one with the same name, and locks it until the transaction ends. A
 * description that is undefined stays. Returns its id.
 */
export async function upsertApplication(
  tx: Tx,
  { id, name, description }: { id: ApplicationId; name: string; description: string | null | undefined },
): Promise<ApplicationId> {
  const [row] = await tx.query<{ id: ApplicationId }>(
    `insert into application (tenant_id, id, name, name_key, description) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, name_key) do update
       set name = excluded.name, updated_at = excluded.updated_at,
           description = case when $6 then excluded.description else application.description end
     returning id`,
    [tx.tenantId, id, name, nameKeyOf(name), description ?? null, description !== undefined],
  );
  if (!row) throw new Error('an upsert returned nothing');
  await replaceNameTerms(tx, 'application', row.id, name);
  return row.id;
}

/** Sets the repositories to exactly these. Returns the ids of the added and removed repositories. */
export async function setRepositories(
  tx: Tx,
  id: ApplicationId,
  repositoryIds: RepositoryId[],
): Promise<{ added: RepositoryId[]; removed: RepositoryId[] }> {
  const removed = await tx.query<{ repository_id: RepositoryId }>(
    `delete from application_repository
      where tenant_id = $1 and application_id = $2 and repository_id <> all($3::uuid[]) returning repository_id`,
    [tx.tenantId, id, repositoryIds],
  );
  const added = await insertRows<{ repository_id: RepositoryId }>(
    tx,
    'application_repository',
    repositoryIds.map((repository_id) => ({ repository_id, application_id: id })),
    { conflict: 'do nothing', returning: 'repository_id' },
  );
  const idsOf = (rows: { repository_id: RepositoryId }[]) => rows.map((each) => each.repository_id);
  return { added: idsOf(added), removed: idsOf(removed) };
}
