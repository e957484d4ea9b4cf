/** Deletes expired sessions, expired sign-ins that were not finished, and expired keys of runs of CI. */
import { type Database, installTx } from '../../db/database.ts';
import { dayMs } from '../../domain/time.ts';
import { deleteExpiredRunKeys } from '../api-keys/store.ts';
import { deleteExpiredSessions } from './sign-in-store.ts';

// For a week the audit log can name the key of a run.
const keepRunKeysMs = 7 * dayMs;

export async function sweepSignIns(db: Database): Promise<void> {
  await installTx(db, async (tx) => {
    await deleteExpiredSessions(tx);
    await deleteExpiredRunKeys(tx, new Date(Date.now() - keepRunKeysMs));
  });
}
