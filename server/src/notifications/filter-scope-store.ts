/** SQL of the repositories and applications by which a receiver is limited. */
import type { Tx } from '../db/database.ts';
import type { ApplicationId, RepositoryId } from '../domain/ids.ts';

/** The repositories of these applications. */
export async function listRepositoryIdsOf(
  tx: Tx,
  applicationIds: readonly ApplicationId[],
): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `select repository_id as id from application_repository where tenant_id = $1 and application_id = any($2::uuid[])`,
    [tx.tenantId, applicationIds],
  );
  return rows.map(({ id }) => id);
}

/** The names of repositories and applications, by id. An id that is not there any more has none. */
export async function listFilterScopeNames(
  tx: Tx,
  {
    repositoryIds,
    applicationIds,
  }: { repositoryIds: readonly RepositoryId[]; applicationIds: readonly ApplicationId[] },
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; name: string }>(
    `select id, full_name as name from repository where tenant_id = $1 and id = any($2::uuid[])
     union all
     select id, name from application where tenant_id = $1 and id = any($3::uuid[])`,
    [tx.tenantId, repositoryIds, applicationIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function listAllRepositories(tx: Tx): Promise<RepositoryId[]> {
  const rows = await tx.query<{ id: RepositoryId }>('select id from repository where tenant_id = $1', [
    tx.tenantId,
  ]);
  return rows.map(({ id }) => id);
}
