/**
 * Tests of real reports, if the samples are beside the checkout: each is recognised, gives as many rows as its manifest
 * counts, and its second import, with the rows in another order, writes nothing.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type pg from 'pg';
import type { ScanRow } from '../../src/ingest/scans/store.ts';
import { sweepScans } from '../../src/ingest/scans/sweep.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { shuffledReport } from '../support/shuffle.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const root = new URL('../../../../shared/samples/', import.meta.url);
const skip = existsSync(root) ? false : 'no ../shared/samples beside this checkout';

interface Sample {
  /** Folder and file. */
  name: string;
  bytes: Buffer;
  /** The number in the manifest. */
  rows: number | undefined;
}

/** The rows that another import of the same file writes, with the reason. */
const writesAgain: Record<string, string[]> = {
  // The tool reports that its run did not succeed, so its findings are kept as separate observations each time.
  'sarif/spotbugs-4.4.0.sarif': ['location_observation'],
  // Its statement has no date, so it counts as new each time.
  'cyclonedx-json/cyclonedx-1.4-valid-vulnerability.json': ['vulnerability'],
};
const writes = ({ name }: Sample): boolean => name in writesAgain;

/** The manifest has a heading for each folder, and below it `| file | format | findings | counted as | parses | …`. */
function listSamples(): Sample[] {
  const sections = readFileSync(new URL('MANIFEST.md', root), 'utf8').split('\n## ');
  const rows = new Map<string, number>();
  for (const section of sections) {
    const folder = section.split('\n', 1)[0] ?? '';
    for (const [, file, count] of section.matchAll(/^\| ([^|]+?) \| [^|]+ \| (\d+) \| [^|]+ \| [^|]*ok/gm)) {
      rows.set(`${folder}/${file}`, Number(count));
    }
  }
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:sarif|jsonl?|xml)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(new URL(name, root)), rows: rows.get(name) }));
}

/** Returns the state of the vulnerabilities of each repository. If nothing was written, the text is the same. */
async function fingerprintRepositories(owner: pg.Pool, tenantId: string): Promise<Map<string, string>> {
  const tables = ['reference', 'reporter', 'location', 'event'].map((name) => `vulnerability_${name}`);
  const rows = [
    ...[...tables, 'location_observation'].map(
      (table) =>
        `select vulnerability_id as id, xmin::text || t::text as row from ${table} t where tenant_id = $1`,
    ),
    `select v.id, d.xmin::text || d::text from vulnerability v
       join vulnerability_description d on d.tenant_id = $1 and d.key = v.description_key where v.tenant_id = $1`,
    'select id, xmin::text || t::text from vulnerability t where tenant_id = $1',
  ];
  // Just after the imports PostgreSQL may have no statistics yet, and its plan would take hours.
  await owner.query('analyze');
  const found = await owner.query(
    `select r.full_name, md5(string_agg(x.row, '|' order by x.row)) as digest
       from (${rows.join(' union all ')}) x
       join vulnerability v on v.tenant_id = $1 and v.id = x.id
       join repository r on r.tenant_id = $1 and r.id = v.repository_id group by 1`,
    [tenantId],
  );
  return new Map(found.rows.map(({ full_name: name, digest }) => [name, digest]));
}

test('every sample has the rows of the manifest, and nothing is written the second time, in another order', {
  skip,
}, async () => {
  const database = await createTestDatabase();
  const { tenant } = await createTestWorkspace(database, 'acme');
  const importSamples = (list: Sample[], bytes: (sample: Sample) => Buffer) =>
    importAll(
      database,
      'acme',
      list.map((sample) => reportInput('', { repository: `acme/${sample.name}`, report: bytes(sample) })),
    );
  const samples = listSamples();
  assert.equal(samples.length, 121);

  const counts = new Map<string, ScanRow['counts']>();
  for (const [i, scan] of (await importSamples(samples, ({ bytes }) => bytes)).entries()) {
    const { name = '', rows } = samples[i] ?? {};
    assert.equal(scan.error, null, name);
    // The folders, and those of pairs, are named after the formats.
    assert.ok(name.replace('pairs/', '').startsWith(scan.format), `${name}: taken for ${scan.format}`);
    assert.equal(scan.counts?.read, rows, `${name}: read`);
    assert.equal(scan.counts?.unreadable, 0, `${name}: unreadable`);
    counts.set(name, scan.counts);
  }
  // One document gives an advisory of others another name. The sweep updates the other ones.
  await sweepScans(database.db, tenant.id, new Date(), 0, assert.ifError);
  const repositories = await fingerprintRepositories(database.owner, tenant.id);
  const tables = await fingerprintTables(database.owner);
  const importAgain = async (list: Sample[]) => {
    const scans = await importSamples(list, ({ bytes }) => shuffledReport(bytes));
    for (const [i, scan] of scans.entries()) {
      const { name = '' } = list[i] ?? {};
      assert.equal(scan.error, null, name);
      const before = counts.get(name);
      const unchanged = (before?.new ?? 0) + (before?.unchanged ?? 0);
      const expected = { ...before, new: 0, unchanged, reopened: 0, fixed: 0 };
      assert.deepEqual(scan.counts, expected, `${name}: counts of the second time`);
    }
  };

  await importAgain(samples.filter((sample) => !writes(sample)));
  const after = await fingerprintRepositories(database.owner, tenant.id);
  const changed = [...after].filter(([name, digest]) => repositories.get(name) !== digest);
  assert.deepEqual(
    changed.map(([name]) => name),
    [],
    'repositories in which the second import wrote something',
  );
  assert.deepEqual(await fingerprintTables(database.owner), tables);

  await importAgain(samples.filter(writes));
  const again = await fingerprintTables(database.owner);
  const written = Object.keys(tables).filter((table) => again[table] !== tables[table]);
  assert.deepEqual(written.sort(), Object.values(writesAgain).flat().sort());
  await assertInvariants(database.owner);
});
