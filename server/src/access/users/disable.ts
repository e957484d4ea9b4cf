/**
 * Shutting a person out of the whole install, and letting them in again: for the operator. What they did stays theirs, and
 * so do memberships and keys, which open nothing meanwhile.
 */
import { switchTenant, type Tx } from '../../db/database.ts';
import { isOnlyAdmin } from '../members/lookup.ts';
import { recordWhereMember } from '../members/record.ts';
import { listWorkspacesOfUser } from '../workspaces/service.ts';
import { deleteSessions, setDisabled } from './store.ts';

/**
 * Ends all sessions; personal keys are refused within a second. Needs a transaction of that user (`installTx` with the
 * user's id). Gives the slugs of the workspaces that have no other admin.
 */
export async function disableUser(tx: Tx, userId: string): Promise<{ withoutAdmin: string[] }> {
  // First the mark, then the sessions: a sign-in that comes between finds the mark and ends its own.
  const isNew = await setDisabled(tx, userId, true);
  await deleteSessions(tx, userId);
  const workspaces = await listWorkspacesOfUser(tx, userId);
  if (isNew) await recordWhereMember(tx, userId, { actorId: null, action: 'user.disable' });
  const withoutAdmin: string[] = [];
  for (const { id, slug } of workspaces) {
    await switchTenant(tx, id);
    if (await isOnlyAdmin(tx, id, userId)) withoutAdmin.push(slug);
  }
  return { withoutAdmin };
}

/** Undoes it: signing in and the keys work again. Needs a transaction of that user. */
export async function enableUser(tx: Tx, userId: string): Promise<void> {
  if (await setDisabled(tx, userId, false)) {
    await recordWhereMember(tx, userId, { actorId: null, action: 'user.enable' });
  }
}
