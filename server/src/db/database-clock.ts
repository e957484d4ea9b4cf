/**
 * The clock of the database, by which the processes measure leases and find what is due. The clock of a node may be
 * wrong or jump, and its process would then take work from the others.
 */
import type { FastifyBaseLogger } from 'fastify';
import { readClock } from './commit-watermark.ts';
import { type Database, installTx } from './database.ts';

export interface DatabaseClock {
  /**
   * The present time of the database. Throws an Error until it has answered once, so that nobody takes work by another
   * clock.
   */
  now(this: void): Date;
  stop(): void;
}

// The clocks of two computers move apart by less than a millisecond in this time. That of a node stands still while the
// node is suspended.
const readEveryMs = 10_000;
const retryMs = 1_000;

export function startDatabaseClock(db: Database, log: Pick<FastifyBaseLogger, 'warn'>): DatabaseClock {
  let offsetMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hasStopped = false;
  const read = async (): Promise<void> => {
    try {
      await installTx(db, async (tx) => {
        const askedAt = performance.now();
        const time = await readClock(tx);
        // The database read its clock between these two moments.
        offsetMs = time.getTime() - (askedAt + performance.now()) / 2;
      });
    } catch (error) {
      log.warn({ err: error }, 'clock of the database not read');
    }
    if (hasStopped) return;
    timer = setTimeout(read, offsetMs === null ? retryMs : readEveryMs).unref();
  };
  void read();
  return {
    now: () => {
      if (offsetMs === null) throw new Error('The database has not told its time yet.');
      return new Date(offsetMs + performance.now());
    },
    stop: () => {
      hasStopped = true;
      clearTimeout(timer);
    },
  };
}
