/**
 * Tests of one vulnerability with several names, locations, categories or sources, where one source does not have
 * everything.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { decide } from '../../src/actions/triage/decisions.ts';
import { formatId } from '../../src/domain/ids.ts';
import { unpackState } from '../../src/domain/packed-state.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import type { ReportFile } from '../../src/ingest/upload/import-files.ts';
import { createTestDatabase } from '../support/database.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { countsOf, importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import { gitleaks } from '../support/scanner-reports.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
afterEach(async () => {
  // With statistics of the thousands of locations, PostgreSQL does not compare each of them with each other one.
  await database.owner.query(
    'analyze vulnerability_location, location_observation, vulnerability, vulnerability_reference',
  );
  await assertInvariants(database.owner);
});
const workspace = await createTestWorkspace(database, 'acme');
const principal = principalAs(workspace, 'admin');
const reject = (id: string) =>
  decide(database.db, principal, { action: 'reject', reason: 'no', vulnerabilities: [{ id }] });
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const send = (reports: ReportFile[]) => importAll(database, 'acme', reports);
const lodash = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };

async function vulnerabilities(repository: string) {
  const { rows } = await database.owner.query(
    `select v.id, v.packed_state, (select count(*)::int from vulnerability_location l where l.vulnerability_id = v.id
        and l.fixed_at is null) as locations
       from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows.map((row) => ({
    id: formatId('vulnerability', row.id),
    locations: row.locations,
    ...unpackState(row.packed_state),
  }));
}

const brief = (list: Awaited<ReturnType<typeof vulnerabilities>>) =>
  list.map(({ status, severity, locations }) => [status, severity, locations]);

test('two names of one advisory in one report share a location', async () => {
  const repository = 'acme/names';
  await database.owner.query(
    `insert into advisory_alias (tenant_id, id, alias, advisory, learned_at)
     values ($1, gen_random_uuid(), 'GHSA-p6mc-m468-83gw', $2, now())`,
    [workspace.tenant.id, lodash.id],
  );
  const report = trivy([lodash, { ...lodash, id: 'GHSA-p6mc-m468-83gw' }]);
  const scans = await send([
    reportInput(report, { repository, scannedAt: day(1) }),
    reportInput(report, { repository, scannedAt: day(2) }),
  ]);
  assert.deepEqual(countsOf(scans, 'new', 'unchanged'), [
    [1, 0],
    [0, 1],
  ]);
  assert.deepEqual(brief(await vulnerabilities(repository)), [['open', 'high', 1]]);
});

test('the highest severity of two locations counts, also when only the other one changes or ends', async () => {
  const repository = 'acme/severities';
  const a = { ...lodash, severity: 'CRITICAL', path: 'a/package-lock.json' };
  const b = { ...lodash, severity: 'LOW', path: 'b/package-lock.json' };
  await send([
    reportInput(trivy([a, b]), { repository, scannedAt: day(1) }),
    reportInput(trivy([a, { ...b, fixed: '5.0.0' }]), { repository, scannedAt: day(2) }),
  ]);
  assert.deepEqual(brief(await vulnerabilities(repository)), [['open', 'critical', 2]]);
  await send([reportInput(trivy([{ ...b, fixed: '5.0.0' }]), { repository, scannedAt: day(3) })]);
  assert.deepEqual(brief(await vulnerabilities(repository)), [['open', 'low', 1]]);
});

test('the same code in two projects of one repository is two vulnerabilities', async () => {
  const repository = 'acme/projects';
  const code = { rule: 'eval', line: 3, code: 'eval(userInput)' };
  const front = sarif([{ ...code, path: 'frontend/a.js' }], { category: 'frontend' });
  const back = sarif([{ ...code, path: 'backend/b.js' }], { category: 'backend' });
  const scans = await send(
    [front, back, front, back].map((report, i) => reportInput(report, { repository, scannedAt: day(i + 1) })),
  );
  assert.deepEqual(countsOf(scans, 'new').flat(), [1, 1, 0, 0]);
  assert.deepEqual(brief(await vulnerabilities(repository)), [
    ['open', 'high', 1],
    ['open', 'high', 1],
  ]);
});

test('a vulnerability that stays open at another location does not count for the mass-closure check', async () => {
  const repository = 'acme/two-locks';
  const many = (path: string) =>
    Array.from({ length: 30 }, (_, i) => ({ ...lodash, id: `CVE-2024-${40_000 + i}`, path }));
  const [, second] = await send([
    reportInput(trivy([...many('a/package-lock.json'), ...many('b/package-lock.json')]), {
      repository,
      scannedAt: day(1),
    }),
    reportInput(trivy(many('a/package-lock.json')), { repository, scannedAt: day(2) }),
  ]);
  assert.deepEqual(
    [second?.counts?.closing_held, second?.counts?.unchanged, second?.counts?.fixed],
    [0, 30, 0],
  );
});

test('a scan of the history and one of the tree close nothing of each other', async () => {
  const repository = 'acme/history';
  const result = (path: string): CodeResult => ({ rule: 'sqli', path, line: 1, code: `run(${path})` });
  const tree = sarif([result('a.ts')]);
  const history = sarif([result('a.ts'), result('b.ts')]);
  await send([
    reportInput(tree, { repository, scannedAt: day(1) }),
    reportInput(history, { repository, scannedAt: day(2), source: 'git_history' }),
    reportInput(tree, { repository, scannedAt: day(3) }),
  ]);
  assert.deepEqual(fieldsOf(await vulnerabilities(repository), 'status', 'source'), [
    ['open', 'current'],
    ['open', 'git_history'],
  ]);
});

test('without a source the report says whether it is one of the history', async () => {
  const repository = 'acme/told-history';
  const leak = (path: string) => ({
    path,
    line: 1,
    secret: `k3y-of-${path}-8s7d6f5g`,
    text: `key of ${path}`,
  });
  const ofHistory = gitleaks([leak('old.env')]).map((row) => ({ ...row, Commit: 'a'.repeat(40) }));
  await send([
    reportInput(ofHistory, { repository, scannedAt: day(1) }),
    reportInput(gitleaks([leak('new.env')]), { repository, scannedAt: day(2) }),
  ]);
  assert.deepEqual((await vulnerabilities(repository)).map(({ status, source }) => [status, source]).sort(), [
    ['open', 'current'],
    ['open', 'git_history'],
  ]);
});

test('a decision holds when a partial or late report shows another line', async () => {
  for (const [name, options] of [
    ['partial', { partial: true, scannedAt: day(6) }],
    ['late', { scannedAt: day(4) }],
  ] as const) {
    const repository = `acme/moved-${name}`;
    const at = (line: number) => sarif([{ rule: 'sqli', path: 'a.ts', line }]);
    await send([reportInput(at(10), { repository, scannedAt: day(5) })]);
    const [only] = await vulnerabilities(repository);
    assert.ok(only);
    await reject(only.id);
    const [moved] = await send([reportInput(at(13), { repository, ...options })]);
    assert.equal(moved?.counts?.new, 0, name);
    await send([reportInput(at(13), { repository, scannedAt: day(7) })]);
    assert.deepEqual(brief(await vulnerabilities(repository)), [['rejected', 'high', 1]], name);
    await assertInvariants(database.owner);
  }
});

test('a dry run does not choose the default branch', async () => {
  const repository = 'acme/dry-default';
  await send([
    reportInput(trivy([lodash]), { repository, scannedAt: day(1) }),
    reportInput(trivy([lodash]), {
      repository,
      ref: 'develop',
      scannedAt: day(2),
      dryRun: true,
      defaultBranch: parseReference('develop'),
    }),
  ]);
  const { rows } = await database.owner.query(
    `select f.full_ref from repository r join reference f on f.id = r.default_reference_id where r.full_name = $1`,
    [repository],
  );
  assert.deepEqual(rows, [{ full_ref: 'refs/heads/main' }]);
});

type Spot = [path: string, line: number, code?: string];

/** One result of a code scanner with several locations. */
function resultAt(...spots: Spot[]) {
  const [result] = sarif([{ rule: 'bed.mixed-seed', path: 'x', line: 1 }]).runs[0]?.results ?? [];
  const locations = spots.map(([uri, startLine, text]) => ({
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine, ...(text ? { snippet: { text } } : {}) },
    },
  }));
  return { ...result, locations };
}

function reportOf(...results: object[]) {
  const report = sarif([]);
  return { ...report, runs: report.runs.map((run) => ({ ...run, results })) };
}

async function shownLocations(repository: string) {
  const { rows } = await database.owner.query(
    `select p.path || ':' || p.line as shown,
            (select string_agg(l.path || ':' || l.line, ' ' order by l.path, l.line) from vulnerability_location l
              where l.vulnerability_id = v.id and l.fixed_at is null) as live
       from vulnerability v join repository r on r.id = v.repository_id
       join vulnerability_location p on p.id = v.primary_location_id
      where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows.map(({ shown, live }) => [shown, live]);
}

test('a result with several locations is one vulnerability, whatever their order', async () => {
  const repository = 'acme/several-locations';
  const spots: Spot[] = [
    ['src/b.ts', 7, 'sow(b)'],
    ['src/a.ts', 9, 'sow(a)'],
    ['src/a.ts', 3, 'sow(a2)'],
  ];
  const scans = await send([
    reportInput(reportOf(resultAt(...spots)), { repository, scannedAt: day(1) }),
    reportInput(reportOf(resultAt(...spots.toReversed())), { repository, scannedAt: day(2) }),
  ]);
  assert.deepEqual(countsOf(scans, 'read', 'new', 'unchanged', 'fixed'), [
    [1, 1, 0, 0],
    [1, 0, 1, 0],
  ]);
  assert.deepEqual(await shownLocations(repository), [['src/a.ts:3', 'src/a.ts:3 src/a.ts:9 src/b.ts:7']]);
});

test('a result keeps its vulnerability when a location comes, moves or goes', async () => {
  const repository = 'acme/changing-locations';
  const results = [
    resultAt(['src/a.ts', 3, 'sow(a)'], ['src/b.ts', 7, 'sow(b)']),
    resultAt(['src/a.ts', 3, 'sow(a)'], ['src/b.ts', 7, 'sow(b)'], ['src/c.ts', 1, 'sow(c)']),
    resultAt(['src/a.ts', 30, 'sow(a)'], ['src/b.ts', 70, 'sow(b)'], ['src/c.ts', 10, 'sow(c)']),
    resultAt(['src/a.ts', 31, 'sow(a, 2)'], ['src/b.ts', 71, 'sow(b, 2)'], ['src/d.ts', 5, 'sow(d)']),
    resultAt(['src/d.ts', 5, 'sow(d)']),
  ];
  const scans = await send(
    results.map((result, index) => reportInput(reportOf(result), { repository, scannedAt: day(index + 1) })),
  );
  assert.deepEqual(countsOf(scans, 'new', 'unchanged', 'fixed'), [
    [1, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]);
  assert.deepEqual(await shownLocations(repository), [['src/d.ts:5', 'src/d.ts:5']]);
  const { rows } = await database.owner.query(
    `select distinct o.match_method from location_observation o
       join vulnerability v on v.id = o.vulnerability_id join repository r on r.id = v.repository_id
      where r.full_name = $1 order by 1`,
    [repository],
  );
  assert.deepEqual(fieldOf(rows, 'match_method'), ['nearest-line', 'new', 'same-result']);
});

test('two results of one rule stay two vulnerabilities, also when both name one location', async () => {
  const repository = 'acme/two-results';
  const scan = await send([
    reportInput(
      reportOf(
        resultAt(['src/a.ts', 3, 'sow(a)'], ['src/b.ts', 7, 'sow(b)']),
        resultAt(['src/c.ts', 3, 'sow(c)'], ['src/d.ts', 7, 'sow(d)']),
      ),
      { repository, scannedAt: day(1) },
    ),
  ]);
  assert.equal(scan[0]?.counts?.new, 2);
});

test('a new location of a result does not join a vulnerability about which something was decided', async () => {
  const repository = 'acme/decided-result';
  const [x, z]: [Spot, Spot] = [
    ['src/a.ts', 3, 'sow(a)'],
    ['src/z.ts', 7, 'sow(z)'],
  ];
  await send([reportInput(reportOf(resultAt(x)), { repository, scannedAt: day(1) })]);
  const [known] = await vulnerabilities(repository);
  assert.ok(known);
  await reject(known.id);
  await send([
    reportInput(reportOf(resultAt(x, z)), { repository, scannedAt: day(2) }),
    reportInput(reportOf(resultAt(x), resultAt(z)), { repository, scannedAt: day(3) }),
    reportInput(reportOf(resultAt(x, z)), { repository, ref: 'topic', scannedAt: day(4) }),
  ]);
  assert.deepEqual(fieldOf(await vulnerabilities(repository), 'status'), ['rejected', 'open']);
});

test('two results that share a location are two vulnerabilities, in any order', async () => {
  const shared: Spot = ['src/z.ts', 9, 'sow(z)'];
  const results = [
    resultAt(['src/a.ts', 1, 'sow(a)'], shared),
    resultAt(['src/b.ts', 500, 'sow(b)'], shared),
  ];
  for (const [index, list] of [results, results.toReversed()].entries()) {
    const repository = `acme/shared-location-${index}`;
    await send([reportInput(reportOf(...list), { repository, scannedAt: day(1) })]);
    assert.deepEqual(await shownLocations(repository), [
      ['src/a.ts:1', 'src/a.ts:1 src/z.ts:9'],
      ['src/b.ts:500', 'src/b.ts:500'],
    ]);
  }
});

test('a result that divides keeps its vulnerability, and the new locations are another one', async () => {
  const repository = 'acme/divided-result';
  const spot = (name: string): Spot => [`src/${name}.ts`, 3, `sow(${name})`];
  await send([
    reportInput(reportOf(resultAt(spot('a'), spot('b'))), { repository, scannedAt: day(1) }),
    reportInput(reportOf(resultAt(spot('a'), spot('c')), resultAt(spot('b'), spot('d'))), {
      repository,
      scannedAt: day(2),
    }),
  ]);
  assert.deepEqual(
    (await shownLocations(repository)).map(([, live]) => live),
    ['src/a.ts:3 src/b.ts:3 src/c.ts:3', 'src/d.ts:3'],
  );
});

test('a decision stays with a location of its result that moves, and does not cover one whose code is edited', async () => {
  const repository = 'acme/moved-result';
  const at = (line: number, code: string) =>
    reportOf(resultAt(['src/a.ts', 3, 'sow(a)'], ['src/a.ts', line, code]));
  await send([reportInput(at(70, 'sow(b)'), { repository, scannedAt: day(1) })]);
  const [known] = await vulnerabilities(repository);
  assert.ok(known);
  await reject(known.id);
  await send([reportInput(at(72, 'sow(b)'), { repository, scannedAt: day(2) })]);
  assert.deepEqual(fieldOf(await vulnerabilities(repository), 'status'), ['rejected']);
  await send([reportInput(at(72, 'sow(b, 2)'), { repository, scannedAt: day(3) })]);
  assert.deepEqual(fieldOf(await vulnerabilities(repository), 'status'), ['rejected', 'open']);
});

test('of several locations the first by path is shown, whenever the others came', async () => {
  const repository = 'acme/shown-location';
  const inLock = (...paths: string[]) => trivy(paths.map((path) => ({ ...lodash, path })));
  const shown = async () => {
    const { rows } = await database.owner.query(
      `select l.path from vulnerability v join repository r on r.id = v.repository_id
         join vulnerability_location l on l.id = v.primary_location_id where r.full_name = $1`,
      [repository],
    );
    return rows.map((row) => row.path);
  };
  const after = async (n: number, ...paths: string[]) => {
    await send([reportInput(inLock(...paths), { repository, scannedAt: day(n) })]);
    return shown();
  };
  assert.deepEqual(await after(1, 'web/package-lock.json'), ['web/package-lock.json']);
  assert.deepEqual(await after(2, 'api/package-lock.json', 'web/package-lock.json'), [
    'api/package-lock.json',
  ]);
  const three = ['zoo/package-lock.json', 'api/package-lock.json', 'web/package-lock.json'];
  assert.deepEqual(await after(3, ...three), ['api/package-lock.json']);
  assert.deepEqual(await after(4, 'zoo/package-lock.json', 'web/package-lock.json'), [
    'web/package-lock.json',
  ]);
});

test('a result with several locations is one vulnerability in a report that is written in several parts', async () => {
  const repository = 'acme/large';
  const results = Array.from({ length: 2_100 }, (_, at) =>
    resultAt([`src/a/${at}.ts`, 3, `eval(${at})`], [`src/z/${at}.ts`, 3, `eval(${at})`]),
  );
  const input = reportInput(reportOf(...results), { repository, scannedAt: day(1) });
  const [scan] = await send([input]);
  assert.deepEqual([scan?.status, scan?.counts?.new, scan?.error], ['completed', 2_100, null]);
  const locations = new Set((await vulnerabilities(repository)).map((row) => row.locations));
  assert.deepEqual(locations, new Set([2]));
});

test('two names of one advisory share their locations in a report that is written in several parts', async () => {
  const repository = 'acme/large-names';
  const locations = Array.from({ length: 4_100 }, (_, at) => ({
    ...lodash,
    path: `p${at}/package-lock.json`,
  }));
  const named = locations.map((row) => ({ ...row, id: 'GHSA-p6mc-m468-83gw' }));
  const input = reportInput(trivy([...locations, ...named]), { repository, scannedAt: day(1) });
  const [scan] = await send([input]);
  assert.deepEqual([scan?.status, scan?.counts?.new, scan?.error], ['completed', 1, null]);
  assert.deepEqual(brief(await vulnerabilities(repository)), [['open', 'high', 4_100]]);
});
