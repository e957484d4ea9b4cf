/** SQL of the scopes that contain repositories, for the rules of policies. */
import type { Tx } from '../../db/database.ts';
import type { ApplicationId, OrganizationId, RepositoryId } from '../../domain/ids.ts';
import type { RepositoryScopes } from './rules.ts';

/** Repository id → the scopes that contain it. */
export async function listRepositoryScopes(
  tx: Tx,
  repositoryIds: RepositoryId[],
): Promise<Map<RepositoryId, RepositoryScopes>> {
  const rows = await tx.query<{
    id: RepositoryId;
    applications: ApplicationId[];
    organizations: OrganizationId[];
  }>(
    `select r.id,
            array(select x.application_id from application_repository x
                   where x.tenant_id = $1 and x.repository_id = r.id)::text[] as applications,
            array(with recursive up (id, parent_id, step) as (
                    select o.id, o.parent_id, 0 from organization o
                     where o.tenant_id = $1 and o.id = r.organization_id
                    union all
                    select o.id, o.parent_id, up.step + 1 from up
                      join organization o on o.tenant_id = $1 and o.id = up.parent_id where up.step < 50)
                  select id from up order by step)::text[] as organizations
       from repository r where r.tenant_id = $1 and r.id = any($2::uuid[])`,
    [tx.tenantId, repositoryIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { repositoryId: row.id, applicationIds: row.applications, organizationIds: row.organizations },
    ]),
  );
}
