/**
 * Tests of the version of the tables of the job queue, whose library refuses every other one: a database with a lower
 * or a higher version is not ready, and a start says what to do or migrates it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrate.ts';
import { prepareDatabase } from '../../src/db/prepare-database.ts';
import { queueVersion } from '../../src/db/queue-tables.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { createDirectory } from '../support/process.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { until } from '../support/until.ts';

const server = await createTestServer();
const { app, db, owner, ownerUrl, appUrl } = server;
const lower = queueVersion - 1;
const higher = queueVersion + 1;

interface Queryable {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
}

async function setVersion(version: number, of: Queryable = owner): Promise<void> {
  await of.query('update pgboss.version set version = $1', [version]);
}

async function versionOf(database: Queryable): Promise<number> {
  return (await database.query('select version from pgboss.version')).rows[0].version;
}

/** The answers of a start, of doctor and of /readyz. */
async function answers(): Promise<{ started: string; checked: string; isReady: number }> {
  const settings = nodeSettings(server);
  const started = await merlondHere(['workspace', 'list'], settings);
  const { stdout } = await merlondHere(['doctor'], settings);
  const checked = /^\w+ +migrations: .*$/m.exec(stdout)?.[0] ?? stdout;
  // The server keeps an answer for a second.
  await sleep(1_500);
  const { statusCode } = await app.inject({ url: '/readyz' });
  return { started: started.code === 0 ? 'started' : started.stderr, checked, isReady: statusCode };
}

test('migrate makes the version that the library needs', async () => {
  assert.equal(await versionOf(owner), queueVersion);
  const boss = await openQueue(db, { supervise: false });
  await boss.stop({ graceful: false });
  const { started, checked, isReady } = await answers();
  assert.deepEqual([started, isReady], ['started', 200]);
  assert.match(checked, /^ok/);
});

test('a lower version is pending until migrate has run', async (t) => {
  await setVersion(lower);
  t.after(() => setVersion(queueVersion));
  await assert.rejects(openQueue(db, { supervise: false }), /requires migrations/);
  const { started, checked, isReady } = await answers();
  assert.match(
    started,
    new RegExp(`The database lacks schema ${queueVersion} of the job queue\\. Run merlond migrate\\.`),
  );
  assert.match(
    checked,
    new RegExp(`^fault +migrations: the database lacks schema ${queueVersion} of the job queue`),
  );
  assert.equal(isReady, 503);

  assert.deepEqual((await migrate(ownerUrl, appUrl)).applied, [`schema ${queueVersion} of the job queue`]);
  assert.equal(await versionOf(owner), queueVersion);
  assert.deepEqual((await answers()).isReady, 200);
});

test('a migration that is cut off before the rights on the queue are given stays pending', async (t) => {
  await setVersion(lower);
  t.after(() => setVersion(queueVersion));
  const marks = async () =>
    (await owner.query("select 1 from schema_migration where name = 'complete'")).rows.length;
  const holder = await owner.connect();
  await holder.query('begin; lock table pgboss.queue in access exclusive mode');
  const migrating = migrate(ownerUrl, appUrl);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await owner.query(waiting)).rows.length > 0, 'the migration waits for the lock');
  assert.equal(await marks(), 0);
  await holder.query('rollback');
  holder.release();
  await migrating;
  assert.equal(await marks(), 1);
});

test('a higher version is too new, also for migrate', async (t) => {
  await setVersion(higher);
  t.after(() => setVersion(queueVersion));
  const { started, checked, isReady } = await answers();
  const message = new RegExp(
    `The database is newer than this program: it has had schema ${higher} of the job queue\\.`,
  );
  assert.match(started, message);
  assert.match(checked, /^fault +migrations: the database is too new/);
  assert.equal(isReady, 503);
  await assert.rejects(migrate(ownerUrl, appUrl), message);
  assert.equal(await versionOf(owner), higher);
});

test('a role that may not read the version is told to run migrate, which gives it the right', async (t) => {
  const role = new URL(appUrl).username;
  await owner.query(`revoke usage on schema pgboss from ${role}`);
  t.after(() => migrate(ownerUrl, appUrl));
  assert.match(
    (await answers()).started,
    /The database lacks schema \d+ of the job queue\. Run merlond migrate\./,
  );
  await migrate(ownerUrl, appUrl);
  assert.equal((await answers()).isReady, 200);
});

test('the start of an embedded database brings a lower version up to date', async () => {
  const config = loadConfig({ MERLON_DATA_DIR: join(createDirectory(), 'data') });
  const withOwner = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const prepared = await prepareDatabase(config);
    const client = new pg.Client({ connectionString: prepared.ownerUrl ?? '' });
    try {
      await client.connect();
      await work(client);
    } finally {
      await client.end();
      await prepared.close();
    }
  };
  await withOwner((client) => setVersion(lower, client));
  await withOwner(async (client) => {
    assert.equal(await versionOf(client), queueVersion);
  });
});
