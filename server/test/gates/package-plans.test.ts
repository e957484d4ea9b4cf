/**
 * Tests of the plans for packages. PostgreSQL plans each statement as the running role, under row-level security, with
 * custom and generic plans, with statistics and without. An index finds every row, and a page reads few rows of a
 * table, however many packages there are.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { seedPackages } from '../../../benchmarks/seed-packages.ts';
import { recordStatements, type Statement } from '../../../benchmarks/statements.ts';
import { importTx, type Tx, tenantReadTx } from '../../src/db/database.ts';
import { formatId, newId, nilId, type PackageId } from '../../src/domain/ids.ts';
import { upsertPackageVersions } from '../../src/ingest/import/inventory-store.ts';
import { listUsages } from '../../src/inventory/packages/detail-store.ts';
import { listEcosystems, listLicenses } from '../../src/inventory/packages/license-store.ts';
import { findPackages, getPackageDetail, type PackageQuery } from '../../src/inventory/packages/service.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { type Mode, modes, nodesOf, skipsInIndexes } from './read-plans.ts';

const perPage = 50;
const { database, workspace, owner, plansOf, seed } = await createPlanWorkspace();
const { tenant } = workspace;
const released = newId<'package'>();

before(async () => {
  await seed(5_000);
  await seedPackages(owner, tenant.id, { libraries: 5_000, usages: 20_000 });
  await owner.query(
    `insert into artifact (tenant_id, id, type, name, purl)
     select $1, gen_random_uuid(), 'package_version', 'lib', 'pkg:npm/lib@1.' || n
       from generate_series(1, 5000) n`,
    [tenant.id],
  );
  await owner.query(
    `insert into package (tenant_id, id, purl, package_type, name) values ($1, $2, 'pkg:npm/released', 'npm', 'released')`,
    [tenant.id, released],
  );
  await owner.query(
    `insert into package_version (tenant_id, id, package_id, version, purl)
     select $1, gen_random_uuid(), $2, '1.' || n, 'pkg:npm/released@1.' || n from generate_series(1, 5000) n`,
    [tenant.id, released],
  );
});

// A page reads a few usages of each package. A read of one repository, or of a rare license, reads all its usages.
const few = 3_000;
const lists: { query: PackageQuery; most: number }[] = [
  { query: {}, most: few },
  { query: { q: 'lib' }, most: few },
  { query: { q: 'pkg:npm/openssl' }, most: few },
  { query: { ecosystem: ['npm', 'deb'] }, most: few },
  { query: { license: 'MIT' }, most: few },
  { query: { license: 'MIT', ecosystem: ['npm'] }, most: few },
  { query: { vulnerable: 'no' }, most: few },
  { query: { vulnerable: 'yes' }, most: 6_000 },
  { query: { repo: 'team-1/service-0' }, most: few },
  { query: { repo: 'team-1/service-0', vulnerable: 'yes' }, most: few },
];

for (const statistics of ['without', 'with'] as const) {
  describe(`${statistics} statistics of packages`, () => {
    before(async () => {
      if (statistics === 'with') await owner.query('vacuum (analyze)');
    });

    test('each filter of the list, on the first page and the next, reads by indexes only', async () => {
      for (const { query, most } of lists) {
        const page = (afterId: PackageId | null) =>
          record((tx) => findPackages(tx, query, afterId, perPage + 1));
        const first = await page(null);
        const last = first.result.at(-1);
        const pages = [first, ...(first.result.length > perPage && last ? [await page(last.id)] : [])];
        for (const { statements } of pages) {
          for (const mode of modes) {
            assert.deepEqual(
              await problemsOf(statements, mode, most),
              [],
              `${JSON.stringify(query)}, ${mode}`,
            );
          }
        }
      }
    });

    test('one package, its usages, the licenses and the ecosystems are read by indexes only', async () => {
      const [{ id = nilId } = {}] = (await record((tx) => findPackages(tx, { q: 'openssl' }, null, 1)))
        .result;
      const reads: [(tx: Tx) => Promise<unknown>, number][] = [
        [(tx) => getPackageDetail(tx, formatId('package', id)), few],
        [(tx) => listUsages(tx, { packageId: id, versionId: null }, null, perPage), few],
        [(tx) => listLicenses(tx, null, perPage), 100_000],
        [(tx) => listEcosystems(tx, perPage), few],
      ];
      for (const [read, most] of reads) {
        const { statements } = await record(read);
        for (const mode of modes)
          assert.deepEqual(await problemsOf(statements, mode, most), [], `${read}, ${mode}`);
      }
    });

    test('an import reads the versions of its report only, however many a package has had', async () => {
      const row = { version: '1.4999', purl: 'pkg:npm/released@1.4999', licenses: [] };
      const { statements, result } = await recordStatements(database.db, (db) =>
        importTx({ ...db, importPool: db.pool }, tenant.id, (tx) =>
          upsertPackageVersions(tx, [{ id: newId(), package_id: released, ...row }]),
        ),
      );
      assert.deepEqual([...result.known.keys()], [`${released} 1.4999`]);
      const reads = statements.filter(({ text }) => text.startsWith('select v.package_id'));
      assert.equal(reads.length, 1);
      for (const mode of modes) assert.deepEqual(await problemsOf(reads, mode, 1), [], mode);
    });
  });
}

test('the check fails when an index is missing', async () => {
  for (const [query, index] of [
    [{}, 'package_by_name'],
    [{ ecosystem: ['npm'] }, 'package_by_type'],
    [{ vulnerable: 'yes' }, 'vulnerability_package_key'],
  ] as [PackageQuery, string][]) {
    const { statements } = await record((tx) => findPackages(tx, query, null, perPage + 1));
    assert.notDeepEqual(await problemsOf(statements, 'force_custom_plan', few, index), [], index);
  }
});

async function record<T>(work: (tx: Tx) => Promise<T>): Promise<{ statements: Statement[]; result: T }> {
  return recordStatements(database.db, (recording) => tenantReadTx(recording, tenant.id, work));
}

/** These have few rows, of which the planner may read all. */
const small = ['license', 'organization'];

// Before PostgreSQL 18, which skips in an index, some rows are read in the order of the table.
const byIndex = (await skipsInIndexes(owner)) ? /^Index / : /^(Index|Bitmap Heap) /;

async function problemsOf(
  statements: Statement[],
  mode: Mode,
  most: number,
  withoutIndex?: string,
): Promise<string[]> {
  const nodes = (await plansOf(statements, mode, withoutIndex)).flatMap(nodesOf);
  return nodes.flatMap((node) => {
    const table = node['Relation Name'];
    if (table === undefined) return [];
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return [
      ...(small.includes(table) || byIndex.test(node['Node Type']) ? [] : [`${table}: ${node['Node Type']}`]),
      ...(rows > most ? [`${table}: reads ${rows} rows by ${node['Index Name']}`] : []),
    ];
  });
}
