/**
 * The job queue: pg-boss, in the same PostgreSQL. A job is sent inside the transaction that needs it, so that neither
 * exists without the other. `db/queue-tables.ts` creates its tables.
 */

import type { Job, PgBoss } from 'pg-boss';
import { inWorker } from '../db/connection-share.ts';
import { type Database, importTx, type Tx } from '../db/database.ts';
import { importQueue, policyQueue, queueSchema } from '../db/queue-tables.ts';
import type { TenantId } from '../domain/ids.ts';

/**
 * A job names a workspace: in the import queue one that may have a waiting scan, in the policy queue one whose policies
 * have changed. A workspace has at most one waiting job, and an import job is for one scan, so workspaces take turns.
 */
interface WorkspaceJob {
  tenantId: TenantId;
}

// The workspace whose last turn started the longest ago is next. A workspace without a running scan has priority 0,
// which comes before all others.
function priorityAfterTurn(): number {
  // Seconds since a moment that fits the library's 32 bits for many years.
  return -Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 1000);
}

// The library looks for jobs of dead workers (no heartbeat for 30 seconds) at this interval. The report of a dead
// worker then waits for one minute. With the library's default interval it would wait for two minutes or more.
const upkeepSeconds = 15;

/**
 * Opens the queue under the running role. The library is loaded here, because most processes rarely send a job.
 * `supervise` is true for the process that works; the others only send.
 */
export async function openQueue(db: Database, options: { supervise: boolean }): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.importPool.query(text, values as unknown[]) },
    schema: queueSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.supervise,
    superviseIntervalSeconds: upkeepSeconds,
    monitorIntervalSeconds: upkeepSeconds,
  });
  // The next attempt shows errors of maintenance, and the worker reports the errors of a job.
  boss.on('error', () => {});
  await boss.start();
  return boss;
}

/** The queue of a server. It is opened when the first job is sent. */
export interface LazyQueue {
  open(): Promise<PgBoss>;
  close(): Promise<void>;
}

/** `beforeJob` is called each time that a job is about to be sent. */
export function lazyQueue(db: Database, beforeJob: () => void = () => {}): LazyQueue {
  let opening: Promise<PgBoss> | null = null;
  return {
    open: () => {
      beforeJob();
      opening ??= openQueue(db, { supervise: false }).catch((error) => {
        // The database could not be reached, so the next caller tries again.
        opening = null;
        throw error;
      });
      return opening;
    },
    close: async () => {
      const boss = await opening?.catch(() => null);
      await boss?.stop({ graceful: false });
    },
  };
}

/** True if a worker has work: a job is due, or a worker that has died holds one. */
export async function hasWork(db: Database): Promise<boolean> {
  const { rows } = await db.importPool.query(
    `select exists (select from ${queueSchema}.job
                     where name = any($1) and state < 'active' and not blocked and start_after <= now())
         or exists (select from ${queueSchema}.job
                     where name = any($1) and state = 'active'
                       and heartbeat_on + heartbeat_seconds * interval '1 s' < now()) as waits`,
    [[importQueue, policyQueue]],
  );
  return rows[0].waits;
}

/**
 * Sends the job as a part of the transaction, so that it exists if and only if the transaction commits. A workspace has
 * at most one waiting job. `hadTurn` says that a scan of the workspace has just started or is running.
 */
export async function sendImportJob(boss: PgBoss, tx: Tx, hadTurn: boolean): Promise<void> {
  await send(boss, tx, importQueue, { priority: hadTurn ? priorityAfterTurn() : 0 });
}

/** Sends the job as a part of the transaction. */
export async function sendPolicyJob(boss: PgBoss, tx: Tx): Promise<void> {
  await send(boss, tx, policyQueue, {});
}

async function send(boss: PgBoss, tx: Tx, queue: string, options: { priority?: number }): Promise<void> {
  const { tenantId } = tx;
  await tx.query(`select pg_advisory_xact_lock_shared(${lockOf(queue)})`, [tenantId]);
  const executeSql = async (text: string, values: unknown[] = []) => ({ rows: await tx.query(text, values) });
  const job: WorkspaceJob = { tenantId };
  await boss.send(queue, job, { ...options, singletonKey: tenantId, db: { executeSql } });
}

const lockOf = (queue: string): string => `hashtextextended('job ${queue} ' || $1::text, 0)`;

/**
 * Registers the handler of a queue and returns the id of its worker. Before each job it waits for the end of the
 * transactions that have sent a job for the workspace. A transaction sends no second job while one waits, and the
 * worker may take that one before the transaction commits its data. `failed` also gets an error of this wait.
 */
export async function workOn(
  boss: PgBoss,
  db: Database,
  queue: string,
  handler: {
    concurrency: number;
    work: (tenantId: TenantId) => Promise<void>;
    failed: (error: unknown, tenantId: TenantId) => Promise<void>;
  },
): Promise<string> {
  const { concurrency: localConcurrency, work, failed } = handler;
  return boss.work(
    queue,
    { batchSize: 1, localConcurrency, pollingIntervalSeconds: 0.5 },
    ([job]: Job<WorkspaceJob>[]) =>
      inWorker(async () => {
        if (!job) return;
        const { tenantId } = job.data;
        try {
          // A transaction of its own, so that the lock is not held during the work.
          await importTx(db, tenantId, (tx) =>
            tx.query(`select pg_advisory_xact_lock(${lockOf(queue)})`, [tenantId]),
          );
          await work(tenantId);
        } catch (error) {
          await failed(error, tenantId);
        }
      }),
  );
}

// The job is sent again after this time if other workers hold the scans of a workspace, or if they wait after a failed
// attempt.
const againSeconds = 1;

/** Sends the job again for a little later. A worker does not wait, because there are other workspaces. */
export async function sendLater(boss: PgBoss, tenantId: TenantId): Promise<void> {
  const priority = priorityAfterTurn();
  await boss.send(importQueue, { tenantId }, { startAfter: againSeconds, singletonKey: tenantId, priority });
}
