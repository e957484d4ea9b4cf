/** Checks of PostgreSQL: the role, its settings, the schema, and the connection to this node. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { neededEncoding } from '../../db/check-owner.ts';
import { replicaProblem } from '../../db/replica.ts';
import { listExcessRights, powerOfRole } from '../../db/role-power.ts';
import { listUnprotectedTables } from '../../db/row-level-security.ts';
import { schemaProblem, schemaState } from '../../db/schema-state.ts';
import { readSettings } from '../../db/server-settings.ts';
import { isLoopback } from '../../domain/loopback.ts';
import {
  type Check,
  type CheckedInstall,
  type CheckResult,
  describeSeconds,
  fault,
  ok,
  skipped,
  warning,
} from './check.ts';

const leastVersion = 15;

export const databaseChecks: Check[] = [
  {
    name: 'PostgreSQL version',
    needsSchema: false,
    run: async ({ db }) => {
      const { rows } = await db.pool.query(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major`,
      );
      const { version, major } = rows[0];
      return major >= leastVersion
        ? ok(version)
        : fault(version, `Merlon needs PostgreSQL ${leastVersion} or later.`);
    },
  },
  {
    name: 'encoding',
    needsSchema: false,
    run: async ({ db }) => {
      const { rows } = await db.pool.query(`select current_setting('server_encoding') as encoding`);
      const { encoding } = rows[0];
      return encoding === neededEncoding
        ? ok(encoding)
        : fault(
            encoding,
            `Make a database with the encoding ${neededEncoding}, and bring the data there by merlond backup and merlond restore.`,
          );
    },
  },
  {
    name: 'encryption',
    needsSchema: false,
    run: async ({ db, appUrl }) => {
      const { host } = new pg.Client(appUrl);
      if (host.startsWith('/') || isLoopback(host)) return ok('the database is on this machine');
      const { rows } = await db.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return rows[0]?.ssl
        ? ok(`the connection to ${host} is encrypted`)
        : warning(
            `the connection to ${host} is not encrypted`,
            'Add ?sslmode=verify-full&sslrootcert=FILE to the addresses of the database, unless nobody else is on the network between.',
          );
    },
  },
  {
    name: 'running role',
    needsSchema: false,
    run: async ({ db }) => {
      const { name, power } = await powerOfRole(db.pool);
      return power === null
        ? ok(`${name} is neither owner nor superuser, and row-level security binds it`)
        : fault(
            `${name} ${power}, so row-level security does not bind it`,
            'Use another role in MERLON_DATABASE_URL; merlond migrate makes it.',
          );
    },
  },
  {
    name: 'migrations',
    needsSchema: false,
    run: async ({ db }) => {
      const state = await schemaState(db.pool);
      if (state.tooNew.length > 0) return fault('the database is too new', schemaProblem(state) ?? '');
      if (state.pending.length > 0) {
        return fault(`the database lacks ${state.pending.join(', ')}`, 'Run merlond migrate.');
      }
      return ok(
        state.isNewer
          ? 'the schema is newer, and this version may run on it'
          : 'the schema is that of this version',
      );
    },
  },
  {
    name: 'row-level security',
    needsSchema: true,
    run: async ({ db }) => {
      const tables = await listUnprotectedTables(db.pool);
      return tables.length === 0
        ? ok('it is on for every table of workspaces')
        : fault(
            `it is not on, as it should be, for ${tables.join(', ')}`,
            'As the owner: ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY; restore a backup if the policy is gone.',
          );
    },
  },
  {
    name: 'rights',
    needsSchema: true,
    run: async ({ db }) => {
      const { tables, groups } = await listExcessRights(db.pool);
      return tables.length === 0
        ? ok('the running role can only add to history, and can empty no table')
        : fault(
            `the running role may change or empty ${tables.join(', ')}`,
            groups.length === 0
              ? 'Run merlond migrate: it takes these rights back.'
              : `Run merlond migrate, which takes them from the role and from PUBLIC. From ${groups.join(', ')}, of which the role is a member, take them by REVOKE.`,
          );
    },
  },
  { name: 'settings', needsSchema: false, run: ({ appUrl }) => checkSettings(appUrl) },
  { name: 'pooler', needsSchema: false, run: ({ appUrl }) => checkPooler(appUrl) },
  {
    name: 'clock',
    needsSchema: false,
    run: async ({ db, now }) => {
      const askedAt = now().getTime();
      const { rows } = await db.pool.query('select clock_timestamp() as at');
      // The database read its clock between these two moments.
      const here = (askedAt + now().getTime()) / 2;
      const seconds = Math.abs(here - rows[0].at.getTime()) / 1000;
      const found = `the clocks of this node and of the database differ by ${describeSeconds(seconds)}`;
      const action = 'Let both follow a time server (NTP): due dates and the order of scans depend on it.';
      if (seconds > 60) return fault(found, action);
      return seconds > 5 ? warning(found, action) : ok(found);
    },
  },
  {
    name: 'replicas',
    needsSchema: false,
    run: async ({ appUrl, ownerUrl }) => withClient(ownerUrl ?? appUrl, checkReplicas),
  },
  { name: 'read replica', needsSchema: false, run: checkReadReplica },
];

const wantedSettings: { name: string; wanted: string; isGood: (value: string) => boolean }[] = [
  { name: 'random_page_cost', wanted: 'at most 2', isGood: (value) => Number(value) <= 2 },
  { name: 'jit', wanted: 'off', isGood: (value) => value === 'off' },
  {
    name: 'TimeZone',
    wanted: 'UTC',
    isGood: (value) => /^(?:(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)|GMT)$/.test(value),
  },
  { name: 'DateStyle', wanted: 'ISO', isGood: (value) => value.startsWith('ISO') },
  { name: 'statement_timeout', wanted: '0', isGood: (value) => value === '0' },
  { name: 'lock_timeout', wanted: '0', isGood: (value) => value === '0' },
  { name: 'idle_in_transaction_session_timeout', wanted: '0', isGood: (value) => value === '0' },
  // PostgreSQL 17 and later.
  { name: 'transaction_timeout', wanted: '0', isGood: (value) => value === '0' },
  { name: 'row_security', wanted: 'on', isGood: (value) => value === 'on' },
  // Without it no node knows the workspace of a transaction, and row-level security hides every row.
  { name: 'citus.propagate_set_commands', wanted: 'local', isGood: (value) => value === 'local' },
];

// The connection has none of the parameters that the server sends for each of its connections.
async function checkSettings(appUrl: string): Promise<CheckResult> {
  return withClient(appUrl, async (client) => {
    const values = await readSettings(
      client,
      wantedSettings.map(({ name }) => name),
    );
    const wrong = wantedSettings.filter(({ name, isGood }) => {
      const value = values.get(name);
      return value !== undefined && !isGood(value);
    });
    if (wrong.length === 0) return ok([...values].map(([name, value]) => `${name} ${value}`).join(', '));
    const found = wrong.map(({ name, wanted }) => `${name} is ${values.get(name)}, not ${wanted}`).join('; ');
    const action =
      'Run merlond migrate, on Citus with the address of the coordinator: it gives the running role its settings.';
    return wrong.some(({ name }) => name.startsWith('citus.'))
      ? fault(found, action)
      : warning(found, action);
  });
}

/**
 * A pooler gives a client another session after each transaction or statement. A second client takes the session of the
 * first one, if the pooler allows it.
 */
async function checkPooler(appUrl: string): Promise<CheckResult> {
  return withClient(appUrl, (first) =>
    withClient(appUrl, async (other) => {
      const session = async (client: pg.Client): Promise<number> =>
        (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
      const named = { name: 'merlond doctor', text: 'select 1 as one' };
      const before = await session(first);
      await first.query(named);
      await other.query('begin');
      await session(other);
      const after = await session(first);
      const works = await first.query(named).then(
        () => true,
        () => false,
      );
      await other.query('rollback');
      if (before === after) return ok('none, or one that keeps sessions');
      const found = 'a pooler gives each transaction another session';
      return works
        ? ok(`${found}, and keeps prepared statements`)
        : fault(
            `${found}, and prepared statements are lost`,
            'Use sessions in the pooler (pool_mode = session), or PgBouncer 1.21 or later with max_prepared_statements.',
          );
    }),
  );
}

const maxReplicaLagBytes = 256 * 1024 * 1024;
const maxReplicaLagSeconds = 60;

async function checkReplicas(client: pg.Client): Promise<CheckResult> {
  const { rows } = await client.query<{ name: string; state: string | null; bytes: number; seconds: number }>(
    `select application_name as name, state,
            coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(replay_lsn, flush_lsn, sent_lsn)), 0)::float8 as bytes,
            coalesce(extract(epoch from coalesce(replay_lag, flush_lag)), 0)::float8 as seconds
       from pg_stat_replication order by application_name, pid`,
  );
  if (rows.length === 0) return skipped('no replica is connected');
  if (rows.some(({ state }) => state === null)) {
    return skipped(
      'this role may not see how far replicas are: grant pg_monitor, or set MERLON_DATABASE_OWNER_URL',
    );
  }
  const found = rows
    .map(
      ({ name, bytes, seconds }) =>
        `${name} is ${Math.round(bytes / 1024 / 1024)} MB and ${describeSeconds(seconds)} behind`,
    )
    .join('; ');
  const isLate = rows.some(
    ({ bytes, seconds }) => bytes > maxReplicaLagBytes || seconds > maxReplicaLagSeconds,
  );
  return isLate
    ? warning(
        found,
        'Look at the network and the disk of the replica. A failover now would lose what it lacks.',
      )
    : ok(found);
}

// A replica that needs longer is of no use for lists, whatever the setting says.
const longestCatchUpMs = 5_000;

/** Checks that the replica for lists may be used, and how long it takes to have what the primary has. */
async function checkReadReplica({ config, appUrl }: CheckedInstall): Promise<CheckResult> {
  const { databaseReadUrl: readUrl, databaseReadLagMs: maxLagMs } = config;
  if (readUrl === null) return skipped('lists are read from the primary');
  return withClient(appUrl, (primary) =>
    withClient(readUrl, async (replica) => {
      const problem = await replicaProblem(primary, replica);
      if (problem !== null) {
        return fault(
          problem,
          'Name a streaming replica of the same server in MERLON_DATABASE_READ_URL, as the same role. Lists are read from the primary until then.',
        );
      }
      const { rows } = await primary.query('select pg_current_wal_flush_lsn() as position');
      const startedAt = performance.now();
      const hasPosition = async (): Promise<boolean> => {
        const needed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
        return (await replica.query(needed, [rows[0].position])).rows[0].has;
      };
      let isBehind = !(await hasPosition());
      while (isBehind && performance.now() - startedAt <= longestCatchUpMs) {
        await sleep(5);
        isBehind = !(await hasPosition());
      }
      const ms = Math.round(performance.now() - startedAt);
      const found = `it had what the primary had after ${isBehind ? 'more than ' : ''}${ms} ms`;
      return !isBehind && ms <= maxLagMs
        ? ok(found)
        : warning(
            found,
            'Lists are read from the primary while it is behind: look at its disk and network, or raise MERLON_DATABASE_READ_LAG_MS.',
          );
    }),
  ).catch((error: Error) =>
    warning(
      `not reached: ${error.message}`,
      'Lists are read from the primary meanwhile. Check MERLON_DATABASE_READ_URL and the replica.',
    ),
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'merlond doctor',
    connectionTimeoutMillis: 10_000,
    // A pooler without a free session lets the client wait.
    query_timeout: 30_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
