/**
 * The job queue: pg-boss, in the same PostgreSQL. A job is sent inside the transaction that needs it, so that
 * neither exists without the other. The owner installs its tables; the running role only uses them.
 */
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Database, Tx } from '../db/database.ts';

const schema = 'pgboss';

/** One job says: there may be waiting scans in this repository. The order among them is the scans' own. */
export const importQueue = 'import';
export interface ImportJob {
  tenantId: string;
  repositoryId: string;
}

/** As the owner: tables, queues, and the rights of the running role. */
export async function installQueue(ownerUrl: string, roleName: string, client: pg.Client): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, schema, supervise: false, schedule: false, max: 2 });
  boss.on('error', () => {});
  await boss.start();
  try {
    await boss.createQueue(importQueue, {
      retryLimit: 5,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 300,
      // A worker that dies is noticed by its missing heartbeat, not by this limit.
      expireInSeconds: 3600,
      heartbeatSeconds: 30,
      deleteAfterSeconds: 3600,
    });
  } finally {
    await boss.stop({ graceful: false });
  }
  const role = client.escapeIdentifier(roleName);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
  await client.query(`grant usage on all sequences in schema ${schema} to ${role}`);
  await client.query(`grant execute on all functions in schema ${schema} to ${role}`);
}

/** The queue under the running role. `supervise` on the process that works; others only send. */
export async function openQueue(db: Database, options: { supervise: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.importPool.query(text, values as unknown[]) },
    schema,
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
