/**
 * Tests of an operator's PostgreSQL server with default settings, of the oldest installed version: the primary becomes
 * a standby, and a pooler is in front.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { commitSteps } from '../../src/commit-steps.ts';
import { isConnectionLost } from '../../src/db/connection-errors.ts';
import { openDatabase } from '../../src/db/database.ts';
import { send } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { canKeepStatements, pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { installedPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { createDirectory, exitOf, merlond } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { createInstall, openApp } from '../support/server-install.ts';
import { get, nodeSettings, sendReport, startServing, stop, untilFinal } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const programs = installedPostgres();
const skip = programs === null && 'no PostgreSQL 15 or later is installed';
const primary = programs === null ? null : await startPostgresServer(programs, createDirectory());
after(() => primary?.stop());

const portOf = (url: string): string => new URL(url).port;

test('a connection that leads to a standby gives 503 for writes, and the server is not ready', {
  skip,
}, async (t) => {
  assert.ok(primary);
  const { appUrl } = await createInstall(primary);
  const db = openDatabase(appUrl, { commitSteps, maxConnections: 2 });
  const { people } = await createTestWorkspace({ db } as Parameters<typeof createTestWorkspace>[0], 'acme');
  await db.close();
  const standby = await primary.addStandby();
  const standbyUrl = Object.assign(new URL(appUrl), { port: portOf(standby.url) }).href;
  const { app, close } = await openApp(standbyUrl);
  t.after(async () => {
    await close();
    await standby.stop();
  });
  const authorization = `Bearer ${people.admin.key}`;
  assert.equal((await send(app, { path: '/api/v1/acme/vulnerabilities', authorization })).status, 200);
  const written = await send(app, {
    method: 'POST',
    path: '/manage/v1/acme/applications',
    authorization,
    body: { name: 'Shop' },
  });
  assert.equal(written.status, 503, written.text);
  assert.equal(written.body.code, 'SERVICE_UNAVAILABLE');
  assert.match(written.headers['retry-after'] ?? '', /^\d+$/);
  assert.equal((await send(app, { path: '/readyz' })).status, 503);
  const settings = nodeSettings({ appUrl: standbyUrl } as Parameters<typeof nodeSettings>[0]);
  const refused = await merlond(['serve'], settings);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /MERLON_DATABASE_URL: leads to a standby, .* Use the address of the primary/);

  const promoter = new pg.Client({ connectionString: standby.url });
  await promoter.connect();
  await promoter.query('select pg_promote()');
  await promoter.end();
  // The server keeps an answer for a second.
  await sleep(1_500);
  assert.equal((await send(app, { path: '/readyz' })).status, 200);
  const again = await send(app, {
    method: 'POST',
    path: '/manage/v1/acme/applications',
    authorization,
    body: { name: 'Shop' },
  });
  assert.equal(again.status, 201, again.text);
});

const documented = fileURLToPath(new URL('../../../deploy/proxy/pgbouncer.ini', import.meta.url));
const skipPooler =
  skip ||
  (!canKeepStatements &&
    (pgbouncerVersion ? `${pgbouncerVersion.name} is older than 1.21` : 'pgbouncer is not installed'));

test('the sample of PgBouncer notices a vanished node as soon as PostgreSQL itself does', {
  skip,
}, async () => {
  assert.ok(primary);
  const { appUrl } = await createInstall(primary);
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name like 'tcp\\_%' and source = 'database user'",
  );
  await client.end();
  const pooler = Object.fromEntries(
    readFileSync(documented, 'utf8')
      .matchAll(/^(tcp_\w+) = (\d+)$/gm)
      .map(([, name, value]) => [name, value]),
  );
  const server = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  assert.deepEqual(pooler, {
    tcp_keepidle: server.tcp_keepalives_idle,
    tcp_keepintvl: server.tcp_keepalives_interval,
    tcp_keepcnt: server.tcp_keepalives_count,
    tcp_user_timeout: server.tcp_user_timeout,
  });
});

async function startPooler(
  server: PostgresServer,
  appUrl: string,
): Promise<{ port: number; child: ChildProcess }> {
  const directory = createDirectory();
  chmodSync(directory, 0o755);
  const port = await freePort();
  const configuration = join(directory, 'pgbouncer.ini');
  const users = join(directory, 'users.txt');
  const text = readFileSync(documented, 'utf8')
    .replace('merlon = host=127.0.0.1 port=5432', `* = host=127.0.0.1 port=${portOf(server.url)}`)
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('users.txt', users);
  writeFileSync(configuration, process.getuid?.() === 0 ? `${text}user = postgres\n` : text);
  const { username, password } = new URL(appUrl);
  writeFileSync(users, `"${username}" "${password}"\n`);
  const child = spawn(pgbouncer, [configuration], { stdio: 'ignore' });
  return { port, child };
}

test('a request is answered with 503 while PostgreSQL is down behind PgBouncer, and with 200 afterwards', {
  skip: skip || (pgbouncerVersion === null && 'pgbouncer is not installed'),
}, async (t) => {
  assert.ok(primary);
  const { appUrl } = await createInstall(primary);
  const pooler = await startPgbouncer(appUrl, 'session');
  const { app, db, close } = await openApp(pooler.url);
  t.after(async () => {
    await close();
    await stop(pooler.child, 'SIGKILL');
  });
  const { people } = await createTestWorkspace({ db } as Parameters<typeof createTestWorkspace>[0], 'acme');
  const request = () =>
    send(app, { path: '/api/v1/acme/vulnerabilities', authorization: `Bearer ${people.admin.key}` });
  assert.equal((await request()).status, 200);
  const malformed = db.pool.query('select $1::int', [1, 2]).catch((error: unknown) => error);
  assert.deepEqual(
    [isConnectionLost(await malformed), ((await malformed) as pg.DatabaseError).code],
    [false, '08P01'],
  );
  const waiting = db.pool.query('select pg_sleep(20)').catch((error: unknown) => error);
  await sleep(500);
  await primary.kill();
  assert.ok(isConnectionLost(await waiting), String(await waiting));
  assert.equal((await request()).status, 503);
  await primary.start();
  await until(async () => (await request()).status === 200, 'a request is answered');
});

test('everything works through PgBouncer in transaction mode', { skip: skipPooler }, async (t) => {
  assert.ok(primary);
  const install = await createInstall(primary);
  const db = openDatabase(install.appUrl, { commitSteps, maxConnections: 2 });
  const { people } = await createTestWorkspace({ db } as Parameters<typeof createTestWorkspace>[0], 'acme');
  await db.close();
  const { port, child } = await startPooler(primary, install.appUrl);
  t.after(async () => {
    const exit = exitOf(child);
    // A softer signal would wait for its clients.
    child.kill('SIGKILL');
    await exit;
  });
  const appUrl = Object.assign(new URL(install.appUrl), { port: String(port) }).href;
  await untilListening(appUrl);
  const node = await startServing({
    ...nodeSettings({ appUrl } as Parameters<typeof nodeSettings>[0]),
    MERLON_PROCESSES: '2',
  });
  t.after(() => stop(node.child));
  const { key } = people.admin;
  const scans: string[] = [];
  for (let i = 0; i < 6; i++) {
    const rows = Array.from({ length: 20 }, (_, n) => ({
      id: `CVE-2030-${1000 + i * 20 + n}`,
      name: 'lodash',
      version: '1',
    }));
    const body = Buffer.from(JSON.stringify(trivy(rows)));
    const query = { repo: `acme/service-${i}`, ref: 'main' };
    const answer = await sendReport({ url: node.url, key, slug: 'acme', query, body });
    assert.equal(answer.status, 202, answer.text);
    scans.push(JSON.parse(answer.text).id);
  }
  for (const id of scans) {
    assert.equal((await untilFinal(node.url, `/api/v1/acme/scans/${id}`, key, 60_000)).status, 'completed');
  }
  // Twice as many requests at once as the pooler has connections, so that a prepared statement meets connections that
  // lack it.
  const paths = [
    'vulnerabilities',
    'vulnerabilities?state=open&sort=newest',
    'overview',
    'vulnerabilities/facets',
    'scans',
  ];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => get(node.url, `/api/v1/acme/${paths[i % paths.length]}`, key)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], node.said());
  assert.equal((await get(node.url, '/readyz')).status, 200);
  const settings = new pg.Client({ connectionString: appUrl });
  await settings.connect();
  const { rows } = await settings.query(
    "select current_setting('random_page_cost') as cost, current_setting('jit') as jit",
  );
  await settings.end();
  assert.deepEqual(rows, [{ cost: '1.1', jit: 'off' }]);
});

async function untilListening(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}
