/**
 * Creates the tables of the job queue as their owner: the schema of pg-boss, our queues and the rights of the running
 * role. `jobs/queue.ts` uses them.
 */
import type pg from 'pg';
import library from 'pg-boss/package.json' with { type: 'json' };

export const queueSchema = 'pgboss';
/** The version of the tables that the library needs. It refuses any other version, lower or higher. */
export const queueVersion = library.pgboss.schema;

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

/**
 * True in SQL if the role may read the version of the tables: they exist, and `migrate` has given the role its rights.
 * to_regclass would be an error for a role that may not use the schema.
 */
export const queueVersionIsReadable = `exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = '${queueSchema}' and c.relname = 'version'
     and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))`;

/** The version of the tables in SQL. The statement fails if they do not exist. */
export const queueVersionInDatabase = `(select version from ${queueSchema}.version)`;

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
