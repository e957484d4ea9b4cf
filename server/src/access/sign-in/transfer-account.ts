/**
 * The address of an account from the shown link of an invitation is not proved, because another person may have opened
 * it. When the provider, the operator or a mailed link confirms the address, the account is transferred to its owner.
 * Sessions, keys and invitations from before stop working.
 */
import type { InstallTx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import { revokePersonalKeys } from '../api-keys/personal-keys.ts';
import type { Actor } from '../audit/record.ts';
import { recordWhereMember, withdrawInvitationsBy } from '../members/record.ts';
import { lockAccount } from '../users/lookup.ts';
import { setPassword } from '../users/service.ts';
import { proveAddress } from './sign-in-store.ts';

/**
 * Ends sessions, personal keys and invitations, and marks the address as proved. The caller has locked the account and
 * replaced its credentials. A sign-in at the same time finds no password and ends its own session. Needs a transaction
 * of that user (`installTx` with the user's id). Returns the number of revoked keys.
 */
export async function transferAccount(tx: InstallTx, userId: UserId, actor: Actor): Promise<number> {
  await proveAddress(tx, userId);
  const keysRevoked = await revokePersonalKeys(tx, userId, actor);
  await withdrawInvitationsBy(tx, userId);
  await recordWhereMember(tx, userId, { ...actor, action: 'user.transfer' });
  return keysRevoked;
}

/**
 * Sets the password for the operator, who confirms the address in this way. All sessions end. Needs a transaction of
 * that user. Returns the number of revoked keys, or null if the address was proved before and the keys stay. Throws
 * DomainError.
 */
export async function resetPassword(tx: InstallTx, userId: UserId, password: string): Promise<number | null> {
  const { isProved } = await lockAccount(tx, userId);
  await setPassword(tx, userId, password);
  await recordWhereMember(tx, userId, { actorId: null, action: 'user.password' });
  return isProved ? null : transferAccount(tx, userId, { actorId: null });
}
