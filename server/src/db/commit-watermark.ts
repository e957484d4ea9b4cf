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

export interface CommitWatermark {
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
export async function readCommitWatermark(tx: Tx): Promise<CommitWatermark> {
  const [row] = await tx.query<{ now: Date; committed_before: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as now,
            date_trunc('milliseconds', least(clock_timestamp(), min(xact_start)) - interval '${lagSeconds} seconds') as committed_before
       from pg_stat_activity where datname = current_database()`,
  );
  if (!row) throw new Error('no clock');
  const { now, committed_before: here } = row;
  if (!tx.isDistributed) return { now, committedBefore: here };
  const there = now.getTime() - (await ageOnNode(tx)) * 1000 - lagSeconds * 1000;
  return { now, committedBefore: new Date(Math.min(here.getTime(), there)) };
}

// A transaction that also writes a table of all nodes is prepared on each. If a node or the coordinator fails at that
// moment, Citus commits it there later. How long it had run before is not known, and no request runs so long.
const beforePreparedSeconds = 3600;

/**
 * Returns the age in seconds of the oldest transaction on the node of the workspace, which may end there later than at
 * the coordinator. Throws an Error if the node does not answer.
 */
async function ageOnNode(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ success: boolean; result: string }>(
    `select r.success, r.result
       from (select nodename, nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
              where p.shardid = get_shard_id_for_distribution_column('tenant_anchor', $1::bigint)) n
      cross join lateral master_run_on_worker(array[n.nodename], array[n.nodeport], array[$2], false) r`,
    [tx.tenantId, oldestOnNode],
  );
  if (!row?.success) throw new Error(`the node of the workspace does not answer: ${row?.result}`);
  return Number(row.result);
}

const oldestOnNode = `select coalesce(greatest(extract(epoch from clock_timestamp() - min(a.xact_start)),
    (select extract(epoch from clock_timestamp() - min(prepared)) + ${beforePreparedSeconds} from pg_prepared_xacts
      where database = current_database())), 0)
  from pg_stat_activity a where a.datname = current_database()`;
