/** The queries of user accounts that other modules may use. */
import type { InstallTx, Tx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import type { SessionId, UserId } from '../../domain/ids.ts';

/** Finds people and service users alike; undefined without an account. */
export async function findUserIdByEmail(tx: InstallTx, email: string): Promise<UserId | undefined> {
  const [row] = await tx.query<{ id: UserId }>('select id from user_account where email = $1', [
    foldEmail(email),
  ]);
  return row?.id;
}

export async function isAddressProved(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx.query('select 1 from user_account where id = $1 and email_verified', [userId]);
  return rows.length > 0;
}

/**
 * Returns true if an operator or a provider confirms the address. The account stays locked until the transaction ends,
 * so that its address is proved before the transaction or after it. Lock it before the user's other rows.
 */
export async function lockAccount(tx: InstallTx, userId: UserId): Promise<{ isProved: boolean }> {
  const [row] = await tx.query<{ is_proved: boolean }>(
    'select email_verified as is_proved from user_account where id = $1 for no key update',
    [userId],
  );
  if (!row) throw new Error('there is no such user');
  return { isProved: row.is_proved };
}

/** False if the session has ended. Another transaction that ends the session waits until this one is over. */
export async function holdSession(tx: InstallTx, sessionId: SessionId): Promise<boolean> {
  const rows = await tx.query('select 1 from user_session where id = $1 for key share', [sessionId]);
  return rows.length > 0;
}
