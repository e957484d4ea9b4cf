/** The statements of the server in this test's database that wait for a lock of another transaction. */
import type pg from 'pg';
import { until } from './until.ts';

// On Citus a statement waits on a worker, to which the coordinator has connected with a name of its own.
const server = "(application_name = 'merlond' or application_name like 'citus_internal%')";

export async function countLockWaits(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and ${server} and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

/** Returns when at least this many wait. */
export async function untilLockWaits(owner: pg.Pool, count = 1): Promise<void> {
  await until(async () => (await countLockWaits(owner)) >= count, `${count} statements wait for a lock`);
}
