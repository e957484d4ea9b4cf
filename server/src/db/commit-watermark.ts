/**
 * The commit watermark is the time up to which all changes are visible. Rows carry the time at which their transaction
 * began, so a long transaction may commit rows that are older than rows that a reader has already seen.
 */
import type { InstallTx, Tx } from './database.ts';

/** The time of the database now, which differs from that of the transaction. */
export async function readClock(tx: InstallTx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as now`);
  if (!row) throw new Error('no clock');
  return row.now;
}

export interface Horizon {
  now: Date;
  /** All rows with an earlier time are committed or rolled back, so each later statement sees all of them. */
  committedBefore: Date;
}

// PostgreSQL shows the beginning of a transaction a moment after it has begun, and clocks can be set back a little.
const lagSeconds = 5;

/**
 * Returns the beginning of the oldest running transaction, minus a lag. All writers use the running role, which sees
 * its own transactions on all nodes. Transactions of other roles, such as a backup, do not hold the watermark back.
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
