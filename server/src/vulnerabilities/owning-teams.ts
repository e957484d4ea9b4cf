/**
 * Gives vulnerabilities the team that owns their file. An import does it for what it opens; the sweep does it for all of
 * a repository after its CODEOWNERS file, the names of a team, or paths have changed.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Database, importTx, type Tx } from '../db/database.ts';
import type { TeamId, TenantId } from '../domain/ids.ts';
import { lockTeamsDue, updateTeamsDue } from '../inventory/code-owners/code-owners-store.ts';
import { readOwners, teamOf } from '../inventory/code-owners/repository-owners.ts';
import { listPaths, updateTeams } from './sweep-store.ts';

// The teams of one workspace are aligned for this long in a sweep. The others are due again a minute later.
const turnMs = 10_000;
// A request waits this long at most for one that works between two turns.
const workingMs = 10;

export async function sweepTeams(db: Database, tenantId: TenantId, ms = turnMs): Promise<void> {
  const until = performance.now() + ms;
  while (await importTx(db, tenantId, alignOne)) if (performance.now() >= until) return;
}

/**
 * Aligns one of the marked repositories, until the budget of its file is used up; the other paths stay due. It holds the
 * lock of the repository, so that no import writes meanwhile.
 */
async function alignOne(tx: Tx): Promise<boolean> {
  const due = await lockTeamsDue(tx);
  if (due === undefined) return false;
  const { repositoryId } = due;
  const owners = await readOwners(tx, repositoryId);
  const teams: { path: string; team: TeamId | null }[] = [];
  let workingSince = performance.now();
  for (const path of await listPaths(tx, repositoryId, due.after)) {
    const team = teamOf(owners, path);
    if (owners?.file.isExhausted) break;
    teams.push({ path, team });
    // A process that answers requests sweeps too, and a file of many rules keeps it busy for seconds.
    if (performance.now() - workingSince < workingMs) continue;
    await yieldToOthers();
    workingSince = performance.now();
  }
  await updateTeams(tx, repositoryId, teams);
  await updateTeamsDue(tx, repositoryId, owners?.file.isExhausted ? (teams.at(-1)?.path ?? due.after) : null);
  return true;
}
