/** Deletes expired sessions and expired sign-ins that were not finished. */
import { type Database, installTx } from '../../db/database.ts';

export async function sweepSignIns(db: Database): Promise<void> {
  await installTx(db, async (tx) => {
    await tx.query('delete from user_session where expires_at < now()');
    await tx.query('delete from user_verification where expires_at < now()');
  });
}
