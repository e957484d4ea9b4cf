/**
 * Only members have assignments: when a member leaves, their assignments are removed. The slices are small, so that no
 * import waits long for a person with many. The sweep removes the rest of an interrupted run.
 */

import { listNonMembers } from '../access/members/lookup.ts';
import { type ChangeTx, type Database, importTx, tenantReadTx } from '../db/database.ts';
import type { DueCondition } from '../db/due-tenants.ts';
import type { TenantId, UserId, VulnerabilityId } from '../domain/ids.ts';
import { reconcile } from './reconcile.ts';

// One batch of reconciling holds its locks for about a second.
const sliceSize = 2_000;

/** Removes all assignments of a user. `actorId` is the person who ended the membership; null means the clock. */
export async function unassignAll(
  db: Database,
  tenantId: TenantId,
  userId: UserId,
  actorId: UserId | null,
): Promise<void> {
  // A merge or a split may copy an assignment while this waits for its row, so the loop runs until nothing is found.
  for (;;) {
    const found = await importTx(db, tenantId, (tx) => unassignSlice(tx, userId, actorId));
    if (found === 0) return;
  }
}

async function unassignSlice(tx: ChangeTx, userId: UserId, actorId: UserId | null): Promise<number> {
  // A user who is a member again keeps the remaining assignments.
  if ((await listNonMembers(tx, [userId])).length === 0) return 0;
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `select id from vulnerability where tenant_id = $1 and assignee_id = $2 limit $3`,
    [tx.tenantId, userId, sliceSize],
  );
  if (rows.length === 0) return 0;
  const at = new Date();
  const { changes } = tx;
  changes.at = at;
  await reconcile(tx, {
    ids: rows.map((row) => row.id),
    cause: { scanId: null, actorId, at },
    changes,
    change: (current) =>
      current.assignee_id === userId
        ? { assigneeId: null, events: [{ kind: 'unassigned', reason: 'Has left the workspace.' }] }
        : {},
  });
  return rows.length;
}

/** Goes from one assignee to the next by the index, independent of the number of rows of each. */
const assigneesOf = (tenantId: string): string =>
  `with recursive assignee (id) as (
     (select assignee_id from vulnerability where tenant_id = ${tenantId} and assignee_id is not null
       order by assignee_id limit 1)
     union all
     select (select v.assignee_id from vulnerability v
              where v.tenant_id = ${tenantId} and v.assignee_id is not null and v.assignee_id > a.id
              order by v.assignee_id limit 1)
       from assignee a where a.id is not null)
   select id from assignee where id is not null`;

export const assignmentsDue: DueCondition = `exists (select 1 from (${assigneesOf('asked_tenant')}) a
  where not exists (select 1 from member m where m.tenant_id = asked_tenant and m.user_id = a.id))`;

/** Removes the assignments of all assignees who are not members any more. */
export async function sweepAssignments(db: Database, tenantId: TenantId): Promise<void> {
  const removed = await tenantReadTx(db, tenantId, async (tx) => {
    const rows = await tx.query<{ id: UserId }>(assigneesOf('$1'), [tenantId]);
    return listNonMembers(
      tx,
      rows.map((row) => row.id),
    );
  });
  for (const userId of removed) await unassignAll(db, tenantId, userId, null);
}
