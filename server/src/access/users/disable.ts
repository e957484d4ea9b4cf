/**
 * The operator disables a person in the whole install, and enables them again. The person keeps memberships, keys and
 * history, but memberships and keys give no access meanwhile.
 */
import { type InstallTx, switchTenant } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import { isOnlyAdmin } from '../members/lookup.ts';
import { recordWhereMember } from '../members/record.ts';
import { listWorkspacesOfUser } from '../workspaces/service.ts';
import { deleteSessions, setDisabled } from './store.ts';

/**
 * Ends all sessions; personal keys are refused within a second. Needs a transaction of that user (`installTx` with the
 * user's id). Returns the slugs of the workspaces that have no other admin.
 */
export async function disableUser(tx: InstallTx, userId: UserId): Promise<{ withoutAdmin: string[] }> {
  // The mark comes before the end of sessions, so that a sign-in between them finds the mark and ends its own session.
  const isNew = await setDisabled(tx, userId, true);
  await deleteSessions(tx, userId);
  const workspaces = await listWorkspacesOfUser(tx, userId);
  if (isNew) await recordWhereMember(tx, userId, { actorId: null, action: 'user.disable' });
  const withoutAdmin: string[] = [];
  for (const { id, slug } of workspaces) {
    if (await isOnlyAdmin(switchTenant(tx, id), userId)) withoutAdmin.push(slug);
  }
  return { withoutAdmin };
}

/** Enables the user, so that sign-in and keys work again. Needs a transaction of that user. */
export async function enableUser(tx: InstallTx, userId: UserId): Promise<void> {
  if (await setDisabled(tx, userId, false)) {
    await recordWhereMember(tx, userId, { actorId: null, action: 'user.enable' });
  }
}
