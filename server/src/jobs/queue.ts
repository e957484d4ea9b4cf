/**
 * The job queue: pg-boss, in the same PostgreSQL. A job is sent inside the transaction that needs it, so that
 * neither exists without the other. Its tables are made by `db/queue-tables.ts`.
 */
import { PgBoss } from 'pg-boss';
import type { Database, Tx } from '../db/database.ts';
import { importQueue, policyQueue, queueSchema } from '../db/queue-tables.ts';

/**
 * One job says: there may be a waiting scan in this workspace. A workspace has one job at most that waits, and a job is
 * for one scan: so workspaces take turns. Which scan is next is the scans' own order.
 */
export interface ImportJob {
  tenantId: string;
}

// The next job is that of the workspace whose last turn began the longest ago. A workspace without a scan in work comes
// before all of these, with priority 0.
function priorityAfterTurn(): number {
  // Seconds, since a moment that leaves room in the library's 32 bits.
  return -Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 1000);
}

// How often jobs are looked for whose worker has died (no heartbeat for 30 seconds): a report that it had waits a
// minute, where the library's own rhythm makes it two and more.
const upkeepSeconds = 15;

/** The queue under the running role. `supervise` on the process that works; others only send. */
export async function openQueue(db: Database, options: { supervise: boolean }): Promise<PgBoss> {
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
  // Errors of its upkeep are seen in the next attempt; a job's own errors are the worker's to report.
  boss.on('error', () => {});
  await boss.start();
  return boss;
}

/** The queue of a server, opened when the first job is sent. */
export interface LazyQueue {
  open(): Promise<PgBoss>;
  close(): Promise<void>;
}

export function lazyQueue(db: Database): LazyQueue {
  let opening: Promise<PgBoss> | null = null;
  return {
    open: () => {
      opening ??= openQueue(db, { supervise: false }).catch((error) => {
        // The database was away: the next one who sends tries again.
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

/**
 * Sends the job in the transaction: it is there when the transaction is, and not otherwise. One that waits will do.
 * `hadTurn`: a scan of the workspace has just been begun, or is being worked on.
 */
export async function sendImportJob(boss: PgBoss, tx: Tx, job: ImportJob, hadTurn: boolean): Promise<void> {
  await boss.send(importQueue, job, {
    singletonKey: job.tenantId,
    priority: hadTurn ? priorityAfterTurn() : 0,
    db: {
      executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values ?? []) }),
    },
  });
}

/** One job says: policies of this workspace have changed. */
export interface PolicyJob {
  tenantId: string;
}

export async function sendPolicyJob(boss: PgBoss, tx: Tx, job: PolicyJob): Promise<void> {
  await boss.send(policyQueue, job, {
    singletonKey: job.tenantId,
    db: {
      executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values ?? []) }),
    },
  });
}

// A workspace whose scans are with other workers, or pause after a failed attempt, is looked at again after this time.
const againSeconds = 1;

/** Sends the job again for a little later: a worker must not wait, for there are other workspaces. */
export async function sendLater(boss: PgBoss, { tenantId }: ImportJob): Promise<void> {
  const priority = priorityAfterTurn();
  await boss.send(importQueue, { tenantId }, { startAfter: againSeconds, singletonKey: tenantId, priority });
}
