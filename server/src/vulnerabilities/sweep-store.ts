/** SQL of the sweep: what the clock makes due in a workspace, and what is due there. */
import type { Tx } from '../db/database.ts';
import type { DueCondition } from '../db/due-tenants.ts';
import type { ReferenceId, RepositoryId, UserId, VulnerabilityId } from '../domain/ids.ts';

// SQL: the last scan of a reference. If all its reports have failed it has none, so the time of its creation counts.
// The index `reference_quiet` has the same expression. It is not `coalesce`, which PostgreSQL tests only after
// row-level security, so that the index would not find the rows.
const quietSince = 'case when last_scanned_at is null then created_at else last_scanned_at end';

/** True in SQL if `sweepTenant` has work. */
export const vulnerabilitiesDue = (activeDays: number): DueCondition[] => [
  `exists (select 1 from (${assigneesOf('asked_tenant')}) a
     where not exists (select 1 from member m where m.tenant_id = asked_tenant and m.user_id = a.id))`,
  'exists (select 1 from teams_due where tenant_id = asked_tenant)',
  'exists (select 1 from vulnerability where tenant_id = asked_tenant and accepted_until <= asked_at)',
  `exists (select 1 from reference where tenant_id = asked_tenant and active and not tracked
     and ${quietSince} < asked_at - interval '${activeDays} days')`,
  'exists (select 1 from repository where tenant_id = asked_tenant and tracking_changed)',
];

/** Goes from one assignee to the next by the index, independent of the number of rows of each. */
const assigneesOf = (tenantId: string): string =>
  `with recursive assignee (id) as (
     (select assignee_id from vulnerability where tenant_id = ${tenantId} and assignee_id is not null
       order by assignee_id limit 1)
     union all
     select (select v.assignee_id from vulnerability v
              where v.tenant_id = ${tenantId} and v.assignee_id is not null and v.assignee_id > a.id
              order by v.assignee_id limit 1)
       from assignee a where a.id is not null)
   select id from assignee where id is not null`;

/** All users to whom a vulnerability is assigned. */
export async function listAssignedUsers(tx: Tx): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(assigneesOf('$1'), [tx.tenantId]);
  return rows.map((row) => row.id);
}

/** Up to `limit` vulnerabilities that are assigned to the user. */
export async function listAssigned(tx: Tx, userId: UserId, limit: number): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `select id from vulnerability where tenant_id = $1 and assignee_id = $2 limit $3`,
    [tx.tenantId, userId, limit],
  );
  return rows.map((row) => row.id);
}

/** Up to `limit` vulnerabilities whose acceptance has ended, the longest ended first. */
export async function listEndedAcceptances(
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ id: VulnerabilityId; repository_id: RepositoryId }[]> {
  return tx.query(
    `select id, repository_id from vulnerability
      where tenant_id = $1 and accepted_until <= $2 order by accepted_until limit $3`,
    [tx.tenantId, at, limit],
  );
}

export interface QuietReference {
  id: ReferenceId;
  repository_id: RepositoryId;
}

const isQuiet = `active and not tracked and ${quietSince} < $2`;

/** Up to `limit` references that are active and have no scan since `before`, the longest without one first. */
export async function listQuiet(tx: Tx, before: Date, limit: number): Promise<QuietReference[]> {
  return tx.query(
    `select id, repository_id from reference where tenant_id = $1 and ${isQuiet} order by ${quietSince} limit $3`,
    [tx.tenantId, before, limit],
  );
}

/** Marks those of the references as inactive that still have no scan since `before`, and returns them. */
export async function deactivateQuiet(
  tx: Tx,
  before: Date,
  references: QuietReference[],
): Promise<QuietReference[]> {
  return tx.query(
    `update reference set active = false, updated_at = now()
      where tenant_id = $1 and id in (
        select id from reference where tenant_id = $1 and ${isQuiet} and id = any($3::uuid[])
         for no key update skip locked) returning id, repository_id`,
    [tx.tenantId, before, references.map(({ id }) => id)],
  );
}

/** The first paths of the primary locations in the repository after this one, each once, in their order. */
export async function listPaths(
  tx: Tx,
  repositoryId: RepositoryId,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ path: string }>(
    `select distinct l.path from vulnerability v
       join vulnerability_location l on l.tenant_id = $1 and l.id = v.primary_location_id
      where v.tenant_id = $1 and v.repository_id = $2 and l.path > $3 order by l.path limit $4`,
    [tx.tenantId, repositoryId, after, limit],
  );
  return rows.map(({ path }) => path);
}

/** Sets the teams by path. Rows that have their team already are not written. */
export async function updateTeams(
  tx: Tx,
  repositoryId: RepositoryId,
  teams: { path: string; team: string | null }[],
): Promise<void> {
  await tx.query(
    `update vulnerability v set team_id = o.team
       from unnest($3::text[], $4::uuid[]) as o (path, team), vulnerability_location l
      where v.tenant_id = $1 and v.repository_id = $2 and l.tenant_id = $1 and l.id = v.primary_location_id
        and l.path = o.path and v.team_id is distinct from o.team`,
    [tx.tenantId, repositoryId, teams.map(({ path }) => path), teams.map(({ team }) => team)],
  );
}
