/**
 * Members of teams by the groups of the identity provider: after a sign-in, a person is in the teams that have one of
 * the person's groups, in the workspaces of which the person is a member. Members that an admin has chosen stay.
 */
import { recordAudit } from '../../access/audit/record.ts';
import { holdMembers, listMembershipsOfUser } from '../../access/members/lookup.ts';
import { type Database, installTx, switchTenant, type Tx } from '../../db/database.ts';
import { formatId, type UserId } from '../../domain/ids.ts';
import { addGroupMemberships, listTeamsOfGroups, removeGroupMemberships } from './team-store.ts';

/** Makes the memberships by groups equal to `groups`, in all workspaces of the user, in one transaction. */
export async function applyGroups(
  db: Database,
  userId: UserId,
  groups: readonly string[],
  requestId: string,
): Promise<void> {
  await installTx(
    db,
    async (tx) => {
      const memberships = await listMembershipsOfUser(tx, userId);
      // Two sign-ins at once take the workspaces in the same order.
      const tenantIds = memberships.map(({ tenantId }) => tenantId).toSorted();
      for (const tenantId of tenantIds) {
        await applyInWorkspace(switchTenant(tx, tenantId), userId, groups, requestId);
      }
    },
    userId,
  );
}

async function applyInWorkspace(
  tx: Tx,
  userId: UserId,
  groups: readonly string[],
  requestId: string,
): Promise<void> {
  // A membership that ends at the same time ends after this, and takes those of its teams with it.
  if (!(await holdMembers(tx, [userId])).has(userId)) return;
  const removed = await removeGroupMemberships(tx, userId, groups);
  const added = await addGroupMemberships(tx, userId, await listTeamsOfGroups(tx, userId, groups));
  // A membership whose group has left the claim can stay by another group.
  const left = removed.filter((id) => !added.includes(id));
  const joined = added.filter((id) => !removed.includes(id));
  if (left.length + joined.length === 0) return;
  await recordAudit(tx, { actorId: userId, requestId }, 'user.sync_teams', userId, {
    ...(joined.length > 0 ? { added: joined.map((id) => formatId('team', id)) } : {}),
    ...(left.length > 0 ? { removed: left.map((id) => formatId('team', id)) } : {}),
  });
}
