/**
 * The tables of the job queue, as their owner makes them: pg-boss's schema, our queues, the rights of the running
 * role. `jobs/queue.ts` uses them.
 */
import type pg from 'pg';
import { PgBoss } from 'pg-boss';

export const queueSchema = 'pgboss';
export const importQueue = 'repository';
export const policyQueue = 'policy';

const queueOptions = {
  // One job of a key waits at most, however much came for it: of a repository that has reports, of a workspace whose
  // policies have changed.
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  // A worker that dies is noticed by its missing heartbeat, not by this limit.
  expireInSeconds: 3600,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3600,
} as const;

/** As the owner: tables, queues, and the rights of the running role. */
export async function installQueue(ownerUrl: string, roleName: string, client: pg.Client): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: queueSchema,
    supervise: false,
    schedule: false,
    max: 2,
  });
  boss.on('error', () => {});
  await boss.start();
  try {
    for (const queue of [importQueue, policyQueue]) await boss.createQueue(queue, queueOptions);
  } finally {
    await boss.stop({ graceful: false });
  }
  const role = client.escapeIdentifier(roleName);
  await client.query(`grant usage on schema ${queueSchema} to ${role}`);
  await client.query(
    `grant select, insert, update, delete on all tables in schema ${queueSchema} to ${role}`,
  );
  await client.query(`grant usage on all sequences in schema ${queueSchema} to ${role}`);
  await client.query(`grant execute on all functions in schema ${queueSchema} to ${role}`);
}
