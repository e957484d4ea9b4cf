/** The operator changes the address of an account, whose identity at the provider stays the same. */
import type { InstallTx } from '../../db/database.ts';
import { uniqueViolation } from '../../db/error-codes.ts';
import type { UserId } from '../../domain/ids.ts';
import { recordWhereMember } from '../members/record.ts';
import { checkedEmail, checkPasswordAddress, emailTaken } from './service.ts';
import { hasPassword, updateEmail } from './store.ts';

/**
 * Returns the folded address. An account whose address was not proved stays so. Needs a transaction of that user
 * (`installTx` with the user's id). Throws DomainError for a text that is no address, for the address of another
 * account, and for one with which the account's password would be of no use.
 */
export async function changeEmail(tx: InstallTx, userId: UserId, text: string): Promise<string> {
  const email = checkedEmail(text);
  if (await hasPassword(tx, userId)) checkPasswordAddress(email);
  await updateEmail(tx, userId, email).catch((error: { code?: string }) => {
    throw error.code === uniqueViolation ? emailTaken(email) : error;
  });
  // The audit log does not keep the addresses: erasing a person replaces the present one alone.
  await recordWhereMember(tx, userId, { actorId: null, action: 'user.email' });
  return email;
}
