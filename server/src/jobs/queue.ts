/**
 * The job queue: pg-boss, in the same PostgreSQL. A job is sent inside the transaction that needs it, so that
 * neither exists without the other. Its tables are made by `db/queue-tables.ts`.
 */
import { PgBoss } from 'pg-boss';
import type { Database, Tx } from '../db/database.ts';
import { importQueue, policyQueue, queueSchema } from '../db/queue-tables.ts';

/** One job says: there may be waiting scans in this repository. The order among them is the scans' own. */
export interface ImportJob {
  tenantId: string;
  repositoryId: string;
}

// How often jobs are looked for whose worker has died (no heartbeat for 30 seconds): a report that it had waits a minute,
// where the library's own rhythm makes it two and more.
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

/** Sends the job in the transaction: it is there when the transaction is, and not otherwise. One that waits will do. */
export async function sendImportJob(boss: PgBoss, tx: Tx, job: ImportJob): Promise<void> {
  await boss.send(importQueue, job, {
    singletonKey: job.repositoryId,
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

// How often a repository is asked about whose scan another worker has.
const againSeconds = 1;

/** Sends the job again for a little later: a worker must not wait, for there are other repositories. */
export async function sendLater(boss: PgBoss, job: ImportJob): Promise<void> {
  await boss.send(importQueue, job, { startAfter: againSeconds, singletonKey: job.repositoryId });
}
