/**
 * Late aliases are vulnerabilities of one repository that a later report shows to be the same advisory of the same
 * package. The oldest one stays, under the canonical name. Repositories of the workspace are marked first, and merged
 * later under their own lock.
 */

import { type Merge, mergeVulnerabilities, type NewName } from '../../actions/merge/merge.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { insertIdentities, pinnedIdentity } from '../../vulnerabilities/identities.ts';
import { insertJoinedNames } from '../../vulnerabilities/joined-names.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { packageIdentity } from '../prepare/identity.ts';
import { listLateAliases, listPinnedAliases, renameStatements, updateAdvisories } from './alias-store.ts';
import { takePendingMerge } from './pending-merge-store.ts';
import { findByIdentity } from './resolve-store.ts';

/** Carries out the pending merges of the repository. The caller must hold its lock. */
export async function mergePending(tx: ChangeTx, repositoryId: RepositoryId, cause: Cause): Promise<void> {
  if (await takePendingMerge(tx, repositoryId)) await mergeAliases(tx, repositoryId, cause);
}

async function mergeAliases(tx: ChangeTx, repositoryId: RepositoryId, cause: Cause): Promise<void> {
  const withStatements = await renameStatements(tx, repositoryId);
  const ids = [...withStatements, ...(await renamePinned(tx, repositoryId))];
  if (ids.length > 0) await reconcile(tx, { ids, cause });
  const rows = await listLateAliases(tx, repositoryId);
  if (rows.length === 0) return;
  await insertJoinedNames(
    tx,
    rows.map((row) => ({
      vulnerabilityId: row.id,
      name: row.name,
      learnedAt: row.learned_at,
      trusted: row.trusted,
    })),
  );
  const groups = new Map<string, { advisory: string; ids: VulnerabilityId[] }>();
  for (const row of rows) {
    const identity = packageIdentity(row.advisory, row.package);
    const group = groups.get(identity) ?? { advisory: row.advisory, ids: [] };
    group.ids.push(row.id);
    groups.set(identity, group);
  }
  for (const [identity, id] of await findByIdentity(tx, repositoryId, [...groups.keys()])) {
    const ids = groups.get(identity)?.ids;
    if (ids && !ids.includes(id)) ids.push(id);
  }
  const merges: Merge[] = [];
  const names: NewName[] = [];
  for (const [identity, { advisory, ids }] of groups) {
    // Ids grow with time, so the smallest is the oldest.
    const [into, ...others] = ids.sort();
    if (into === undefined) continue;
    names.push({ id: into, identity, advisory });
    merges.push(...others.map((from) => ({ from, into })));
  }
  // A merge decides by itself which exceptions end.
  const merged = new Set(merges.map(({ into }) => into));
  tx.changes.markJoined(names.flatMap(({ id }) => (merged.has(id) ? [] : [id])));
  const reason = 'Their advisories are names of one.';
  await mergeVulnerabilities(tx, { merges, names, cause, reason });
}

/**
 * Gives split-off vulnerabilities the canonical name and pins under it, and merges them with nothing. Scans find them
 * by the pins as before. Returns their ids.
 */
async function renamePinned(tx: Tx, repositoryId: RepositoryId): Promise<VulnerabilityId[]> {
  const rows = await listPinnedAliases(tx, repositoryId);
  if (rows.length === 0) return [];
  const pins = new Map<string, { identity: string; vulnerabilityId: VulnerabilityId; pinned: boolean }>();
  for (const row of rows) {
    const named = packageIdentity(row.advisory, row.package);
    for (const path of row.paths) {
      const identity = pinnedIdentity(named, path);
      // Two vulnerabilities may be split off in the same file under two names of one advisory. New findings then go to
      // the older one.
      if (!pins.has(identity)) pins.set(identity, { identity, vulnerabilityId: row.id, pinned: true });
    }
  }
  await insertIdentities(tx, repositoryId, [...pins.values()]);
  await updateAdvisories(tx, rows);
  return rows.map((row) => row.id);
}
