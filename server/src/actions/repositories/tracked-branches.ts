/** An admin sets the names of tracked branches, for the workspace or for one repository. */
import { actorOf, recordAudit } from '../../access/audit/record.ts';
import { holdAdmin } from '../../access/members/lookup.ts';
import { updateWorkspaceTracking } from '../../access/workspaces/store.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { type RepositoryId, tenantUuid } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { lockIdentities, lockRepository } from '../../inventory/repositories/lock.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import {
  lockTrackingChanged,
  markTrackingChanged,
  readTrackedBranches,
  type TrackedBranches,
  updateTrackedBranches,
} from '../../inventory/repositories/tracked-branch-store.ts';
import { checkedTrackedBranches } from '../../inventory/repositories/tracked-branches.ts';
import { alignTracked } from '../../vulnerabilities/tracked-references.ts';

// The sweep aligns the other repositories a minute later, and these once more: another transaction may have made a
// branch meanwhile that has read the previous names.
const alignedAtOnce = 5;

/**
 * Sets the names of the workspace, or those of a repository; there null means those of the workspace. The references of
 * that repository, or of the first ones of the workspace, are updated at once, the others by the sweep. Throws 404, and
 * DomainError for an invalid name.
 */
export async function setTrackedBranches(
  tx: ChangeTx,
  principal: Principal,
  repository: string | null,
  names: string[] | null,
): Promise<void> {
  await holdAdmin(tx, principal);
  const to = names === null ? null : checkedTrackedBranches(names);
  const repositoryId = repository === null ? null : (await getRepository(tx, repository)).id;
  const from = await (repositoryId === null
    ? replaceOfWorkspace(tx, to ?? [])
    : replaceOfRepository(tx, repositoryId, to));
  if (JSON.stringify(from) === JSON.stringify(to)) return;
  await recordAudit(
    tx,
    actorOf(principal),
    repositoryId === null ? 'workspace.change' : 'repository.tracked_branches',
    repositoryId ?? tenantUuid(principal.tenant.id),
    { tracked_branches: { from, to } },
  );
  const at = new Date();
  tx.changes.at = at;
  const cause = { scanId: null, actorId: principal.user.id, at };
  const ids =
    repositoryId === null ? await lockTrackingChanged(tx, { limit: alignedAtOnce }) : [repositoryId];
  await alignTracked(tx, ids, cause);
}

/** Throws 404. */
export async function getTrackedBranches(tx: Tx, repository: string): Promise<TrackedBranches> {
  const { id } = await getRepository(tx, repository);
  return orNotFound(await readTrackedBranches(tx, id));
}

async function replaceOfWorkspace(tx: ChangeTx, to: string[]): Promise<string[]> {
  // A repository that is created now would have the former names, and no mark.
  await lockIdentities(tx, { shared: false });
  const from = await updateWorkspaceTracking(tx, to);
  await markTrackingChanged(tx);
  return from;
}

async function replaceOfRepository(
  tx: ChangeTx,
  repositoryId: RepositoryId,
  to: string[] | null,
): Promise<string[] | null> {
  await lockRepository(tx, repositoryId);
  const before = orNotFound(await readTrackedBranches(tx, repositoryId));
  await updateTrackedBranches(tx, repositoryId, to);
  return before.own;
}
