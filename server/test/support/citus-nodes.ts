/**
 * The nodes of the Citus on which the tests run. A database of Citus exists on every node, and the coordinator has a
 * list of the nodes. So a database is created, copied and dropped on all nodes.
 */
import pg from 'pg';

/** The superuser's addresses of all nodes, the coordinator first; null for a server that is no coordinator of Citus. */
export async function citusNodes(url: string): Promise<string[] | null> {
  return query(url, async (client) => {
    const { rows: found } = await client.query("select 1 from pg_extension where extname = 'citus'");
    if (found.length === 0) return null;
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and isactive order by groupid',
    );
    if (rows.length === 0) throw new Error('TEST_DATABASE_URL: the coordinator knows no worker');
    return [
      url,
      ...rows.map(
        ({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
      ),
    ];
  });
}

/** Creates an empty database on every node, and adds the workers to its coordinator. */
export async function createOnNodes(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await execute(inDatabase(node, 'postgres'), [`create database ${name}`]);
    await execute(inDatabase(node, name), ['create extension citus']);
  }
  const [coordinator = '', ...workers] = nodes;
  const { hostname, port } = new URL(coordinator);
  await execute(inDatabase(coordinator, name), [
    `select citus_set_coordinator_host('${hostname}', ${port})`,
    ...workers.map((worker) => {
      const address = new URL(worker);
      return `select citus_add_node('${address.hostname}', ${address.port})`;
    }),
  ]);
}

/** Prevents all connections, also those of the daemon of Citus, so that the database can be copied. */
export async function closeOnNodes(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await execute(inDatabase(node, 'postgres'), [
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ]);
  }
}

/** Sends each statement separately, because some cannot run in a transaction. */
export async function execute(url: string, statements: string[]): Promise<void> {
  await query(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

export const inDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

// A coordinator refuses a statement that it cannot plan as a feature that it does not support, or without a class, or
// takes the rows of an aggregate of several shards for rows of another type.
const refusals = new Set(['0A000', 'XX000', '42804']);

/**
 * Makes the owner's pool run statements on Citus that its planner refuses, because a test may read all workspaces at
 * once, with any join. Such a query runs on local copies of the tables that it names, and such an update on each shard.
 */
export function withLocalReads(pool: pg.Pool): pg.Pool {
  const send = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  const query = async (statement: string, values?: unknown[]): Promise<pg.QueryResult> => {
    // A statement that waits for a row does so on a worker.
    const text = statement.replaceAll('pg_stat_activity', 'citus_stat_activity');
    try {
      return await send(text, values);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!refusals.has(code)) throw error;
      if (/^\s*(?:select|with)\b/i.test(text)) return onCopies(pool, text, values);
      const updated = /^\s*update (\w+) set\b/i.exec(text)?.[1];
      if (updated === undefined) throw error;
      return onShards(send, updated, text, values);
    }
  };
  return Object.assign(pool, { query });
}

/** Runs an update on each shard that the coordinator refuses, such as one with a function of a column. */
async function onShards(
  send: (text: string, values?: unknown[]) => Promise<pg.QueryResult>,
  table: string,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const literal = (value: unknown): string => (value === null ? 'null' : pg.escapeLiteral(String(value)));
  const command = text
    .replaceAll('%', '%%')
    .replaceAll(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]))
    .replace(/update \w+/i, 'update %s');
  const result = await send('select success, result from run_command_on_shards($1, $2)', [table, command]);
  const failed = result.rows.find((row) => !row.success);
  if (failed) throw new Error(failed.result);
  return result;
}

async function onCopies(pool: pg.Pool, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
        where c.relnamespace = 'public'::regnamespace`,
    );
    const words = new Set(text.match(/\w+/g));
    for (const { name } of rows.filter((row) => words.has(row.name))) {
      // A temporary table is found before one of the schema.
      await client.query(`create temporary table ${name} on commit drop as select * from public.${name}`);
    }
    return await client.query(text, values);
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

/** The plan of the coordinator has that of the shard inside. */
type ExplainedPlan = Record<string, unknown> & {
  'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': { Plan: unknown }[][] }[] } };
};

/**
 * Returns the root of a plan in JSON: on Citus that of the only shard, without the number of the shard in its names,
 * and elsewhere the plan as it is.
 */
export function planOnOneShard(plan: ExplainedPlan): unknown {
  const tasks = plan['Distributed Query']?.Job.Tasks;
  if (tasks === undefined) return plan;
  const [task] = tasks;
  if (task === undefined || tasks.length > 1) throw new Error(`the statement reads ${tasks.length} shards`);
  return JSON.parse(JSON.stringify(task['Remote Plan'][0]?.[0]?.Plan), (key, value) =>
    /^(?:Relation|Index) Name$/.test(key) ? value.replace(/_\d+$/, '') : value,
  );
}

async function query<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
