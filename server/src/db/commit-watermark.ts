/**
 * Which changes can be relied on as seen: rows carry the time at which their transaction began, and a long one
 * commits minutes later, with a time that lies behind whoever read meanwhile. Reads only.
 */
import type { Tx } from './database.ts';

export interface Horizon {
  now: Date;
  /** Whatever carries an earlier time is committed, or never will be: each later statement sees all of it. */
  committedBefore: Date;
}

// PostgreSQL shows a transaction's beginning a moment after it has begun, and clocks are set back by moments.
const lagSeconds = 5;

/**
 * The beginning of the oldest transaction that runs, less a lag. All that writes does so as the running role, whose
 * transactions on all nodes the role sees; those of others, such as a backup's, hold nothing back.
 */
export async function readCommitWatermark(tx: Tx): Promise<Horizon> {
  const [row] = await tx.query<{ now: Date; committed_before: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as now,
            date_trunc('milliseconds', least(clock_timestamp(), min(xact_start)) - interval '${lagSeconds} seconds') as committed_before
       from pg_stat_activity where datname = current_database()`,
  );
  if (!row) throw new Error('no clock');
  return { now: row.now, committedBefore: row.committed_before };
}
