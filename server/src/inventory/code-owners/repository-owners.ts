/** The owners of the paths of a repository: its CODEOWNERS file, with the teams and members that its names mean. */
import { findMembers, type Person } from '../../access/members/lookup.ts';
import type { Tx } from '../../db/database.ts';
import { CodeOwners, type CodeOwnersSyntax } from '../../domain/code-owners.ts';
import type { RepositoryId, TeamId } from '../../domain/ids.ts';
import { type CodeOwnersRow, findCodeOwners, listOwningTeams, type NamedTeam } from './code-owners-store.ts';

/** A name that the file gives to a path. Without team and person it means nobody in the workspace. */
export interface PathOwner {
  name: string;
  /** The line of the rule, from 1. */
  line: number;
  team: NamedTeam | null;
  person: Person | null;
}

export interface RepositoryOwners {
  row: CodeOwnersRow;
  file: CodeOwners;
  /** In the order of the file, each name once. */
  ownersOf: (path: string) => PathOwner[];
  /** The meaning of a name of the file. */
  meaningOf: (name: string) => Pick<PathOwner, 'team' | 'person'>;
}

export function syntaxOf({ path, source }: { path: string; source: string }): CodeOwnersSyntax {
  return source === 'gitlab' || path.startsWith('.gitlab/') ? 'gitlab' : 'github';
}

/** Null for a repository without a CODEOWNERS file. `maxSteps` is the budget of the file for comparisons. */
export async function readOwners(
  tx: Tx,
  repositoryId: RepositoryId,
  maxSteps?: number,
): Promise<RepositoryOwners | null> {
  const row = await findCodeOwners(tx, repositoryId);
  if (!row || row.content === '') return null;
  const file = new CodeOwners(row.content, syntaxOf(row), maxSteps);
  const { owners } = file;
  const [teams, people] = await Promise.all([
    listOwningTeams(tx, owners),
    findMembers(tx, { emails: owners.filter((name) => !name.startsWith('@')) }),
  ]);
  const byEmail = new Map(people.map((person) => [person.email, person]));
  const meaningOf = (name: string) => ({ team: teams.get(name) ?? null, person: byEmail.get(name) ?? null });
  return {
    row,
    file,
    meaningOf,
    ownersOf: (path) => {
      const named = new Map<string, PathOwner>();
      for (const { owners: names, line } of file.rulesOf(path)) {
        for (const name of names) if (!named.has(name)) named.set(name, { name, line, ...meaningOf(name) });
      }
      return [...named.values()];
    },
  };
}

/** The team that owns the path: the first that the file names for it. */
export function teamOf(owners: RepositoryOwners | null, path: string): TeamId | null {
  return owners?.ownersOf(path).find(({ team }) => team !== null)?.team?.id ?? null;
}
