/**
 * Creates the tables of the job queue as their owner: the schema of pg-boss, our queues and the rights of the running
 * role. `jobs/queue.ts` uses them.
 */
import type pg from 'pg';

export const queueSchema = 'pgboss';
export const importQueue = 'repository';
export const policyQueue = 'policy';

const queueOptions = {
  // At most one job of a key waits, however often one is sent. The key is a workspace with new reports or changed
  // policies.
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  // A missing heartbeat shows that a worker has died, so this limit can be long.
  expireInSeconds: 3600,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3600,
} as const;

/** Installs tables, queues and the rights of the running role. `ownerUrl` and `client` must be the owner's. */
export async function installQueue(ownerUrl: string, roleName: string, client: pg.Client): Promise<void> {
  const { PgBoss } = await import('pg-boss');
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
