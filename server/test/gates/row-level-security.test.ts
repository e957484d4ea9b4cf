/**
 * Tests of row-level security alone, as the running role: without a tenant no row is visible, with one only its rows,
 * and no row can be written into another tenant. The tables come from the catalog, so that a new one is tested too.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { tenantTables } from '../../src/doctor/isolation/leaks.ts';
import { fieldOf } from '../support/fields.ts';
import { createWorld } from '../support/world.ts';

/** Tables with a tenant_id that every tenant's transaction may read, each with the reason. It may only shrink. */
const unprotected: Record<string, string> = {
  api_key: 'a request looks its key up before its tenant is known; by the digest of the key alone',
  api_key_tenant: 'read with the key; holds ids of workspaces only',
};
/** Tables without a tenant_id belong to the install. A table of a tenant must never be in this list. */
const ofTheInstall = [
  'epss',
  'install_secret',
  'intel_feed',
  'kev',
  'osv_advisory',
  'osv_ecosystem',
  'osv_package',
  'rate_limit',
  'schema_migration',
  'ssvc',
  'sweep_lead',
  'tenant',
  'user_account',
  'user_credential',
  'user_session',
  'user_verification',
];
const appendOnly = ['audit_event', 'vulnerability_event'];
const denied = '42501';
const unsupported = '0A000';
const onCitus = process.env.TEST_CITUS_NODES !== undefined;

const { server, home, foreign } = await createWorld();
const app = new pg.Pool({ connectionString: server.appUrl, max: 1 });
app.on('connect', (client) => client.on('error', () => {}));
server.beforeClose(() => app.end());
const protectedTables = (
  await tenantTables(async <Row>(sql: string) => (await server.owner.query(sql)).rows as Row[])
).filter((table) => !(table in unprotected));
for (const side of [home, foreign]) await fillEmptyTables(side.tenant.id);

type Query = <Row extends pg.QueryResultRow = pg.QueryResultRow>(
  sql: string,
  values?: unknown[],
) => Promise<pg.QueryResult<Row>>;

/** Runs as the running role and rolls back; `tenantId` null sets no tenant. */
async function asApp<T>(tenantId: string | null, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await app.connect();
  try {
    await client.query('begin');
    if (tenantId !== null) await client.query(`set local merlon.tenant_id = '${tenantId}'`);
    return await work((sql, values) => client.query(sql, values));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function countAsOwner(table: string, tenantId: string): Promise<number> {
  const { rows } = await server.owner.query<{ n: number }>(
    `select count(*)::int as n from ${table} where tenant_id = $1`,
    [tenantId],
  );
  return rows[0]?.n ?? 0;
}

async function count(query: Query, table: string, where = 'true'): Promise<number> {
  const { rows } = await query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`);
  return rows[0]?.n ?? 0;
}

/** The SQLSTATE with which the statement fails; it is undone either way. */
async function failureOf(query: Query, sql: string, values: unknown[] = []): Promise<string | null> {
  await query('savepoint attempt');
  const code = await query(sql, values).then(
    () => null,
    (error: pg.DatabaseError) => error.code ?? 'unknown',
  );
  await query('rollback to savepoint attempt');
  return code;
}

// Some tables have rows only in temporary states, such as a waiting report. A row with plain values is enough.
async function fillEmptyTables(tenantId: string): Promise<void> {
  const plain: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: `'x'`,
    smallint: '0',
    integer: '0',
    bigint: '0',
    real: '0',
    boolean: 'false',
    bytea: `decode(repeat('00', 32), 'hex')`,
    jsonb: `'{}'`,
    'timestamp with time zone': 'now()',
  };
  const client = await server.owner.connect();
  try {
    // Each node of Citus checks its own foreign keys, so the setting must reach all of them.
    await client.query('begin');
    await client.query("set local citus.propagate_set_commands = 'local'");
    await client.query('set local session_replication_role = replica');
    for (const table of protectedTables) {
      if ((await countAsOwner(table, tenantId)) > 0) continue;
      const { rows } = await client.query<{ name: string; type: string; state: string | null }>(
        `select attname as name, format_type(atttypid, null) as type,
                (select substring(pg_get_constraintdef(c.oid) from '''[^'']*''') from pg_constraint c where c.contypid = atttypid) as state
           from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'tenant_id'`,
        [table],
      );
      const values = rows.map(({ name, type, state }) => {
        const value = state ?? (type.endsWith('[]') ? `'{}'` : plain[type]);
        if (value === undefined) throw new Error(`${table}.${name}: no plain value for ${type}`);
        return value;
      });
      await client.query(
        `insert into ${table} (tenant_id, ${rows.map((row) => row.name).join(', ')}) values ($1, ${values.join(', ')})`,
        [tenantId],
      );
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

describe('row-level security', () => {
  test('every table is either protected by its tenant or a known exception', async () => {
    const { rows } = await server.owner.query<{ name: string }>(
      `select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
    );
    const known = [...protectedTables, ...Object.keys(unprotected), ...ofTheInstall].sort();
    assert.deepEqual(rows.map((row) => row.name).sort(), known);
    const state = await server.owner.query<{ name: string; forced: boolean; rule: string; command: string }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
              pg_get_expr(p.polqual, p.polrelid) as rule, p.polcmd as command, p.polname
         from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
        where c.relname = any($1) and c.relnamespace = 'public'::regnamespace`,
      [protectedTables],
    );
    assert.equal(state.rows.length, protectedTables.length);
    for (const row of state.rows) {
      assert.equal(row.forced, true, `${row.name}: not forced`);
      assert.equal(row.command, '*', row.name);
      assert.match(
        row.rule,
        onCitus
          ? /^\(tenant_id = \(?NULLIF\(current_setting\('merlon.tenant_id'/
          : /^\(tenant_id = \( SELECT \(NULLIF\(current_setting\('merlon.tenant_id'/,
        row.name,
      );
    }
    const others = await server.owner.query<{ name: string; policy: string; command: string }>(
      `select polrelid::regclass::text as name, polname as policy, polcmd as command from pg_policy
        where polname <> 'tenant'`,
    );
    assert.deepEqual(others.rows, [{ name: 'member', policy: 'own', command: 'r' }]);
  });

  test('the running role is no superuser, no owner, and may neither bypass nor create', async () => {
    const { rows } = await app.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
              has_schema_privilege(current_user, 'public', 'CREATE') as creates,
              (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace
                  and pg_has_role(current_user, c.relowner, 'MEMBER')) as owned,
              (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace
                  and c.relkind = 'r' and has_table_privilege(current_user, c.oid, 'TRUNCATE')) as truncated
         from pg_roles where rolname = current_user`,
    );
    assert.deepEqual(rows[0], {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      creates: false,
      owned: 0,
      truncated: 0,
    });
  });

  for (const table of protectedTables) {
    test(table, async () => {
      const own = await countAsOwner(table, home.tenant.id);
      assert.ok(own > 0 && (await countAsOwner(table, foreign.tenant.id)) > 0, 'there is nothing to hide');
      await asApp(null, async (query) => assert.equal(await count(query, table), 0, 'no tenant'));
      await asApp('', async (query) => assert.equal(await count(query, table), 0, 'empty tenant'));
      // PostgreSQL computes generated columns, so a test row must not set them.
      const { rows: written } = await server.owner.query<{ name: string }>(
        `select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      );
      const columns = written.map(({ name }) => name);
      const { rows } = await server.owner.query<Record<string, string | null>>(
        `select ${columns.map((name) => `${name}::text`).join(', ')} from ${table} where tenant_id = $1 limit 1`,
        [foreign.tenant.id],
      );
      const [row] = rows;
      assert.ok(row);
      await asApp(home.tenant.id, async (query) => {
        assert.equal(await count(query, table), own, 'its own rows and no others');
        assert.equal(await count(query, table, `tenant_id <> '${home.tenant.id}'`), 0);
        const insert = `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`;
        const values = columns.map((name) => row[name]);
        assert.equal(await failureOf(query, insert, values), denied, 'insert');
        const move = `update ${table} set tenant_id = '${foreign.tenant.id}'`;
        // Citus moves no row to another tenant, whatever its policy.
        const refusals = onCitus ? [denied, unsupported] : [denied];
        assert.ok(refusals.includes((await failureOf(query, move)) ?? ''), 'moved to another tenant');
        if (appendOnly.includes(table)) return;
        const touching = onCitus ? columns.find((name) => name !== 'tenant_id') : 'tenant_id';
        if (touching !== undefined) {
          const touched = await query(`update ${table} set ${touching} = ${touching} where tenant_id = $1`, [
            foreign.tenant.id,
          ]);
          assert.equal(touched.rowCount, 0, 'update');
        }
        // Rows that others refer to cannot be deleted. Rows of another tenant are not even found.
        const gone = await query(`delete from ${table} where tenant_id = $1`, [foreign.tenant.id]);
        assert.equal(gone.rowCount, 0, 'delete');
      });
    });
  }

  test('history and audit cannot be changed or deleted', async () => {
    for (const table of appendOnly) {
      await asApp(home.tenant.id, async (query) => {
        assert.ok((await count(query, table)) > 0);
        assert.equal(await failureOf(query, `update ${table} set at = now()`), denied);
        assert.equal(await failureOf(query, `delete from ${table}`), denied);
        assert.equal(await failureOf(query, `truncate ${table}`), denied);
      });
    }
  });

  test('the setting ends with its transaction', async () => {
    await asApp(home.tenant.id, async (query) => {
      assert.ok((await count(query, 'vulnerability')) > 0);
    });
    // The pool has one connection, so it is the same one.
    assert.equal(await count((sql, values) => app.query(sql, values), 'vulnerability'), 0);
  });

  test('before a tenant is chosen a user sees only the own memberships', async () => {
    const { id } = home.people.viewer.user;
    await asApp(null, async (query) => {
      await query(`set local merlon.user_id = '${id}'`);
      const { rows } = await query<{ user_id: string }>('select user_id from member');
      assert.deepEqual(fieldOf(rows, 'user_id'), [id]);
      assert.equal((await query("update member set role = 'admin'")).rowCount, 0);
      assert.equal((await query('delete from member')).rowCount, 0);
    });
  });
});
