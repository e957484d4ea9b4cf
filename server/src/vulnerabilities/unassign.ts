/**
 * Only members have assignments: when a member leaves, their assignments are removed. The slices are small, so that no
 * import waits long for a person with many. The sweep removes the rest of an interrupted run.
 */

import { listNonMembers } from '../access/members/lookup.ts';
import { type ChangeTx, type Database, importTx, tenantReadTx, type tenantTx } from '../db/database.ts';
import type { TenantId, UserId } from '../domain/ids.ts';
import { reconcile } from './reconcile.ts';
import { listAssigned, listAssignedUsers } from './sweep-store.ts';

// One batch of reconciling holds its locks for about a second.
const sliceSize = 2_000;

/**
 * Removes all assignments of a user. `actorId` is the person who ended the membership; null means the clock. `runSlice`
 * says how long a slice may wait for its rows.
 */
export async function unassignAll(
  db: Database,
  tenantId: TenantId,
  userId: UserId,
  actorId: UserId | null,
  runSlice: typeof importTx | typeof tenantTx = importTx,
): Promise<void> {
  // A merge or a split may copy an assignment while this waits for its row, so the loop runs until nothing is found.
  for (;;) {
    const found = await runSlice(db, tenantId, (tx) => unassignSlice(tx, userId, actorId));
    if (found === 0) return;
  }
}

async function unassignSlice(tx: ChangeTx, userId: UserId, actorId: UserId | null): Promise<number> {
  // A user who is a member again keeps the remaining assignments.
  if ((await listNonMembers(tx, [userId])).length === 0) return 0;
  const ids = await listAssigned(tx, userId, sliceSize);
  if (ids.length === 0) return 0;
  const at = new Date();
  tx.changes.at = at;
  await reconcile(tx, {
    ids,
    cause: { scanId: null, actorId, at },
    change: (current) =>
      current.assignee_id === userId
        ? { assigneeId: null, events: [{ kind: 'unassigned', reason: 'Has left the workspace.' }] }
        : {},
  });
  return ids.length;
}

/** Removes the assignments of all assignees who are not members any more. */
export async function sweepAssignments(db: Database, tenantId: TenantId): Promise<void> {
  const removed = await tenantReadTx(db, tenantId, async (tx) =>
    listNonMembers(tx, await listAssignedUsers(tx)),
  );
  for (const userId of removed) await unassignAll(db, tenantId, userId, null);
}
