/** Tests of the whole program: it starts, is killed, and starts again. Nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDirectory, exitOf, merlond, start, untilSays } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { until } from '../support/until.ts';

const address = /http:\/\/127\.0\.0\.1:\d+/;

function postgresRuns(dataDir: string): boolean {
  const pid = readdirSync(join(dataDir, 'postgres')).includes('postmaster.pid')
    ? Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    : 0;
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('after SIGKILL the server starts again, a command runs beside it, and SIGINT stops everything', async () => {
  const directory = createDirectory();
  const dataDir = join(directory, 'data');
  const settings = { MERLON_DATA_DIR: dataDir, MERLON_PORT: '0', MERLON_LOG_LEVEL: 'warn' };

  const first = start(['serve'], settings);
  const [url] = await untilSays(first, address);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);

  // These commands use the same database as the running server.
  await merlond(['workspace', 'create', 'acme', '--name', 'Acme'], settings);
  await merlond(['user', 'create', 'ada@example.com', '--name', 'Ada'], settings);
  await merlond(['member', 'add', 'ada@example.com', '--workspace', 'acme', '--role', 'member'], settings);
  const made = await merlond(
    [
      'key',
      'create',
      '--kind',
      'personal',
      '--user',
      'ada@example.com',
      '--name',
      'x',
      '--scopes',
      'vulnerabilities:read',
    ],
    settings,
  );
  const authorization = `Bearer ${made.stdout.trim()}`;
  const report = join(directory, 'trivy.json');
  writeFileSync(report, JSON.stringify(trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }])));
  const imported = await merlond(
    ['scan', 'import', report, '--workspace', 'acme', '--repo', 'acme/shop'],
    settings,
  );
  assert.equal(imported.code, 0, imported.stderr);
  const list = async (base: string | undefined): Promise<number> => {
    const answer = await fetch(`${base}/api/v1/acme/vulnerabilities`, { headers: { authorization } });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { summary: { total: number } }).summary.total;
  };
  assert.equal(await list(url), 1);

  first.kill('SIGKILL');
  await exitOf(first);
  const second = start(['serve'], settings);
  const [again] = await untilSays(second, address);
  assert.equal(await list(again), 1, 'nothing is lost, and the key still works');

  second.kill('SIGINT');
  assert.equal(await exitOf(second), 0);
  assert.equal(postgresRuns(dataDir), false, 'the last one out stops PostgreSQL');
});

test('a command that a signal ends stops its PostgreSQL, and leaves that of a server running', async () => {
  const dataDir = join(createDirectory(), 'data');
  const settings = { MERLON_DATA_DIR: dataDir, MERLON_PORT: '0', MERLON_LOG_LEVEL: 'warn' };
  const create = ['workspace', 'create', 'acme', '--name', 'Acme'];
  const processesOfDatabase = (): number => readdirSync(join(dataDir, 'leases')).length;
  const interrupted = async (processes: number): Promise<number | null> => {
    const command = start(create, settings);
    const exit = exitOf(command);
    const isOpen = () => existsSync(join(dataDir, 'leases')) && processesOfDatabase() >= processes;
    await until(() => isOpen() || command.exitCode !== null, 'PostgreSQL is open');
    await sleep(100);
    command.kill('SIGTERM');
    return exit;
  };
  assert.notEqual(await interrupted(1), 0);
  assert.deepEqual([postgresRuns(dataDir), processesOfDatabase()], [false, 0]);

  const server = start(['serve'], settings);
  const [url] = await untilSays(server, address);
  await interrupted(2);
  assert.deepEqual([postgresRuns(dataDir), processesOfDatabase()], [true, 1]);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  server.kill('SIGINT');
  await exitOf(server);
  assert.equal(postgresRuns(dataDir), false);
});

test('SIGTERM while the server starts ends it in order, without a PostgreSQL that stays', async () => {
  const dataDir = join(createDirectory(), 'data');
  const server = start(['serve'], { MERLON_DATA_DIR: dataDir, MERLON_PORT: '0' });
  await untilSays(server, /making a PostgreSQL/);
  server.kill('SIGTERM');
  assert.equal(await exitOf(server), 0);
  assert.equal(postgresRuns(dataDir), false);
});

test('a server whose outputs are closed or full answers on, and SIGTERM ends it in order', async () => {
  const dataDir = join(createDirectory(), 'data');
  const settings = { MERLON_DATA_DIR: dataDir, MERLON_PORT: '0', MERLON_LOG_LEVEL: 'debug' };
  const full = process.platform === 'linux' ? openSync('/dev/full', 'w') : 'pipe';
  for (const stdout of ['pipe', full] as const) {
    const server = start(['serve'], settings, { stdout });
    const [url] = await untilSays(server, address);
    server.stdout?.destroy();
    server.stderr?.destroy();
    // Each request writes lines to the log.
    for (let i = 0; i < 20; i++) assert.equal((await fetch(`${url}/readyz`)).status, 200);
    server.kill('SIGTERM');
    assert.equal(await exitOf(server), 0);
    assert.equal(postgresRuns(dataDir), false);
  }
});

test('after a full disk has space again, the server recovers by itself', async (t) => {
  const disk = createDirectory();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk]);
  if (mounted.status !== 0) return t.skip('needs Linux and root: a small disk is mounted');
  try {
    const dataDir = join(disk, 'data');
    const server = start(['serve'], { MERLON_DATA_DIR: dataDir, MERLON_PORT: '0', MERLON_LOG_LEVEL: 'warn' });
    const [url] = await untilSays(server, address);
    const filling = join(disk, 'filling');
    assert.notEqual(spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1M']).status, 0);
    const refused = untilSays(server, /disk of .* is full: free some space/);
    await endPostgresByWriting(dataDir);
    await refused;
    const unready = await fetch(`${url}/readyz`);
    assert.equal(unready.status, 503);
    const recovered = untilSays(server, /PostgreSQL runs again/);
    rmSync(filling);
    await recovered;
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    server.kill('SIGTERM');
    assert.equal(await exitOf(server), 0);
    assert.equal(postgresRuns(dataDir), false);
  } finally {
    spawnSync('umount', ['--lazy', disk]);
  }
});

/** Writes until PostgreSQL has no space for its write-ahead log, which ends it. */
async function endPostgresByWriting(dataDir: string): Promise<void> {
  const { ownerPassword } = JSON.parse(readFileSync(join(dataDir, 'postgres-credentials.json'), 'utf8'));
  const port = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  const client = new pg.Client(`postgresql://merlon_owner:${ownerPassword}@127.0.0.1:${port}/merlon`);
  client.on('error', () => {});
  await client.connect();
  const write = `select pg_logical_emit_message(false, 'test', repeat('x', 9000000))`;
  await assert.rejects(async () => {
    for (let i = 0; i < 100; i++) await client.query(write);
  });
  await client.end().catch(() => {});
}
