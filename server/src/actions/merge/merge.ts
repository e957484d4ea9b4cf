/**
 * Merging: several vulnerabilities of one repository turn out to be one. The one that stays takes the places, words,
 * history, comments and identities of the others; their ids go on answering. Set-based: a fixed number of
 * statements whatever the number of pairs. The repository must be locked, so that no import writes meanwhile.
 */

import type { Tx } from '../../db/database.ts';
import type { ChangeSet } from '../../domain/change-set.ts';
import { formatId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { type Change, reconcile } from '../../vulnerabilities/reconcile.ts';
import { type LockedVulnerability, lockVulnerabilities } from '../../vulnerabilities/reconcile-store.ts';
import { decisionOf, origins } from '../../vulnerabilities/status.ts';
import {
  deleteMerged,
  dropDoublePlaces,
  type Merge,
  moveDetails,
  moveHistory,
  movePlaces,
  moveReferences,
  moveReporters,
  type NewName,
  relabel,
} from './merge-store.ts';
import { moveViolations } from './merge-violations.ts';

export type { Merge, NewName };

export interface MergeRequest {
  merges: Merge[];
  names?: NewName[];
  cause: Cause;
  changes: ChangeSet;
  reason: string;
}

/** No `into` may be a `from`. The ids must be of one repository. */
export async function mergeVulnerabilities(
  tx: Tx,
  tenantId: string,
  { merges, names = [], cause, changes, reason }: MergeRequest,
): Promise<void> {
  const locked = await lockVulnerabilities(
    tx,
    tenantId,
    [
      ...new Set([...merges.flatMap(({ from, into }) => [from, into]), ...names.map((name) => name.id)]),
    ].sort(),
  );
  const byId = new Map(locked.map((row) => [row.id, row]));
  const pairs = merges.filter(({ from, into }) => byId.has(from) && byId.has(into));
  if (pairs.length > 0) {
    for (const row of await moveReferences(tx, tenantId, pairs)) {
      changes.addOnReference(
        {
          referenceId: row.reference_id,
          fullRef: row.full_ref,
          onDefault: row.on_default,
          packed_state: row.packed_state,
        },
        -1,
      );
    }
    await movePlaces(tx, tenantId, pairs);
    await dropDoublePlaces(tx, tenantId, [...new Set(pairs.map((pair) => pair.into))]);
    await moveReporters(tx, tenantId, pairs);
    await moveDetails(tx, tenantId, pairs);
    await moveHistory(tx, tenantId, pairs);
    await moveViolations(tx, tenantId, pairs);
    await deleteMerged(tx, tenantId, pairs);
    for (const { from } of pairs) {
      const gone = byId.get(from);
      if (gone) {
        changes.moveOwn({
          repositoryId: gone.repository_id,
          from: gone.packed_state,
          to: null,
          at: cause.at,
          vulnerableAt: gone.vulnerable_at,
        });
      }
      changes.unmark(from);
    }
  }
  if (names.length > 0) await relabel(tx, tenantId, names);
  const gone = new Map<string, LockedVulnerability[]>();
  for (const { from, into } of pairs) {
    const row = byId.get(from);
    if (row) gone.set(into, [...(gone.get(into) ?? []), row]);
  }
  await reconcile(tx, tenantId, {
    ids: [...new Set([...pairs.map((pair) => pair.into), ...names.map((name) => name.id)])],
    cause,
    changes,
    change: (current) => changeOf(current, gone.get(current.id) ?? [], reason, cause.actorId === null),
  });
}

// The strongest human word wins; between equals the survivor's own.
// Where nobody decided that they are one, the decision binds as far as each of them was decided so.
function changeOf(
  survivor: LockedVulnerability,
  gone: LockedVulnerability[],
  reason: string,
  isAutomatic: boolean,
): Change {
  if (gone.length === 0) return {};
  const [strongest = survivor] = [survivor, ...gone].sort((a, b) => strength(a) - strength(b));
  const traits = [survivor, ...gone].map((row) => unpackState(row.packed_state));
  const decision = decisionOf(unpackState(strongest.packed_state).status);
  const decidedBy = strongest.decided_by;
  const allBind = [survivor, ...gone].every(
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
    // Where each of them has a binding decision, or a person merges them, the decision covers all of them from now on.
    ...(decidedBy === 'person' && (allBind || !isAutomatic) ? { decidedAt: new Date() } : {}),
    confirmed: decision !== 'rejected' && traits.some((each) => each.confirmed),
    triaged: traits.some((each) => each.triaged),
    assigneeId: survivor.assignee_id ?? gone.find((row) => row.assignee_id !== null)?.assignee_id ?? null,
    events: gone.map((row) => ({
      kind: 'merged',
      reason,
      data: { merged: formatId('vulnerability', row.id) },
    })),
  };
}

function strength(row: LockedVulnerability): number {
  return row.decided_by === null ? origins.length : origins.indexOf(row.decided_by);
}
