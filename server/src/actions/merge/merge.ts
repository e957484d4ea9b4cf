/**
 * Merges several vulnerabilities of one repository that turn out to be one. The survivor takes the locations, claims,
 * history, comments and identities of the others, and their ids still lead to it. It works on sets, with a fixed number
 * of statements for any number of pairs. The caller must hold the lock of the repository, so that no import writes at
 * the same time.
 */

import { readClock } from '../../db/commit-watermark.ts';
import type { ChangeTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { type Change, reconcile } from '../../vulnerabilities/reconcile.ts';
import { listReferenceIds } from '../../vulnerabilities/reconcile-scope-store.ts';
import { type LockedVulnerability, lockVulnerabilities } from '../../vulnerabilities/reconcile-store.ts';
import { decisionOf, origins } from '../../vulnerabilities/status.ts';
import { mergedEvent } from '../../vulnerabilities/workspace-events.ts';
import {
  deleteMerged,
  dropDoubleLocations,
  type Merge,
  moveAllLocations,
  moveDetails,
  moveEvidence,
  moveHistory,
  moveReferences,
  moveReporters,
  type NewName,
  relabel,
} from './merge-store.ts';

export type { Merge, NewName };

export interface MergeRequest {
  merges: Merge[];
  names?: NewName[];
  cause: Cause;
  reason: string;
}

/** Merges the pairs. No `into` may also be a `from`, and all ids must be of one repository. */
export async function mergeVulnerabilities(
  tx: ChangeTx,
  { merges, names = [], cause, reason }: MergeRequest,
): Promise<void> {
  const { changes } = tx;
  const locked = await lockVulnerabilities(
    tx,
    [
      ...new Set([...merges.flatMap(({ from, into }) => [from, into]), ...names.map((name) => name.id)]),
    ].sort(),
  );
  const byId = new Map(locked.map((row) => [row.id, row]));
  const pairs = merges.filter(({ from, into }) => byId.has(from) && byId.has(into));
  if (pairs.length > 0) {
    for (const row of await moveReferences(tx, pairs)) {
      changes.addOnReference(
        {
          referenceId: row.reference_id,
          fullRef: row.full_ref,
          packed_state: row.packed_state,
        },
        -1,
      );
    }
    await moveAllLocations(tx, pairs);
    await dropDoubleLocations(tx, [...new Set(pairs.map((pair) => pair.into))]);
    await moveReporters(tx, pairs);
    await moveDetails(tx, pairs);
    await moveEvidence(tx, pairs);
    await moveHistory(tx, pairs);
    await deleteMerged(tx, pairs);
    for (const { from, into } of pairs) {
      const merged = byId.get(from);
      if (merged) {
        changes.addEvent(mergedEvent(merged, into, cause, reason));
        changes.moveOwn({
          of: merged,
          from: merged.packed_state,
          to: null,
          at: cause.at,
          vulnerableAt: merged.vulnerable_at,
        });
        changes.moveOnDefaultBranch(merged, merged.default_branch_state, null);
      }
    }
    const [first] = locked;
    if (first) changes.markMerged({ repositoryId: first.repository_id, pairs, cause });
  }
  if (names.length > 0) await relabel(tx, names);
  const merged = new Map<string, LockedVulnerability[]>();
  for (const { from, into } of pairs) {
    const row = byId.get(from);
    if (row) merged.set(into, [...(merged.get(into) ?? []), row]);
  }
  const now = await readClock(tx);
  const ids = [...new Set([...pairs.map((pair) => pair.into), ...names.map((name) => name.id)])];
  await reconcile(tx, {
    ids,
    changedOn: await listReferenceIds(tx, ids),
    cause,
    change: (current) => changeOf(current, merged.get(current.id) ?? [], reason, cause.actorId === null, now),
  });
}

// The decision with the strongest origin wins, and the survivor's own between equals. If no person decided the merge,
// the decision overrides policies only if each merged vulnerability had such a decision.
function changeOf(
  survivor: LockedVulnerability,
  merged: LockedVulnerability[],
  reason: string,
  isAutomatic: boolean,
  now: Date,
): Change {
  if (merged.length === 0) return {};
  const [strongest = survivor] = [survivor, ...merged].sort((a, b) => strength(a) - strength(b));
  const traits = [survivor, ...merged].map((row) => unpackState(row.packed_state));
  const decision = decisionOf(unpackState(strongest.packed_state).status);
  const decidedBy = strongest.decided_by;
  const allBind = [survivor, ...merged].every(
    (row) => row.decision_overrides_policy && decisionOf(unpackState(row.packed_state).status) !== null,
  );
  return {
    ...(strongest === survivor
      ? {}
      : {
          decision,
          decidedBy: strongest.decided_by,
          decidedAt: strongest.decided_at,
          resolution: strongest.resolution,
          acceptedUntil: strongest.accepted_until,
        }),
    overridesPolicy: isAutomatic ? allBind : strongest.decision_overrides_policy,
    // The decision covers all names from now on if each vulnerability had a decision that overrides policies, or if a
    // person merges them.
    ...(decidedBy === 'person' && (allBind || !isAutomatic) ? { decidedAt: now } : {}),
    confirmed: decision !== 'rejected' && traits.some((each) => each.confirmed),
    triaged: traits.some((each) => each.triaged),
    joins: true,
    assigneeId: survivor.assignee_id ?? merged.find((row) => row.assignee_id !== null)?.assignee_id ?? null,
    events: merged.map((row) => ({
      kind: 'merged',
      reason,
      data: { merged: formatId('vulnerability', row.id) },
    })),
  };
}

function strength(row: LockedVulnerability): number {
  return row.decided_by === null ? origins.length : origins.indexOf(row.decided_by);
}
