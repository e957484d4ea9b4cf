/** Tests of lists about scans: the changes of one scan, and series by their problems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, type IdKind, type ScanId } from '../../src/domain/ids.ts';
import { clientOf, type Schemas } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const admin = await signInAs(server, people.admin.user.id);
const viewer = await signInAs(server, people.viewer.user.id);

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);
const severities = ['LOW', 'CRITICAL', 'HIGH'];
const results = (from: number, to: number): PackageResult[] =>
  Array.from({ length: to - from }, (_, n) => ({
    id: `CVE-2030-${1000 + from + n}`,
    name: `lib-${from + n}`,
    version: '1.0.0',
    severity: severities[(from + n) % 3] ?? 'LOW',
  }));

type Changed = Schemas['ChangedVulnerabilityPage'] & { seen?: number };

async function changed(scan: { id: ScanId }, change: string, query = ''): Promise<Changed> {
  const path = `/console/api/v1/acme/scans/${formatId('scan', scan.id)}/vulnerabilities?change=${change}${query}`;
  const { status, body } = await viewer.get<Changed>(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const titles = ({ items }: Changed): string[] => items.map(({ title }) => title).sort();
const titlesOf = (list: PackageResult[]): string[] => list.map(({ id, name }) => `${name}: ${id}`).sort();

test('a scan’s new and fixed vulnerabilities are listed page by page, the most severe first', async () => {
  const repository = 'acme/changes';
  const [first, second] = await importAll(server, 'acme', [
    reportInput(trivy(results(0, 6)), { repository, scannedAt: daysAgo(2) }),
    reportInput(trivy(results(2, 9)), { repository, scannedAt: daysAgo(1) }),
    // The scan of another repository has the same time.
    reportInput(trivy(results(0, 9)), { repository: 'acme/elsewhere', scannedAt: daysAgo(1) }),
  ]);
  assert.ok(first && second);
  assert.deepEqual([second.counts?.new, second.counts?.fixed], [3, 2]);
  assert.deepEqual(titles(await changed(first, 'new')), titlesOf(results(0, 6)));
  const fresh = await changed(second, 'new');
  assert.deepEqual(titles(fresh), titlesOf(results(6, 9)));
  assert.deepEqual(
    [fresh.summary.total, fresh.items.map(({ severity }) => severity)],
    [3, ['critical', 'high', 'low']],
  );
  assert.deepEqual(
    fieldOf(fresh.items, 'identifiers'),
    fresh.items.map(({ title }) => [title.split(': ')[1]]),
  );
  const fixed = await changed(second, 'fixed');
  assert.deepEqual(titles(fixed), titlesOf(results(0, 2)));
  assert.deepEqual(fieldOf(fixed.items, 'status'), ['fixed', 'fixed']);
  assert.equal((await changed(first, 'fixed')).summary.total, 0);

  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await changed(second, 'new', `&per_page=2${cursor}`);
    assert.equal(page.summary.total, 3, 'whatever the page');
    paged.push(...page.items.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  assert.deepEqual(paged, fieldOf(fresh.items, 'id'));
});

test('a vulnerability with very many ids has the first thousand in a list, in its detail and in exports', async () => {
  const repository = 'acme/ids';
  const report = trivy(results(0, 1));
  const [row] = report.Results[0]?.Vulnerabilities ?? [];
  assert.ok(row);
  Object.assign(row, { VendorIDs: Array.from({ length: 3_000 }, (_, n) => `VENDOR-${n}`) });
  const [scan] = await importAll(server, 'acme', [reportInput(report, { repository })]);
  assert.ok(scan);
  const [listed] = (await changed(scan, 'new')).items;
  assert.ok(listed);
  assert.equal(listed.identifiers.length, 1_000);
  assert.equal(listed.identifiers[0], 'CVE-2030-1000');
  const path = `/console/api/v1/acme/vulnerabilities/${listed.id}`;
  const { body } = await viewer.get<typeof listed>(path);
  assert.deepEqual(body.identifiers, listed.identifiers);
  const { text } = await clientOf(server.app, people.viewer.key).get(
    '/export/v1/acme/vulnerabilities?repo=acme%2Fids',
  );
  assert.deepEqual(JSON.parse(text.split('\n')[0] ?? '').identifiers, listed.identifiers);
});

test('a vulnerability that is fixed on a branch counts as fixed there, though it is open on the default branch', async () => {
  const repository = 'acme/branch';
  const [, , third] = await importAll(server, 'acme', [
    reportInput(trivy(results(0, 3)), { repository, scannedAt: daysAgo(3) }),
    reportInput(trivy(results(0, 3)), { repository, ref: 'feature', scannedAt: daysAgo(2) }),
    reportInput(trivy(results(0, 1)), { repository, ref: 'feature', scannedAt: daysAgo(1) }),
  ]);
  assert.ok(third);
  assert.equal(third.counts?.fixed, 2);
  const fixed = await changed(third, 'fixed');
  assert.deepEqual(titles(fixed), titlesOf(results(1, 3)));
});

test('a dry run has no changes, and an unknown scan or change is refused', async () => {
  const [dry] = await importAll(server, 'acme', [
    reportInput(trivy(results(0, 4)), { repository: 'acme/dry', dryRun: true }),
  ]);
  assert.ok(dry);
  assert.equal(dry.counts?.new, 4);
  assert.equal((await changed(dry, 'new')).summary.total, 0);
  const path = `/console/api/v1/acme/scans/${formatId('scan', dry.id)}/vulnerabilities`;
  assert.equal((await viewer.get(`${path}?change=moved`)).status, 422);
  assert.equal((await viewer.get(path)).status, 422);
  const unknown = path.replace(/scan_.{26}/, formatId<IdKind>('scan', people.admin.user.id));
  assert.equal((await viewer.get(`${unknown}?change=new`)).status, 404);
});

type Series = Schemas['SeriesPage'];

async function seriesList(query: string): Promise<Series['items']> {
  const { status, body } = await viewer.get<Series>(`/manage/v1/acme/scan-series?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

test('held closures list their series with the difference, and nothing once they are released', async () => {
  const repository = 'acme/held';
  const [, holding] = await importAll(server, 'acme', [
    reportInput(trivy(results(0, 30)), { repository, scannedAt: daysAgo(2) }),
    reportInput(trivy(results(0, 3)), { repository, scannedAt: daysAgo(1) }),
  ]);
  assert.ok(holding);
  const held = await seriesList('state=held');
  assert.deepEqual(
    held.map((series) => [series.repository.full_name, series.held?.vulnerabilities]),
    [[repository, 27]],
  );
  const [series] = held;
  assert.deepEqual(await seriesList(`scan=${formatId('scan', holding.id)}`), held);
  assert.deepEqual(await seriesList('state=held&repo=acme/branch'), []);
  const path = `/manage/v1/acme/scan-series/${series?.id}/held-closure`;
  const { body } = await viewer.get<Changed>(`${path}?per_page=200`);
  assert.equal(body.seen, 30);
  assert.equal(body.summary.total, 27);
  assert.deepEqual([body.summary.by_severity.critical, body.summary.by_severity.low], [9, 9]);
  assert.deepEqual(titles(body), titlesOf(results(3, 30)));
  assert.ok(body.items.every(({ status }) => status === 'open'));
  const release = { action: 'release', scan_id: formatId('scan', holding.id) };
  assert.equal((await viewer.post(path, release)).status, 403);
  assert.equal((await admin.post(path, { action: 'release' })).status, 422);
  assert.deepEqual((await admin.post(path, release)).body, { fixed: 27 });
  assert.deepEqual(await seriesList('state=held'), []);
  assert.deepEqual((await viewer.get<Changed>(path)).body.items, []);
  assert.equal((await changed(holding, 'fixed')).summary.total, 0, 'that was a person, not the scan');
});

test('a held closure counts the vulnerabilities that it would fix, without those that the scan or a tool still shows', async () => {
  const repository = 'acme/held-partly';
  const moved = results(3, 4).map((result) => ({ ...result, path: 'web/package-lock.json' }));
  const elsewhere = grype([{ id: 'CVE-2030-1004', package: 'lib-4', version: '1.0.0' }]);
  const [, , holding] = await importAll(server, 'acme', [
    reportInput(trivy(results(0, 30)), { repository, scannedAt: daysAgo(3) }),
    reportInput(elsewhere, { repository, scannedAt: daysAgo(2) }),
    reportInput(trivy([...results(0, 3), ...moved]), { repository, scannedAt: daysAgo(1) }),
  ]);
  const [series] = await seriesList('state=held');
  const path = `/manage/v1/acme/scan-series/${series?.id}/held-closure`;
  const { body } = await viewer.get<Changed>(`${path}?per_page=200`);
  const { fixed } = (
    await admin.post<{ fixed: number }>(path, { action: 'release', scan_id: series?.held?.scan_id })
  ).body;
  assert.deepEqual(
    [holding?.counts?.closing_held, series?.held?.vulnerabilities, body.summary.total, body.items.length],
    [fixed, fixed, fixed, fixed],
  );
});

test('a series without a scan for long on an active reference is stale until it is retired', async () => {
  const repository = 'acme/stale';
  await importAll(server, 'acme', [
    reportInput(trivy(results(0, 2)), { repository, scannedAt: daysAgo(45), category: 'nobody' }),
    reportInput(trivy(results(0, 3)), { repository, scannedAt: daysAgo(1) }),
    reportInput(trivy(results(0, 3)), { repository: 'acme/stale-release', scannedAt: daysAgo(1) }),
    reportInput(trivy(results(0, 3)), {
      repository: 'acme/stale-release',
      ref: 'release/1',
      scannedAt: daysAgo(45),
    }),
  ]);
  const stale = await seriesList('state=stale');
  assert.deepEqual(
    stale.map((series) => series.repository.full_name),
    [repository, 'acme/stale-release'],
  );
  assert.equal((await seriesList(`repo=${repository}`)).length, 2);
  assert.equal((await admin.post(`/manage/v1/acme/scan-series/${stale[0]?.id}/retire`, {})).status, 200);
  assert.equal((await seriesList('state=stale')).length, 1, 'that of the release');
  const both = await viewer.get(
    `/manage/v1/acme/scan-series?state=stale&scan=${formatId<IdKind>('scan', people.admin.user.id)}`,
  );
  assert.equal(both.status, 422);
});

test('a series counts as replaced if a new one shows most of its vulnerabilities, until it has another scan', async () => {
  const repository = 'acme/renamed-category';
  const scanned = (day: number, category: string, from: number, to: number) =>
    reportInput(trivy(results(from, to)), { repository, scannedAt: daysAgo(day), category });
  const [, , module, renamed] = await importAll(server, 'acme', [
    scanned(9, 'nightly', 0, 5),
    scanned(8, 'web', 20, 24),
    scanned(7, 'api', 2, 4),
    scanned(6, 'night', 0, 4),
  ]);
  assert.deepEqual(module?.warnings, [], 'it sees two of five');
  const [old, ...others] = await seriesList('state=replaced');
  assert.deepEqual([old?.category, others.map((row) => row.category)], ['nightly', ['api']]);
  assert.deepEqual(
    renamed?.warnings
      .map((warning) => /"(.*)" sees.*merlon series retire (ser_\w+)$/.exec(warning)?.slice(1))
      .sort(),
    [
      ['api', others[0]?.id],
      ['nightly', old?.id],
    ],
  );
  const all = await seriesList(`repo=${repository}`);
  assert.equal(old?.replaced_by, all.find((row) => row.category === 'night')?.id);
  await importAll(server, 'acme', [scanned(5, 'api', 2, 4), scanned(4, 'night', 0, 4)]);
  assert.deepEqual(fieldOf(await seriesList('state=replaced'), 'category'), ['nightly']);
  const retired = await admin.post(`/manage/v1/acme/scan-series/${old?.id}/retire`, {});
  assert.deepEqual(retired.body, { fixed: 1 });
  assert.deepEqual(await seriesList('state=replaced'), []);
});

test('the list of a workspace continues after its first page', async () => {
  const all = await seriesList('per_page=200');
  const first = await viewer.get<Series & { next_cursor: string }>('/manage/v1/acme/scan-series?per_page=2');
  const rest = await seriesList(`per_page=200&cursor=${encodeURIComponent(first.body.next_cursor)}`);
  assert.deepEqual([...first.body.items, ...rest], all);
});
