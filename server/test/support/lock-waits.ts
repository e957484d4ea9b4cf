/** The statements of the server in this test's database that wait for a lock of another transaction. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

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
  for (let i = 0; i < 200; i++) {
    if ((await countLockWaits(owner)) >= count) return;
    await sleep(25);
  }
  assert.fail(`fewer than ${count} wait`);
}
