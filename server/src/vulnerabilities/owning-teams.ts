/**
 * Gives vulnerabilities the team that owns their file. An import does it for what it opens; the sweep does it for all of
 * a repository after its CODEOWNERS file, the names of a team, or paths have changed.
 */
import { type Database, importTx, type Tx } from '../db/database.ts';
import type { DueCondition } from '../db/due-tenants.ts';
import type { RepositoryId, TenantId } from '../domain/ids.ts';
import { takeTeamsChanged } from '../inventory/code-owners/code-owners-store.ts';
import { readOwners, teamOf } from '../inventory/code-owners/repository-owners.ts';

/** True in SQL if `sweepTeams` has work. */
export const teamsDue: DueCondition =
  'exists (select 1 from code_owners where tenant_id = asked_tenant and teams_changed)';

// One sweep aligns this many. The others are due again a minute later.
const maxRepositories = 50;

export async function sweepTeams(db: Database, tenantId: TenantId): Promise<void> {
  for (let done = 0; done < maxRepositories; done++) {
    if (!(await importTx(db, tenantId, alignOne))) return;
  }
}

/** Aligns one of the marked repositories. It holds the lock of the repository, so that no import writes meanwhile. */
async function alignOne(tx: Tx): Promise<boolean> {
  const repositoryId = await takeTeamsChanged(tx);
  if (repositoryId === undefined) return false;
  const owners = await readOwners(tx, repositoryId);
  const paths = await listPaths(tx, repositoryId);
  await updateTeams(
    tx,
    repositoryId,
    paths.map((path) => ({ path, team: teamOf(owners, path) })),
  );
  return true;
}

async function listPaths(tx: Tx, repositoryId: RepositoryId): Promise<string[]> {
  const rows = await tx.query<{ path: string }>(
    `select distinct l.path from vulnerability v
       join vulnerability_location l on l.tenant_id = $1 and l.id = v.primary_location_id
      where v.tenant_id = $1 and v.repository_id = $2`,
    [tx.tenantId, repositoryId],
  );
  return rows.map(({ path }) => path);
}

/** Rows that have their team already are not written. */
async function updateTeams(
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
