/** Tests of a PostgreSQL server instead of the embedded database: the same program with two addresses. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createDirectory, exitOf, merlond, start, untilSays } from '../support/process.ts';

const templateOwner = process.env.TEST_TEMPLATE_OWNER_URL ?? '';
const templateApp = process.env.TEST_TEMPLATE_URL ?? '';
const name = `server_${randomBytes(6).toString('hex')}`;
const named = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;
const directory = createDirectory();
const secretFile = join(directory, 'secret');
writeFileSync(secretFile, randomBytes(32).toString('hex'));

// The addresses of the running role, whose name and password the test run has set, and of the owner.
const settings = {
  MERLON_DATABASE_URL: named(templateApp, name),
  MERLON_SECRET_FILE: secretFile,
  MERLON_DATA_DIR: join(directory, 'unused'),
  MERLON_PORT: '0',
  MERLON_LOG_LEVEL: 'warn',
};

const admin = new pg.Client({ connectionString: named(templateOwner, 'postgres') });
admin.on('error', () => {});
await admin.connect();
await admin.query(`create database ${name}`);
after(async () => {
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

test('a database without the schema, a missing secret and a powerful role are refused with what to do', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [settings, /The database lacks .*Run merlond migrate\./],
    [{ ...settings, MERLON_SECRET_FILE: '' }, /MERLON_SECRET_FILE is required with MERLON_DATABASE_URL/],
    [{ ...settings, MERLON_SECRET_FILE: join(directory, 'none') }, /no such file\. Make it once/],
    [
      { ...settings, MERLON_DATABASE_URL: named(templateOwner, name) },
      /is a superuser, so row-level security does not bind it/,
    ],
  ];
  for (const [environment, message] of cases) {
    const refused = await merlond(['serve'], environment);
    assert.equal(refused.code, 3, refused.stderr);
    assert.match(refused.stderr, message);
  }
  const unreachable = Object.assign(new URL(templateApp), { port: '1' }).href;
  assert.equal((await merlond(['serve'], { ...settings, MERLON_DATABASE_URL: unreachable })).code, 4);
  assert.equal((await merlond(['migrate'], settings)).code, 2, 'the owner is named');
});

test('migrate makes serve possible, and a second migrate does nothing', async () => {
  const owner = { ...settings, MERLON_DATABASE_OWNER_URL: named(templateOwner, name) };
  const first = await merlond(['migrate', '--json'], owner);
  assert.equal(first.code, 0, first.stderr);
  assert.ok(JSON.parse(first.stdout).applied.length >= 1);
  const second = await merlond(['migrate', '--json'], owner);
  assert.deepEqual(JSON.parse(second.stdout).applied, []);
  const role = new pg.Client({ connectionString: settings.MERLON_DATABASE_URL });
  await role.connect();
  const planner = await role.query(
    "select current_setting('random_page_cost') as cost, current_setting('jit') as jit",
  );
  await role.end();
  assert.deepEqual(planner.rows, [{ cost: '1.1', jit: 'off' }]);

  await merlond(['workspace', 'create', 'acme', '--name', 'Acme'], settings);
  const made = await merlond(
    [
      'key',
      'create',
      '--kind',
      'workspace',
      '--workspace',
      'acme',
      '--name',
      'ci',
      '--scopes',
      'vulnerabilities:read',
    ],
    settings,
  );
  const server = start(['serve'], settings);
  const [url] = await untilSays(server, /http:\/\/127\.0\.0\.1:\d+/);
  const answer = await fetch(`${url}/api/v1/acme/vulnerabilities`, {
    headers: { authorization: `Bearer ${made.stdout.trim()}` },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '59', 'counted in the database');
  const { rows } = await admin.query('select count(*)::int as n from pg_stat_activity where datname = $1', [
    name,
  ]);
  assert.ok(rows[0].n > 0);
  server.kill('SIGTERM');
  assert.equal(await exitOf(server), 0);
});

test('a process with another secret file than that of the database does not start, until the file is accepted', async () => {
  const other = join(directory, 'other');
  writeFileSync(other, randomBytes(32).toString('hex'));
  const withOther = { ...settings, MERLON_SECRET_FILE: other };
  for (const command of [['serve'], ['worker'], ['workspace', 'list']]) {
    const refused = await merlond(command, withOther);
    assert.equal(refused.code, 3, command.join(' '));
    assert.match(
      refused.stderr,
      /other: the database belongs to the secret [0-9a-f]{16}, and this file holds/,
    );
  }
  const backup = join(directory, 'wrong.backup');
  assert.equal((await merlond(['backup', backup], withOther)).code, 3);
  assert.ok(!existsSync(backup));
  const running = start(['serve'], settings);
  await untilSays(running, /http:\/\/127\.0\.0\.1:\d+/);
  const early = await merlond(['secret', 'accept'], withOther);
  assert.equal(early.code, 3);
  assert.match(early.stderr, /Stop all processes, and try again/);
  running.kill('SIGTERM');
  assert.equal(await exitOf(running), 0);
  const accepted = await merlond(['secret', 'accept', '--json'], withOther);
  assert.match(accepted.stdout, /"fingerprint": ?"[0-9a-f]{16}"/);
  assert.equal(accepted.code, 0, accepted.stderr);
  assert.equal((await merlond(['workspace', 'list'], withOther)).code, 0);
  assert.equal((await merlond(['workspace', 'list'], settings)).code, 3);
  assert.equal((await merlond(['secret', 'accept'], settings)).code, 0);
});
