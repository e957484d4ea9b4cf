/** What other features may ask of user accounts. */
import type { Tx } from '../../db/database.ts';

/** People and service users alike. */
export async function findUserIdByEmail(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>('select id from user_account where email = $1', [
    email.toLowerCase(),
  ]);
  return row?.id;
}
