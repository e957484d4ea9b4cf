/** What other features may ask of user accounts. */
import type { Tx } from '../../db/database.ts';

/** People and service users alike. */
export async function findUserIdByEmail(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>('select id from user_account where email = $1', [
    email.toLowerCase(),
  ]);
  return row?.id;
}

/** False where the session has ended. Until the transaction ends, whoever ends it waits. */
export async function holdSession(tx: Tx, sessionId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from user_session where id = $1 for key share', [sessionId]);
  return rows.length > 0;
}
