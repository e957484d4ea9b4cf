/** SQL of CODEOWNERS files, and of the teams that their names mean. */
import { insertRows, replacing } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { newId, type RepositoryId, type TeamId } from '../../domain/ids.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';

export interface CodeOwnersRow {
  path: string;
  content: string;
  /** An upload does not replace it. */
  set_by_admin: boolean;
  updated_at: Date;
  /** The VCS of the repository. */
  source: RepositorySource;
}

export async function findCodeOwners(tx: Tx, repositoryId: RepositoryId): Promise<CodeOwnersRow | undefined> {
  const [row] = await tx.query<CodeOwnersRow>(
    `select c.path, c.content, c.set_by_admin, c.updated_at, r.source
       from code_owners c join repository r on r.tenant_id = $1 and r.id = c.repository_id
      where c.tenant_id = $1 and c.repository_id = $2`,
    [tx.tenantId, repositoryId],
  );
  return row;
}

/** Writes the file. The sweep gives the vulnerabilities their teams. */
export async function upsertCodeOwners(
  tx: Tx,
  row: {
    repository_id: RepositoryId;
    path: string;
    content: string;
    owners: string[];
    set_by_admin: boolean;
    updated_at: Date;
  },
): Promise<void> {
  const { repository_id: repositoryId, ...columns } = row;
  await insertRows(tx, 'code_owners', [row], {
    conflict: replacing(['repository_id'], Object.keys(columns)),
  });
  await markTeamsChangedIn(tx, [repositoryId]);
}

export interface NamedTeam {
  id: TeamId;
  name: string;
}

/** The teams that these names mean, by the name. */
export async function listOwningTeams(tx: Tx, names: string[]): Promise<Map<string, NamedTeam>> {
  const rows = await tx.query<NamedTeam & { owner_name: string }>(
    `select n.name as owner_name, t.id, t.name
       from team_owner_name n join team t on t.tenant_id = $1 and t.id = n.team_id
      where n.tenant_id = $1 and n.name = any($2::text[])`,
    [tx.tenantId, names],
  );
  return new Map(rows.map(({ owner_name: ownerName, ...team }) => [ownerName, team]));
}

/** Marks the repositories whose files name one of these, after their meaning has changed. */
export async function markTeamsChanged(tx: Tx, ownerNames: string[]): Promise<void> {
  await insertTeamsDue(tx, 'owners && $3::text[]', ownerNames);
}

/** Marks those of these repositories that have a file, after vulnerabilities have moved to other paths. */
export async function markTeamsChangedIn(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  await insertTeamsDue(tx, 'repository_id = any($3::uuid[])', repositoryIds);
}

async function insertTeamsDue(tx: Tx, condition: string, values: string[]): Promise<void> {
  if (values.length === 0) return;
  await tx.query(
    `insert into teams_due (tenant_id, repository_id, id, after_path)
     select tenant_id, repository_id, $2, '' from code_owners where tenant_id = $1 and ${condition}`,
    [tx.tenantId, newId(), values],
  );
}

/** Locks the repository that has waited longest for its teams. Leaves out those that an import has locked. */
export async function lockTeamsDue(tx: Tx): Promise<RepositoryId | undefined> {
  const [row] = await tx.query<{ id: RepositoryId }>(
    `select r.id from teams_due d join repository r on r.tenant_id = $1 and r.id = d.repository_id
      where d.tenant_id = $1 order by d.id limit 1 for no key update of r skip locked`,
    [tx.tenantId],
  );
  return row?.id;
}

/** Deletes what is due in the repository, and returns the paths after which it is. */
export async function deleteTeamsDue(tx: Tx, repositoryId: RepositoryId): Promise<string[]> {
  const rows = await tx.query<{ after: string }>(
    'delete from teams_due where tenant_id = $1 and repository_id = $2 returning after_path as after',
    [tx.tenantId, repositoryId],
  );
  return rows.map(({ after }) => after);
}

/** Makes the teams due in the paths after each of these, behind all that is due already. */
export async function deferTeams(tx: Tx, repositoryId: RepositoryId, afters: string[]): Promise<void> {
  const rows = afters.map((after) => ({ id: newId(), repository_id: repositoryId, after_path: after }));
  await insertRows(tx, 'teams_due', rows);
}
