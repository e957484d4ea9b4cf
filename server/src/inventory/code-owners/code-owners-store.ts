/** SQL of CODEOWNERS files, and of the teams that their names mean. */
import { insertRows, replacing } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, TeamId } from '../../domain/ids.ts';
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
  const { repository_id: _, ...columns } = { ...row, teams_due_after: '' };
  await insertRows(tx, 'code_owners', [{ ...row, teams_due_after: '' }], {
    conflict: replacing(['repository_id'], Object.keys(columns)),
  });
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

/** Marks the files that name one of these, after their meaning has changed. */
export async function markTeamsChanged(tx: Tx, ownerNames: string[]): Promise<void> {
  if (ownerNames.length === 0) return;
  await tx.query(
    `update code_owners set teams_due_after = ''
      where tenant_id = $1 and teams_due_after is distinct from '' and owners && $2::text[]`,
    [tx.tenantId, ownerNames],
  );
}

/** Marks the files of these repositories, after vulnerabilities have moved to other paths. */
export async function markTeamsChangedIn(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  if (repositoryIds.length === 0) return;
  await tx.query(
    `update code_owners set teams_due_after = ''
      where tenant_id = $1 and repository_id = any($2::uuid[]) and teams_due_after is distinct from ''`,
    [tx.tenantId, repositoryIds],
  );
}

/**
 * Locks one of the marked repositories, and returns it with the path after which teams are due. Leaves out those that an
 * import has locked. Those that were begun come last, so that a file that takes long does not hold back the others.
 */
export async function lockTeamsDue(
  tx: Tx,
): Promise<{ repositoryId: RepositoryId; after: string } | undefined> {
  const [row] = await tx.query<{ repositoryId: RepositoryId; after: string }>(
    `select c.repository_id as "repositoryId", c.teams_due_after as after
       from code_owners c join repository r on r.tenant_id = $1 and r.id = c.repository_id
      where c.tenant_id = $1 and c.teams_due_after is not null
      order by c.teams_due_after, c.repository_id limit 1 for no key update skip locked`,
    [tx.tenantId],
  );
  return row;
}

/** The teams are due in the paths after this one; null: in none. */
export async function updateTeamsDue(
  tx: Tx,
  repositoryId: RepositoryId,
  after: string | null,
): Promise<void> {
  await tx.query('update code_owners set teams_due_after = $3 where tenant_id = $1 and repository_id = $2', [
    tx.tenantId,
    repositoryId,
    after,
  ]);
}
