/**
 * Gives vulnerabilities the team that owns their file. An import does it for what it opens; the sweep does it for all
 * of a repository after its CODEOWNERS file, the names of a team, or paths have changed.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Database, importTx, type Tx } from '../db/database.ts';
import type { TeamId, TenantId } from '../domain/ids.ts';
import { deferTeams, deleteTeamsDue, lockTeamsDue } from '../inventory/code-owners/code-owners-store.ts';
import { readOwners, teamOf } from '../inventory/code-owners/repository-owners.ts';
import { listPaths, updateTeams } from './sweep-store.ts';

// The teams of one workspace are aligned for this long in a sweep. The others are due again a minute later.
const turnMs = 10_000;
// A request waits this long at most for one that works between two turns.
const workingMs = 10;
// A repository of a million paths would else fill the memory, and hold its lock for minutes.
const maxPaths = 5_000;

export async function sweepTeams(db: Database, tenantId: TenantId, ms = turnMs): Promise<void> {
  const until = performance.now() + ms;
  while (await importTx(db, tenantId, alignOne)) if (performance.now() >= until) return;
}

/**
 * Aligns one of the marked repositories, until the budget of its file or the limit of paths is used up; the other paths
 * stay due. It holds the lock of the repository, so that no import writes meanwhile. A mark that comes before the end
 * lets it begin again only after the end, so that frequent changes cannot hold it at the first paths.
 */
async function alignOne(tx: Tx): Promise<boolean> {
  const repositoryId = await lockTeamsDue(tx);
  if (repositoryId === undefined) return false;
  const due = await deleteTeamsDue(tx, repositoryId);
  // Another sweep may have done it before the lock.
  if (due.length === 0) return true;
  const begun = due.find((after) => after !== '');
  // Names that change from here on bring a mark of their own, which the statement above has not deleted.
  const owners = await readOwners(tx, repositoryId);
  const paths = await listPaths(tx, repositoryId, begun ?? '', maxPaths);
  const teams: { path: string; team: TeamId | null }[] = [];
  let workingSince = performance.now();
  for (const path of paths) {
    const team = teamOf(owners, path);
    if (owners?.file.isExhausted) break;
    teams.push({ path, team });
    // A process that answers requests sweeps too, and a file of many rules keeps it busy for seconds.
    if (performance.now() - workingSince < workingMs) continue;
    await yieldToOthers();
    workingSince = performance.now();
  }
  await updateTeams(tx, repositoryId, teams);
  const isAtEnd = teams.length < maxPaths && teams.length === paths.length;
  await deferTeams(tx, repositoryId, [
    ...(isAtEnd ? [] : [teams.at(-1)?.path ?? begun ?? '']),
    ...(begun !== undefined && due.includes('') ? [''] : []),
  ]);
  return true;
}
