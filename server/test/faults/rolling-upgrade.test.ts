/**
 * Tests of an upgrade while nodes serve: a node of the present release answers under load while the next release
 * migrates the database and starts a node beside it. The next release is this one with two more migrations.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDirectory, merlond, start, untilSays } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { get, nodeSettings, sendReport, startServing, stop, untilFinal } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.admin;
const settings = nodeSettings(database);
const next = join(createDirectory(), 'next');
const nextProgram = join(next, 'server', 'bin', 'merlond.js');
const nextSchema = pathToFileURL(join(next, 'server', 'src', 'db', '/'));
const blocker = new pg.Client({ connectionString: database.ownerUrl });
await blocker.connect();
const closed = database.db.close;
database.db.close = async () => {
  await blocker.end();
  await closed();
};

const migrations = {
  '0001_vulnerability_note.sql': `-- oldest program: schema.sql
alter table vulnerability add column note text;
alter table scan add column note text;
`,
  '0002_scan_note.sql': `-- oldest program: schema.sql
-- outside a transaction
create index concurrently if not exists scan_note on scan (tenant_id, note);
`,
};

before(() => {
  for (const part of [
    'server/src',
    'server/bin',
    'server/package.json',
    'package.json',
    'docs',
    'console/dist',
  ]) {
    cpSync(join(repository, part), join(next, part), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(next, 'node_modules'));
  symlinkSync(join(repository, 'server', 'node_modules'), join(next, 'server', 'node_modules'));
  for (const [name, sql] of Object.entries(migrations)) {
    writeFileSync(new URL(`migrations/${name}`, nextSchema), sql);
  }
  const schema = new URL('schema.sql', nextSchema);
  const added = Object.values(migrations).join('\n').replaceAll('concurrently if not exists', '');
  writeFileSync(schema, `${readFileSync(schema, 'utf8')}\n${added}`);
});

test('an upgrade beside a node that serves fails no request, and both releases run on the newer schema', async (t) => {
  const node = await startServing(settings);
  const load = new AbortController();
  t.after(async () => {
    load.abort();
    await stop(node.child);
  });
  const answers = { count: 0, failed: [] as string[] };
  const scans: string[] = [];
  const read = async (path: string, status: number): Promise<void> => {
    while (!load.signal.aborted) {
      const answer = await get(node.url, path, key).catch((error: Error) => error);
      answers.count++;
      if (answer instanceof Error || answer.status !== status) answers.failed.push(JSON.stringify(answer));
      await sleep(5);
    }
  };
  const upload = async (): Promise<void> => {
    while (!load.signal.aborted) {
      const number = scans.length;
      const report = trivy([{ id: `CVE-2030-${1000 + number}`, name: 'lodash', version: '4.17.15' }]);
      const query = { repo: `acme/service-${number % 3}`, ref: 'main' };
      const body = Buffer.from(JSON.stringify(report));
      const answer = await sendReport({ url: node.url, key, slug: 'acme', query, body });
      answers.count++;
      if (answer.status === 202) scans.push(JSON.parse(answer.text).id);
      else answers.failed.push(answer.text);
      await sleep(50);
    }
  };
  const loading = Promise.all([
    read('/api/v1/acme/vulnerabilities', 200),
    read('/api/v1/acme/scans', 200),
    read('/readyz', 200),
    upload(),
  ]);
  await sleep(1_000);
  // An import holds its locks. The migration gives way to requests again and again until the import ends.
  await blocker.query('begin; lock table vulnerability in row share mode');
  const migrating = migrate(database.ownerUrl, database.appUrl, nextSchema);
  await sleep(4_000);
  const { rows } = await database.owner.query(
    "select count(*)::int as n from schema_migration where name = '0001_vulnerability_note.sql'",
  );
  assert.equal(rows[0].n, 0, 'it waits for the lock');
  await blocker.query('commit');
  assert.deepEqual((await migrating).applied, Object.keys(migrations));

  const later = start(['serve'], settings, { program: nextProgram });
  t.after(() => stop(later));
  const [laterUrl] = await untilSays(later, /http:\/\/127\.0\.0\.1:\d+/);
  assert.equal((await get(laterUrl, '/readyz')).status, 200);
  const listed = await get(laterUrl, '/api/v1/acme/vulnerabilities', key);
  assert.equal(listed.status, 200);
  await sleep(1_000);
  load.abort();
  await loading;
  console.log(`${answers.count} requests, ${answers.failed.length} failed, ${scans.length} reports`);
  assert.deepEqual(answers.failed, []);
  assert.ok(answers.count > 200 && scans.length > 10);
  for (const id of scans) {
    assert.equal((await untilFinal(laterUrl, `/api/v1/acme/scans/${id}`, key, 60_000)).status, 'completed');
  }
});

test('an older release starts on the newer schema, and its migrate changes nothing', async (t) => {
  const again = await startServing(settings);
  t.after(() => stop(again.child));
  assert.equal((await get(again.url, '/readyz')).status, 200);
  const before = await database.owner.query('select * from schema_migration order by name');
  const result = await merlond(['migrate', '--json'], {
    ...settings,
    MERLON_DATABASE_OWNER_URL: database.ownerUrl,
  });
  assert.equal(result.code, 0, result.stderr);
  assert.deepEqual(JSON.parse(result.stdout).applied, []);
  const { rows } = await database.owner.query('select * from schema_migration order by name');
  assert.deepEqual(rows, before.rows);
});

test('after a migration that older releases do not support, an older node is not ready', async (t) => {
  const node = await startServing(settings);
  t.after(() => stop(node.child));
  const name = '0003_without_old_column.sql';
  writeFileSync(
    new URL(`migrations/${name}`, nextSchema),
    `-- oldest program: 0002_scan_note.sql\nalter table scan drop column note;\n`,
  );
  await migrate(database.ownerUrl, database.appUrl, nextSchema);
  assert.equal((await get(node.url, '/readyz')).status, 503);
  const refused = await merlond(['serve'], settings);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /newer than this program: it has had 0003_without_old_column\.sql/);
});

test('an index whose build was cut off is built again', async () => {
  const name = '0004_scan_tool.sql';
  // A failed build leaves an invalid index behind.
  await assert.rejects(
    database.owner.query('create unique index concurrently scan_tool on scan (tenant_id)'),
  );
  const isValid = async (): Promise<boolean | undefined> =>
    (await database.owner.query("select indisvalid from pg_index where indexrelid = 'scan_tool'::regclass"))
      .rows[0]?.indisvalid;
  assert.equal(await isValid(), false);
  writeFileSync(
    new URL(`migrations/${name}`, nextSchema),
    '-- oldest program: 0003_without_old_column.sql\n-- outside a transaction\ncreate index concurrently if not exists scan_tool on scan (tenant_id, status);\n',
  );
  assert.deepEqual((await migrate(database.ownerUrl, database.appUrl, nextSchema)).applied, [name]);
  assert.equal(await isValid(), true);
});

test('a second migration waits for one that builds an index', async () => {
  const name = '0005_scan_status.sql';
  writeFileSync(
    new URL(`migrations/${name}`, nextSchema),
    '-- oldest program: 0003_without_old_column.sql\n-- outside a transaction\ncreate index concurrently if not exists scan_status on scan (tenant_id, status);\n',
  );
  // The build waits for this transaction, and the second migration begins meanwhile.
  await blocker.query('begin; lock table scan in row exclusive mode');
  const startMigration = () => migrate(database.ownerUrl, database.appUrl, nextSchema);
  const first = startMigration();
  await until(async () => {
    const { rows } = await database.owner.query(
      "select 1 from pg_stat_activity where query like '%create index%scan_status%' and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  }, 'the index is being built');
  const second = startMigration();
  await sleep(1_000);
  await blocker.query('commit');
  const applied = await Promise.all([first, second]);
  assert.deepEqual(
    applied.map((report) => report.applied),
    [[name], []],
  );
});
