/** Tests of reports with the content of the last one: which are not read again, and which are. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { actorOf } from '../../src/access/audit/record.ts';
import { decide } from '../../src/actions/triage/decisions.ts';
import { importTx, tenantReadTx } from '../../src/db/database.ts';
import { formatId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { findScan, type ScanRow } from '../../src/ingest/scans/store.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { takeFile } from '../../src/ingest/upload/import-files.ts';
import { bom } from '../support/boms.ts';
import { createTestDatabase } from '../support/database.ts';
import { testConfig } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const workspace = await createTestWorkspace(database, 'acme');
const { tenant } = workspace;
const principal = principalAs(workspace, 'admin');
const boss = await database.queue.open();

type Told = Parameters<typeof reportInput>[1];
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

async function importOne(
  report: unknown,
  told: Told,
  config = testConfig,
): Promise<{ scan: ScanRow; wasRead: boolean }> {
  const { scanId, repositoryId } = await takeFile(
    { ...database, boss },
    tenant.id,
    reportInput(report, told),
  );
  const steps: string[] = [];
  const observeImport = () => ({ step: (step: string) => steps.push(step), end: () => {} });
  await processRepository({ ...database, config, observeImport }, tenant.id, repositoryId);
  const scan = await tenantReadTx(database.db, tenant.id, (tx) => findScan(tx, scanId));
  assert.ok(scan);
  assert.equal(scan.status, 'completed', JSON.stringify(scan.error));
  await assertInvariants(database.owner);
  return { scan, wasRead: steps.includes('reading') };
}

const packages = trivy([
  { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' },
  { id: 'CVE-2021-44906', name: 'minimist', version: '1.2.5', severity: 'CRITICAL' },
]);
const results: CodeResult[] = Array.from({ length: 30 }, (_, index) => ({
  rule: 'bed.untested-soil',
  path: `src/bed-${index}.ts`,
  line: index + 1,
}));

let repositories = 0;
const newRepository = (): string => `acme/same-${++repositories}`;

test('the same bytes for another commit are not read, and the scan has the results of the last one', async () => {
  const repository = newRepository();
  const first = await importOne(packages, { repository, sha: 'a'.repeat(40), scannedAt: day(1) });
  assert.ok(first.wasRead);
  const before = await fingerprintTables(database.owner);
  const second = await importOne(packages, { repository, sha: 'b'.repeat(40), scannedAt: day(2) });
  assert.ok(!second.wasRead);
  assert.deepEqual(await fingerprintTables(database.owner), before);
  assert.deepEqual(second.scan.counts, { ...first.scan.counts, new: 0, unchanged: 2 });
  assert.deepEqual(second.scan.tools, first.scan.tools);
  assert.equal(second.scan.format, first.scan.format);
  assert.equal(second.scan.verdict, first.scan.verdict);
  const { rows } = await database.owner.query(
    'select seq, detached, late, outcome from series_scan where scan_id = $1',
    [second.scan.id],
  );
  assert.deepEqual(rows, [{ seq: 2, detached: false, late: false, outcome: 'succeeded' }]);
  assert.ok(!(await importOne(packages, { repository, scannedAt: day(3) })).wasRead, 'nor the third');
});

test('a report that differs in the time of its run alone is not read', async () => {
  const repository = newRepository();
  await importOne({ CreatedAt: '2031-01-01T00:00:00Z', ...packages }, { repository, scannedAt: day(1) });
  const again = { CreatedAt: '2031-01-02T12:34:56.789+02:00', ReportID: randomUUID(), ...packages };
  assert.ok((await importOne(again, { repository, scannedAt: day(2) })).wasRead, 'another field is there');
  const third = { ...again, CreatedAt: '2031-01-03T00:00:00Z', ReportID: randomUUID() };
  const { scan, wasRead } = await importOne(third, { repository, scannedAt: day(3) });
  assert.ok(!wasRead);
  assert.equal(scan.counts?.unchanged, 2);
  const fixed = { ...third, Results: packages.Results.map((result) => ({ ...result, Vulnerabilities: [] })) };
  assert.equal((await importOne(fixed, { repository, scannedAt: day(4) })).scan.counts?.fixed, 2);
});

test('a vulnerability that is absent from the report after the same bytes is fixed', async () => {
  const repository = newRepository();
  await importOne(sarif(results), { repository, scannedAt: day(1) });
  assert.ok(!(await importOne(sarif(results), { repository, scannedAt: day(2) })).wasRead);
  const { scan } = await importOne(sarif(results.slice(1)), { repository, scannedAt: day(3) });
  assert.deepEqual([scan.counts?.fixed, scan.counts?.unchanged], [1, 29]);
});

test('a decision between two reports with the same bytes stays', async () => {
  const repository = newRepository();
  await importOne(packages, { repository, scannedAt: day(1) });
  const [vulnerability] = await rowsOf(repository);
  assert.ok(vulnerability);
  await decide(database.db, principal, {
    ...{ action: 'reject', reason: 'not used' },
    vulnerabilities: [{ id: formatId('vulnerability', vulnerability.id) }],
  });
  const decided = await rowsOf(repository);
  assert.ok(!(await importOne(packages, { repository, scannedAt: day(2) })).wasRead);
  assert.deepEqual(await rowsOf(repository), decided);
});

async function rowsOf(repository: string): Promise<{ id: VulnerabilityId; packed_state: number }[]> {
  const { rows } = await database.owner.query(
    `select v.id, v.packed_state from vulnerability v join repository r on r.id = v.repository_id
      where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows;
}

/** Events and differences after which the same bytes must be read again. */
const readAgain: Record<string, (repository: string) => Promise<{ scan: ScanRow; wasRead: boolean }>> = {
  'another report of the series in between': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    await importOne(sarif(results.slice(1)), { repository, scannedAt: day(2) });
    return importOne(sarif(results), { repository, scannedAt: day(3) });
  },
  'a partial report in between': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    await importOne(sarif(results.slice(1)), { repository, partial: true, scannedAt: day(2) });
    return importOne(sarif(results), { repository, scannedAt: day(3) });
  },
  'a suppression in the code that ends between the two runs': async (repository) => {
    const hidden = {
      rule: 'bed.weeds',
      path: 'src/weeds.ts',
      line: 1,
      suppressed: true,
      until: '2031-01-17T00:00:00Z',
    };
    const ranOn = (day: number) => {
      const log = sarif([...results, hidden]);
      const invocations = [{ endTimeUtc: `2031-01-${day}T00:00:00Z` }];
      return { ...log, runs: log.runs.map((run) => ({ ...run, invocations })) };
    };
    const first = await importOne(ranOn(15), { repository, scannedAt: day(1) });
    const second = await importOne(ranOn(20), { repository, scannedAt: day(2) });
    assert.deepEqual(
      [first, second].map(({ scan }) => scan.counts?.suppressed),
      [1, 0],
    );
    return second;
  },
  'another time in a field of findings': async (repository) => {
    const dated = (time: string) =>
      JSON.parse(JSON.stringify(packages).replaceAll('"Title":"', `"Title":"${time} `));
    await importOne(dated('2031-01-01'), { repository, scannedAt: day(1) });
    return importOne(dated('2031-01-02'), { repository, scannedAt: day(2) });
  },
  'an older time': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(2) });
    return importOne(sarif(results), { repository, scannedAt: day(1) });
  },
  'another reference': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    return importOne(sarif(results), { repository, ref: 'feature/x', scannedAt: day(2) });
  },
  'another category': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    return importOne(sarif(results), { repository, category: 'other', scannedAt: day(2) });
  },
  'a sender with another right': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1), mayDecide: false });
    return importOne(sarif(results), { repository, scannedAt: day(2) });
  },
  'a partial report itself': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    return importOne(sarif(results), { repository, partial: true, scannedAt: day(2) });
  },
  'a dry run': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    return importOne(sarif(results), { repository, dryRun: true, scannedAt: day(2) });
  },
  'a forced one after one that was not': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    return importOne(sarif(results), { repository, force: true, scannedAt: day(2) });
  },
  'other limits of the server': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    const config = { ...testConfig, maxTextKb: testConfig.maxTextKb + 1 };
    return importOne(sarif(results), { repository, scannedAt: day(2) }, config);
  },
  'a series that was retired': async (repository) => {
    const { scan } = await importOne(packages, { repository, scannedAt: day(1) });
    const { rows } = await database.owner.query('select series_id from series_scan where scan_id = $1', [
      scan.id,
    ]);
    await importTx(database.db, tenant.id, (tx) =>
      retireSeries(tx, formatId('series', rows[0].series_id), actorOf(principal)),
    );
    const again = await importOne(packages, { repository, scannedAt: day(2) });
    assert.equal(again.scan.counts?.reopened, 2);
    return again;
  },
  'a list of packages, which are matched with advisories': async (repository) => {
    const sbom = bom([{ purl: 'pkg:npm/lodash@4.17.15' }]);
    await importOne(sbom, { repository, scannedAt: day(1) });
    return importOne(sbom, { repository, scannedAt: day(2) });
  },
  'a held closure': async (repository) => {
    await importOne(sarif(results), { repository, scannedAt: day(1) });
    const { scan } = await importOne(sarif([]), { repository, scannedAt: day(2) });
    assert.equal(scan.counts?.closing_held, 30);
    const again = await importOne(sarif([]), { repository, scannedAt: day(3) });
    assert.equal(again.scan.counts?.fixed, 30);
    return again;
  },
};

for (const [what, run] of Object.entries(readAgain)) {
  test(`the same bytes are read again: ${what}`, async () => {
    assert.ok((await run(newRepository())).wasRead);
  });
}
