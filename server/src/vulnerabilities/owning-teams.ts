/**
 * Gives vulnerabilities the team that owns their file. An import does it for what it opens; the sweep does it for all of
 * a repository after its CODEOWNERS file, the names of a team, or paths have changed.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Database, importTx, type Tx } from '../db/database.ts';
import type { TeamId, TenantId } from '../domain/ids.ts';
import { takeTeamsChanged } from '../inventory/code-owners/code-owners-store.ts';
import { readOwners, teamOf } from '../inventory/code-owners/repository-owners.ts';
import { listPaths, updateTeams } from './sweep-store.ts';

// One sweep aligns this many. The others are due again a minute later.
const maxRepositories = 50;
// A request waits this long at most for one that works between two turns.
const workingMs = 10;

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
  const teams: { path: string; team: TeamId | null }[] = [];
  let workingSince = performance.now();
  for (const path of await listPaths(tx, repositoryId)) {
    teams.push({ path, team: teamOf(owners, path) });
    // A process that answers requests sweeps too, and a file of many rules keeps it busy for seconds.
    if (performance.now() - workingSince < workingMs) continue;
    await yieldToOthers();
    workingSince = performance.now();
  }
  await updateTeams(tx, repositoryId, teams);
  return true;
}
