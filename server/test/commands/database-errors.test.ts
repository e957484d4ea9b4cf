/** Tests of an operator's mistakes with a PostgreSQL server: each is refused with a text that says what to do. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { refuseOldServer } from '../../src/db/connection-errors.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { nodeSettings } from '../support/serving.ts';

const ownerUrl = process.env.TEST_TEMPLATE_OWNER_URL ?? '';
const appUrl = process.env.TEST_TEMPLATE_URL ?? '';
const admin = new pg.Client({ connectionString: changed(ownerUrl, { pathname: '/postgres' }) });
await admin.connect();
const made: string[] = [];
after(async () => {
  for (const statement of made.reverse()) await admin.query(statement);
  await admin.end();
});

function changed(
  url: string,
  parts: Partial<Record<'username' | 'password' | 'host' | 'pathname', string>>,
): string {
  return Object.assign(new URL(url), parts).href;
}

/** True if the server takes a wrong password. */
async function trusts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates a role, and a database owned by it or by the superuser. Returns the address. */
async function createDatabase({ options = '', isOwner = true, as = '' } = {}): Promise<string> {
  const name = `errors_${randomBytes(6).toString('hex')}`;
  await admin.query(`create role ${name} login password 'letmein1' ${options}`);
  await admin.query(`create database ${name} ${isOwner ? `owner ${name}` : ''} ${as}`);
  made.push(`drop role ${name}`, `drop database ${name} with (force)`);
  return changed(ownerUrl, { username: name, password: 'letmein1', pathname: `/${name}` });
}

async function refusal(
  command: 'serve' | 'migrate',
  urls: { app?: string; owner?: string },
  message: RegExp,
  code = 3,
): Promise<void> {
  const settings = nodeSettings({ appUrl: urls.app ?? appUrl } as Parameters<typeof nodeSettings>[0]);
  const result = await merlondHere([command], {
    ...settings,
    MERLON_DATABASE_OWNER_URL: urls.owner ?? ownerUrl,
  });
  assert.match(result.stderr, message);
  assert.equal(result.code, code, result.stderr);
  assert.doesNotMatch(
    result.stderr,
    new RegExp(new URL(urls.app ?? appUrl).password),
    'no password is printed',
  );
}

test('a missing role and a wrong password have other messages than a server that cannot be reached', async (t) => {
  if (await trusts(changed(ownerUrl, { password: 'letmein2', pathname: '/postgres' }))) {
    return t.skip('the server of TEST_DATABASE_URL asks for no password');
  }
  const missing = changed(appUrl, { username: 'nobody_here', password: 'any' });
  const wrong = changed(appUrl, { password: 'letmein2' });
  for (const app of [missing, wrong]) {
    await refusal(
      'serve',
      { app },
      /MERLON_DATABASE_URL: the server at .* refuses the role .*merlond migrate makes/,
    );
  }
  await refusal(
    'migrate',
    { owner: changed(ownerUrl, { password: 'letmein2' }) },
    /MERLON_DATABASE_OWNER_URL: .*refuses/,
  );
  await refusal('migrate', { app: wrong }, /MERLON_DATABASE_URL: .*refuses the role .*ALTER ROLE/);
});

test('a server that cannot be reached is named with its address, and the exit code is 4', async () => {
  const away = changed(appUrl, { host: '127.0.0.1:1' });
  await refusal('serve', { app: away }, /MERLON_DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:1/, 4);
  await refusal('migrate', { owner: away }, /MERLON_DATABASE_OWNER_URL: no PostgreSQL answers at/, 4);
  const unknown = changed(appUrl, { host: 'no-such-host.invalid' });
  await refusal('serve', { app: unknown }, /no PostgreSQL answers at no-such-host\.invalid/, 4);
});

test('a missing database is named with the statement that makes it', async () => {
  const parts = { pathname: '/not_there' };
  await refusal(
    'serve',
    { app: changed(appUrl, parts) },
    /has no database not_there.*CREATE DATABASE not_there OWNER/,
  );
  await refusal('migrate', { owner: changed(ownerUrl, parts) }, /has no database not_there/);
});

test('an owner without CREATEROLE is refused before anything is made, and accepted once the role exists', async () => {
  const owner = await createDatabase();
  const name = `app_${randomBytes(6).toString('hex')}`;
  const app = changed(owner, { username: name, password: 'letmein1' });
  await refusal(
    'migrate',
    { owner, app },
    /may not make the role .*ALTER ROLE ".*" CREATEROLE; or make it: CREATE ROLE/,
  );
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  const { rows } = await client.query("select to_regclass('schema_migration') as made");
  await client.end();
  assert.equal(rows[0].made, null);
  await admin.query(`create role ${name} login password 'letmein1'`);
  made.splice(-1, 0, `drop role ${name}`);
  const settings = nodeSettings({ appUrl: app } as Parameters<typeof nodeSettings>[0]);
  const result = await merlondHere(['migrate'], { ...settings, MERLON_DATABASE_OWNER_URL: owner });
  assert.equal(result.code, 0, result.stderr);
  await refusal('serve', { app: owner }, /is the owner of tables, so row-level security does not bind it/);
  const other = await createDatabase({ options: 'createrole' });
  const stranger = changed(other, { pathname: new URL(owner).pathname });
  await refusal('migrate', { owner: stranger, app }, /the schema belongs to the role errors_/);
  const reader = changed(other, { pathname: new URL(owner).pathname });
  await refusal('serve', { app: reader }, /lacks rights in the database .*merlond migrate/);
});

test('an owner who may not make tables is refused', async () => {
  const owner = await createDatabase({ options: 'createrole', isOwner: false });
  await refusal('migrate', { owner }, /may not make tables in the database .*ALTER DATABASE ".*" OWNER TO "/);
});

test('a database that is not UTF8 is refused with the statement that makes one', async () => {
  const owner = await createDatabase({
    options: 'createrole',
    as: "encoding 'SQL_ASCII' locale 'C' template template0",
  });
  await refusal('migrate', { owner }, /has the encoding SQL_ASCII.*CREATE DATABASE .* ENCODING 'UTF8'/);
});

test('a server before PostgreSQL 15 is refused', () => {
  assert.throws(
    () => refuseOldServer(140_012, 'MERLON_DATABASE_URL'),
    /is PostgreSQL 14, and Merlon needs 15/,
  );
  refuseOldServer(150_000, 'MERLON_DATABASE_URL');
});
