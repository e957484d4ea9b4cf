/**
 * The clock of the database, by which the processes measure leases and find what is due. The clock of a node may be wrong or
 * jump, and its process would then take work from the others.
 */
import { readClock } from './commit-watermark.ts';
import { type Database, installTx } from './database.ts';

export interface DatabaseClock {
  /** The present time of the database; until it has answered once, that of the node. */
  now(this: void): Date;
  stop(): void;
}

// In this time the clocks of two computers move apart by a few milliseconds.
const readEveryMs = 60_000;

export function startDatabaseClock(db: Database): DatabaseClock {
  let offsetMs = Date.now() - performance.now();
  const read = (): Promise<void> =>
    installTx(db, async (tx) => {
      const askedAt = performance.now();
      const time = await readClock(tx);
      // The database read its clock between these two moments.
      offsetMs = time.getTime() - (askedAt + performance.now()) / 2;
    }).catch(() => {});
  void read();
  const timer = setInterval(read, readEveryMs).unref();
  return {
    now: () => new Date(offsetMs + performance.now()),
    stop: () => clearInterval(timer),
  };
}
