/**
 * The job queue: pg-boss, in the same PostgreSQL. A job is sent inside the transaction that needs it, so that
 * neither exists without the other. Its tables are made by `db/queue-tables.ts`.
 */
import { PgBoss } from 'pg-boss';
import type { Database, Tx } from '../db/database.ts';
import { importQueue, queueSchema } from '../db/queue-tables.ts';

/** One job says: there may be waiting scans in this repository. The order among them is the scans' own. */
export interface ImportJob {
  tenantId: string;
  repositoryId: string;
}

/** The queue under the running role. `supervise` on the process that works; others only send. */
export async function openQueue(db: Database, options: { supervise: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.importPool.query(text, values as unknown[]) },
    schema: queueSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.supervise,
  });
  // Errors of its upkeep are seen in the next attempt; a job's own errors are the worker's to report.
  boss.on('error', () => {});
  await boss.start();
  return boss;
}

/** Sends the job in the transaction: it is there when the transaction is, and not otherwise. */
export async function sendImportJob(boss: PgBoss, tx: Tx, job: ImportJob): Promise<void> {
  await boss.send(importQueue, job, {
    db: {
      executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values ?? []) }),
    },
  });
}
