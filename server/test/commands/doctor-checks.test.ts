/** Tests of the checks of `merlond doctor` on a real install: each check passes once, and finds a real fault once. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { bindToSecret } from '../../src/db/bound-secret.ts';
import { installSecret } from '../../src/db/install-secret.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openUnprepared, prepareDatabase } from '../../src/db/prepare-database.ts';
import { setRoleSettings } from '../../src/db/role-settings.ts';
import type { CheckedInstall, CheckResult } from '../../src/doctor/install/check.ts';
import {
  checkConsole,
  checkDisk,
  checkProxy,
  checkSecretFile,
} from '../../src/doctor/install/node-checks.ts';
import { runChecks } from '../../src/doctor/install/run-checks.ts';
import { consoleDirectory } from '../../src/http/console-directory.ts';
import { freePort } from '../support/free-port.ts';
import { importAll } from '../support/import.ts';
import { sbom } from '../support/matched-workspace.ts';
import { canKeepStatements, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { createDirectory, merlond } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings, stop } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { owner, appUrl, ownerUrl, db, secret, config } = server;
const { people, tenant } = await createTestWorkspace(server, 'acme');
const report = trivy([{ id: 'CVE-2030-1', name: 'lodash', version: '1.0.0' }]);
await importAll(server, 'acme', [reportInput(report), reportInput(sbom('pkg:npm/lodash@1.0.0'))]);
await owner.query(
  `insert into intel_feed (name, version, published_at, rows, sha256, imported_at)
   values ('kev', '1', now(), 1, '\\x00', now()), ('epss', '1', now(), 1, '\\x00', now()),
          ('osv', '1', now(), 1, '\\x00', now())`,
);
await owner.query(
  `insert into sweep_lead (holder, held_until, swept_at, swept_ms, workspaces_due)
   values (gen_random_uuid(), now(), now(), 10, 0)`,
);

const install: CheckedInstall = {
  config: { ...config, databaseUrl: appUrl, secretFile: join(createDirectory(), 'secret') },
  db,
  appUrl,
  ownerUrl,
  loadSecret: async () => secret,
  now: () => new Date(),
};

async function resultOf(name: string, changed: Partial<CheckedInstall> = {}): Promise<CheckResult> {
  const results = await runChecks({ ...install, ...changed });
  const found = results.find(({ check }) => check === name);
  assert.ok(found, name);
  return found;
}

/** Runs the check after the owner has broken something, and repairs it. */
async function resultWhileBroken(
  name: string,
  breakSql: string | string[],
  repairSql: string | string[],
): Promise<CheckResult> {
  await execute(breakSql);
  try {
    return await resultOf(name);
  } finally {
    await execute(repairSql);
  }
}

/** Sends each statement separately, because Citus refuses changes of a role after others in one query. */
async function execute(statements: string | string[]): Promise<void> {
  for (const statement of [statements].flat()) await owner.query(statement);
}

test('a sound install has no fault and no warning, and the exit code 0', async () => {
  const settings = {
    ...nodeSettings(server),
    MERLON_DATABASE_OWNER_URL: ownerUrl,
    MERLON_PUBLIC_URL: 'http://merlon.example.com',
  };
  const { code, stdout, stderr } = await merlond(['doctor', '--json'], settings);
  const { checks } = JSON.parse(stdout) as { checks: { check: string; result: string; found: string }[] };
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(
    checks.filter(({ result }) => result !== 'ok').map(({ check, result }) => `${check} ${result}`),
    // There is no replica, Citus only if the tests run on it, and no process has bound the
    // database to a secret. The disk of the server is not visible from this
    // node.
    [
      'replicas skipped',
      'read replica skipped',
      ...(process.env.TEST_CITUS_NODES === undefined
        ? ['placement on nodes skipped', 'protection on nodes skipped', 'balance of nodes skipped']
        : []),
      'secret skipped',
      'disk skipped',
      'proxy skipped',
    ],
  );
  const text = await merlond(['doctor'], settings);
  assert.match(text.stdout, /^ok {7}running role: merlon_\w+ is neither owner nor superuser/m);
});

test('the owner as the running role is a fault, with what to do and the exit code 1', async () => {
  const settings = { ...nodeSettings(server), MERLON_DATABASE_URL: ownerUrl };
  const { code, stdout } = await merlond(['doctor'], settings);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^fault {4}running role: .* so row-level security does not bind it\n {9}Use another role/m,
  );
});

test('a database that does not answer ends with the exit code 4', async () => {
  const gone = `postgresql://a:b@127.0.0.1:${await freePort()}/merlon`;
  const { code } = await merlond(['doctor'], { ...nodeSettings(server), MERLON_DATABASE_URL: gone });
  assert.equal(code, 4);
});

test('a missing migration is a fault, and checks that need the schema are skipped', async () => {
  await owner.query('create table kept as select * from schema_migration');
  await owner.query("delete from schema_migration where name <> 'schema.sql'");
  const results = await runChecks(install).finally(() =>
    owner.query('insert into schema_migration select * from kept on conflict do nothing; drop table kept'),
  );
  const of = new Map(results.map(({ check, result }) => [check, result]));
  assert.equal(of.get('migrations'), 'fault');
  assert.equal(of.get('counters'), 'skipped');
});

test('a table without row-level security is a fault that names it', async () => {
  const table = 'alter table vulnerability';
  for (const [breakSql, repairSql] of [
    [`${table} no force row level security`, `${table} force row level security`],
    ['alter policy tenant on team rename to other', 'alter policy other on team rename to tenant'],
  ] as const) {
    const result = await resultWhileBroken('row-level security', breakSql, repairSql);
    assert.equal(result.result, 'fault');
    assert.match(result.found, breakSql.includes('team') ? /for team$/ : /for vulnerability$/);
  }
});

test('a running role with all rights on history is a fault, and a migration takes them back', async () => {
  const role = new URL(appUrl).username;
  await execute(['audit_event', 'tenant'].map((table) => `grant all on ${table} to ${role}`));
  const result = await resultOf('rights');
  await migrate(ownerUrl, appUrl);
  assert.equal(result.result, 'fault');
  assert.match(result.found, /may change or empty audit_event, tenant$/);
  assert.equal((await resultOf('rights')).result, 'ok');
});

test('rights on history by everybody are taken back too, and those of a group are for the operator', async () => {
  const role = new URL(appUrl).username;
  await execute([
    'grant all on audit_event to public',
    `create role ${role}_clerks`,
    `grant ${role}_clerks to ${role}`,
    `grant update on vulnerability_event to ${role}_clerks`,
  ]);
  await migrate(ownerUrl, appUrl);
  const { found, ...rest } = await resultWhileBroken(
    'rights',
    [],
    ['revoke all on audit_event from public', `drop owned by ${role}_clerks`, `drop role ${role}_clerks`],
  );
  assert.match(found, /may change or empty vulnerability_event$/);
  assert.match('action' in rest ? rest.action : '', /From \w+_clerks, of which/);
  assert.equal((await resultOf('rights')).result, 'ok');
});

test('a running role that is a member of the owner is a fault', async () => {
  const role = new URL(appUrl).username;
  const ofOwner = new URL(ownerUrl).username;
  const { result, found } = await resultWhileBroken(
    'running role',
    [
      `create role ${role}_group`,
      `grant all on schema public to ${role}_group`,
      `grant ${role}_group to ${role}`,
      `alter table intel_feed owner to ${role}_group`,
    ],
    [`alter table intel_feed owner to ${ofOwner}`, `drop owned by ${role}_group`, `drop role ${role}_group`],
  );
  assert.equal(result, 'fault');
  assert.match(found, /is a member of \w+_group, which is the owner of tables/);
});

test('settings that change the plans are a warning that names them', async () => {
  const role = new URL(appUrl).username;
  const of = `alter role ${role} in database ${new URL(appUrl).pathname.slice(1)}`;
  const settings = { jit: 'on', random_page_cost: '4', timezone: 'Europe/Berlin' };
  for (const [name, value] of Object.entries(settings)) await owner.query(`${of} set ${name} = '${value}'`);
  const result = await resultOf('settings');
  await setRoleSettings(appUrl);
  assert.equal(result.result, 'warning');
  assert.match(result.found, /random_page_cost is 4, .*jit is on, .*TimeZone is Europe\/Berlin/);
});

test('a role whose transactions name no workspace on the nodes of Citus is a fault', {
  skip: process.env.TEST_CITUS_NODES === undefined && 'needs Citus',
}, async () => {
  const role = new URL(appUrl).username;
  const of = `alter role ${role} in database ${new URL(appUrl).pathname.slice(1)}`;
  await owner.query(`${of} reset citus.propagate_set_commands`);
  const result = await resultOf('settings');
  await setRoleSettings(appUrl);
  assert.equal(result.result, 'fault');
  assert.match(result.found, /citus.propagate_set_commands is none, not local/);
  assert.equal((await resultOf('settings')).result, 'ok');
});

test('a pooler that loses prepared statements is a fault, and one that keeps them or sessions is sound', {
  skip: pgbouncerVersion === null && 'pgbouncer is not installed',
}, async (t) => {
  for (const [mode, keptStatements, result] of [
    ['session', 0, 'ok'],
    ['transaction', 0, 'fault'],
    ...(canKeepStatements ? [['transaction', 100, 'ok'] as const] : []),
  ] as const) {
    const pooler = await startPgbouncer(appUrl, mode, keptStatements);
    t.after(() => stop(pooler.child, 'SIGKILL'));
    const found = await resultOf('pooler', { appUrl: pooler.url });
    assert.equal(found.result, result, found.found);
  }
});

test('a clock of this node that is wrong is a warning, then a fault', async () => {
  for (const [seconds, result] of [
    [20, 'warning'],
    [600, 'fault'],
  ] as const) {
    const now = () => new Date(Date.now() + seconds * 1000);
    assert.equal((await resultOf('clock', { now })).result, result);
  }
});

const programs = '/usr/lib/postgresql/15/bin';
const hasPostgres = spawnSync(join(programs, 'initdb'), ['--version']).status === 0;

test('a replica that falls behind is a warning', {
  skip: !hasPostgres && 'PostgreSQL 15 is not installed',
}, async (t) => {
  const directory = createDirectory();
  const data = join(directory, 'data');
  const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asPostgres.length > 0) spawnSync('chown', ['postgres', directory]);
  const commandOf = (program: string, ...args: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...asPostgres, join(programs, program), ...args];
    return [first, rest];
  };
  const port = String(await freePort());
  const made = spawnSync(...commandOf('initdb', '-D', data, '-U', 'admin', '-A', 'trust', '--no-sync'));
  assert.equal(made.status, 0, String(made.stderr));
  const options = `-p ${port} -h 127.0.0.1 -k '' -c fsync=off -c wal_sender_timeout=0`;
  const log = join(directory, 'log');
  const control = (...args: string[]) =>
    spawnSync(...commandOf('pg_ctl', '-D', data, '-w', ...args), { stdio: 'ignore' });
  assert.equal(control('-l', log, '-o', options, 'start').status, 0);
  const url = `postgresql://admin@127.0.0.1:${port}/postgres`;
  const received = join(directory, 'received');
  mkdirSync(received);
  const receiver = spawn(join(programs, 'pg_receivewal'), ['-D', received, '-d', url, '-s', '1'], {
    stdio: 'ignore',
  });
  const client = new pg.Client({ connectionString: url });
  t.after(async () => {
    await client.end();
    await stop(receiver, 'SIGKILL');
    control('-m', 'immediate', 'stop');
  });
  await client.connect();
  const replicas = () => resultOf('replicas', { ownerUrl: url });
  await until(async () => (await replicas()).result === 'ok', 'the receiver is current');
  receiver.kill('SIGSTOP');
  for (let segment = 0; segment < 18; segment++) {
    await client.query("select pg_logical_emit_message(false, 'a', 'b')");
    await client.query('select pg_switch_wal()');
  }
  const late = await replicas();
  assert.equal(late.result, 'warning');
  assert.match(late.found, /pg_receivewal is \d{3} MB/);
});

test('a report that waits for long is a warning, then a fault', async () => {
  const sent = await server.app.inject({
    method: 'POST',
    url: '/ingest/v1/acme/scans?repo=acme/waits&ref=main',
    headers: { authorization: `Bearer ${people.admin.key}`, 'content-type': 'application/octet-stream' },
    payload: JSON.stringify(report),
  });
  assert.equal(sent.statusCode, 202, sent.body);
  assert.equal((await resultOf('queue')).result, 'ok');
  for (const [age, result] of [
    ['20 minutes', 'warning'],
    ['2 hours', 'fault'],
  ] as const) {
    await owner.query(`update scan set created_at = now() - interval '${age}' where status = 'queued'`);
    assert.equal((await resultOf('queue')).result, result);
  }
});

test('a secret to which the database is not bound is a fault', async () => {
  assert.equal((await resultOf('secret')).result, 'skipped');
  await bindToSecret(db.pool, secret, 'secret');
  assert.equal((await resultOf('secret')).result, 'ok');
  const other = installSecret(Buffer.alloc(32, 8));
  assert.equal((await resultOf('secret', { loadSecret: async () => other })).result, 'fault');
  const unset = await resultOf('secret', { config: { ...install.config, secretFile: null } });
  assert.deepEqual([unset.result, unset.found.split(',')[0]], ['fault', 'MERLON_SECRET_FILE is not set']);
  const missing = { ...nodeSettings(server), MERLON_SECRET_FILE: join(createDirectory(), 'none') };
  const { code, stdout } = await merlond(['doctor'], missing);
  assert.equal(code, 1);
  assert.match(stdout, /^fault {4}secret: MERLON_SECRET_FILE=.*: no such file/m);
});

test('an embedded database with an older schema or another secret is checked as it is, and stays so', async () => {
  const dataDir = join(createDirectory(), 'data');
  const config = loadConfig({ MERLON_DATA_DIR: dataDir });
  await (await prepareDatabase(config)).close();
  const lower = 'update pgboss.version set version = version - 1';
  const asOwner = async (sql: string): Promise<pg.QueryResult> => {
    const opened = await openUnprepared(config);
    const client = new pg.Client({ connectionString: opened.ownerUrl ?? '' });
    try {
      await client.connect();
      return await client.query(sql);
    } finally {
      await client.end();
      await opened.close();
    }
  };
  const checks = async () => {
    const { code, stdout, stderr } = await merlond(['doctor'], { MERLON_DATA_DIR: dataDir });
    assert.equal(code, 1, stdout + stderr);
    return stdout;
  };
  const { rows: before } = await asOwner(`${lower} returning version`);
  assert.match(await checks(), /^fault {4}migrations: the database lacks schema/m);
  const { rows: after } = await asOwner('select version from pgboss.version');
  assert.deepEqual(after, before);

  await (await prepareDatabase(config)).close();
  writeFileSync(join(dataDir, 'secret'), '08'.repeat(32), { mode: 0o600 });
  assert.match(
    await checks(),
    /^fault {4}secret: \w+, but the database belongs to the secret \w+\n {9}Use the file of the secret/m,
  );
  rmSync(join(dataDir, 'secret'));
  assert.match(await checks(), /^fault {4}secret: .*: no such file/m);
  assert.equal(existsSync(join(dataDir, 'secret')), false);
});

test('a sweep that has not run for long is a fault', async () => {
  const result = await resultWhileBroken(
    'sweep',
    "update sweep_lead set swept_at = now() - interval '1 hour'",
    'update sweep_lead set swept_at = now()',
  );
  assert.equal(result.result, 'fault');
});

test('a sweep that fails in a workspace is a warning', async () => {
  const of = 'update sweep_lead set workspaces_failed =';
  const result = await resultWhileBroken('sweep', `${of} 2`, `${of} 0`);
  assert.equal(result.result, 'warning');
  assert.match(result.found, /has failed in 2 workspaces/);
});

test('a counter that is wrong is a fault that names the workspace', async () => {
  const of = `vulnerability_count where tenant_id = '${tenant.id}' and scope = 'workspace'`;
  const change = (by: number) => `update ${of.replace(' where', ` set count = count + ${by} where`)}`;
  const result = await resultWhileBroken('counters', change(1), change(-1));
  assert.equal(result.result, 'fault');
  assert.match(result.found, /the counters of acme are wrong/);
});

test('many references without a scan for half a year that are not emptied are a warning', async () => {
  const add = `insert into reference (tenant_id, id, repository_id, full_ref, type, active, last_scanned_at)
    select r.tenant_id, gen_random_uuid(), r.id, 'refs/pull/' || n || '/head', 'pull_request', false, now() - interval '181 days'
      from (select * from repository limit 1) r cross join generate_series(1, 1001) n`;
  const result = await resultWhileBroken(
    'old references',
    add,
    `delete from reference where full_ref like 'refs/pull/%'`,
  );
  assert.equal(result.result, 'warning');
  assert.match(result.found, /^1001 branches, tags and pull requests/);
  const emptied = await resultWhileBroken(
    'old references',
    [add, `update reference set emptied_at = now() where not active`],
    `delete from reference where full_ref like 'refs/pull/%'`,
  );
  assert.equal(emptied.result, 'ok');
});

test('intel that is old or missing is a warning', async () => {
  const old = await resultWhileBroken(
    'intel',
    "update intel_feed set published_at = now() - interval '30 days' where name = 'kev'",
    'update intel_feed set published_at = now()',
  );
  assert.equal(old.result, 'warning');
  assert.match(old.found, /kev is 30 days old/);
  const missing = await resultWhileBroken(
    'intel',
    "create table kept as select * from intel_feed where name = 'epss'; delete from intel_feed where name = 'epss'",
    'insert into intel_feed select * from kept; drop table kept',
  );
  assert.match(missing.found, /epss is not loaded/);
  const addEcosystem =
    "insert into osv_ecosystem values ('npm', '2026-01-02T03:00:00Z'), ('pypi', '2026-01-02T03:00:00Z')";
  const quiet = await resultWhileBroken('intel', addEcosystem, 'delete from osv_ecosystem');
  assert.equal(quiet.result, 'warning');
  assert.match(quiet.found, /osv has no change of npm since 2026-01-02$/);
});

test('a disk that is nearly full is a fault', async (t) => {
  const directory = createDirectory();
  assert.match((await checkDisk(directory)).found, /GB of .* are free/);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory]).status === 0;
  if (!mounted) return t.skip('no right to mount a small disk');
  t.after(() => spawnSync('umount', [directory]));
  writeFileSync(join(directory, 'full'), Buffer.alloc(7 * 1024 * 1024));
  assert.equal((await checkDisk(directory)).result, 'fault');
});

test('a secret that every user of the machine may read is a warning', {
  skip: process.platform === 'win32' && 'Windows has no modes of files',
}, async () => {
  const file = join(createDirectory(), 'secret');
  writeFileSync(file, 'ab');
  chmodSync(file, 0o640);
  assert.equal((await checkSecretFile(file)).result, 'ok');
  chmodSync(file, 0o644);
  assert.match((await checkSecretFile(file)).found, /has the mode 0644/);
  assert.equal((await checkSecretFile(file)).result, 'warning');
});

test('a connection to another machine without TLS is a warning', async () => {
  assert.equal((await resultOf('encryption')).result, 'ok');
  const elsewhere = Object.assign(new URL(appUrl), { hostname: 'db.example.com' }).href;
  const { result, found } = await resultOf('encryption', { appUrl: elsewhere });
  assert.equal(result, 'warning');
  assert.match(found, /^the connection to db\.example\.com is not encrypted/);
});

test('a proxy that ends TLS is a warning if it is not trusted, or anybody is', () => {
  const resultOf = (publicUrl: string | null, trustProxy: boolean | string) =>
    checkProxy({ publicUrl, trustProxy }).result;
  assert.equal(resultOf('https://merlon.acme.example', false), 'warning');
  assert.equal(resultOf('https://merlon.acme.example', true), 'warning');
  assert.equal(resultOf('https://merlon.acme.example', '10.0.0.1'), 'ok');
  assert.equal(resultOf('http://127.0.0.1:8080', false), 'skipped');
  assert.equal(resultOf(null, false), 'skipped');
});

test('a server without a public URL is a warning', async () => {
  const unset = await resultOf('public URL', { config: { ...install.config, publicUrl: null } });
  assert.equal(unset.result, 'warning');
});

test('a build of the console without one of its files is a fault', async () => {
  const copy = join(createDirectory(), 'dist');
  cpSync(consoleDirectory, copy, { recursive: true });
  assert.equal((await checkConsole(copy)).result, 'ok');
  for (const name of readdirSync(join(copy, 'assets'))) rmSync(join(copy, 'assets', name));
  assert.match((await checkConsole(copy)).found, /the build lacks assets\//);
  rmSync(join(copy, 'index.html'));
  assert.equal((await checkConsole(copy)).result, 'fault');
});
