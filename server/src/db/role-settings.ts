/**
 * Settings that give the statements of the service the same meaning and the same plans everywhere. They belong to the
 * running role in its database, so that they hold on a server with any settings, and behind a pooler, which passes no
 * settings on.
 */
import pg from 'pg';
import { isCitus } from './citus.ts';
import { readSettings } from './server-settings.ts';

const settings: readonly [name: string, value: string, reason: string][] = [
  ['random_page_cost', '1.1', 'SSD: a random read costs about what a sequential one does'],
  ['timezone', 'UTC', 'the days of the trend begin at midnight of UTC for every reader'],
  ['datestyle', 'ISO', 'the form of times that the driver reads'],
  // A transaction of a request sets its own limits. An import and the queue have none.
  ['statement_timeout', '0', 'an import may take minutes'],
  ['lock_timeout', '0', 'it waits for the one before it in the same repository'],
  ['idle_in_transaction_session_timeout', '0', 'it computes between its statements'],
  ['transaction_timeout', '0', 'the same limit for the whole; PostgreSQL 17 and later'],
  // An import whose node is cut off from the network holds its locks until the server notices.
  ['tcp_keepalives_idle', '10', 'seconds after which an idle connection is asked'],
  ['tcp_keepalives_interval', '5', 'seconds between further questions'],
  ['tcp_keepalives_count', '3', 'questions without an answer that end it'],
  ['tcp_user_timeout', '30s', 'the same for a connection to which something was sent'],
  ['jit', 'off', 'costs tens of milliseconds to compile and wins only on queries that Merlon does not make'],
];

// The shards of Citus are under row-level security too, so that each node must know the tenant of the transaction.
const citusSettings: typeof settings = [
  ['citus.propagate_set_commands', 'local', 'SET LOCAL holds on every node that the transaction reaches'],
  // Several connections to one node would not see each other's rows, and foreign keys lead to reference tables.
  ['citus.multi_shard_modify_mode', 'sequential', 'a transaction has one connection to each node'],
  [
    'citus.node_connection_timeout',
    '3s',
    'a node that cannot be reached keeps the worker from the others no longer',
  ],
];

/**
 * Sets them as the role of `appUrl` itself, because a role may always change its own settings and its owner may not.
 */
export async function setRoleSettings(appUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const database = client.escapeIdentifier(client.database ?? '');
    const wanted = (await isCitus(client)) ? [...settings, ...citusSettings] : settings;
    const known = await readSettings(
      client,
      wanted.map(([name]) => name),
    );
    for (const [name, value] of wanted.filter(([name]) => known.has(name))) {
      await client.query(`alter role current_user in database ${database} set ${name} = '${value}'`);
    }
  } finally {
    await client.end();
  }
}
