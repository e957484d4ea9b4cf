/**
 * Records a lock-out in the log, and in the audit log of each workspace of which the account is a member. This happens
 * after the answer, so that the time of the answer does not tell whether the account exists.
 */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { recordWhereMember } from '../members/record.ts';
import { findUserIdByEmail } from '../users/lookup.ts';
import { logLockOut } from './log.ts';

export interface LockOutRecord {
  tell(email: string): void;
  /** Resolves when all lock-outs so far are written. */
  written(): Promise<void>;
}

export function lockOutRecord(db: Database, log: FastifyBaseLogger): LockOutRecord {
  const running = new Set<Promise<void>>();
  return {
    tell: (email) => {
      const work = record(db, log, email)
        .catch((error: unknown) => log.warn({ err: error }, 'lock-out not recorded'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    written: async () => {
      await Promise.all(running);
    },
  };
}

async function record(db: Database, log: FastifyBaseLogger, email: string): Promise<void> {
  const userId = await installTx(db, (tx) => findUserIdByEmail(tx, email));
  if (userId === undefined) return;
  logLockOut(log, userId);
  await installTx(
    db,
    (tx) => recordWhereMember(tx, userId, { actorId: null, action: 'user.lock_out' }),
    userId,
  );
}
