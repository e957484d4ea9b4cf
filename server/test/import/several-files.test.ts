/** Tests of several files of one tool and category that come for each commit: none fixes what another one shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase } from '../support/database.ts';
import { byForm, seedOf } from '../support/form.ts';
import { countsOf, importAll } from '../support/import.ts';
import { importInTurn } from '../support/import-in-turn.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import { gitleaks } from '../support/scanner-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');

let repositories = 0;

/** A report with the results of these numbers, each in a file of its own in the folder of the report. */
interface Sent {
  /** A letter that stands for the commit. */
  commit: string;
  file: string;
  results?: number[];
  report?: object;
  ref?: string;
  partial?: boolean;
  format?: 'gitleaks';
  category?: string;
  force?: boolean;
}

const resultsIn = (file: string, numbers: number[]): CodeResult[] =>
  numbers.map((number) => ({
    rule: 'bed.untested-soil',
    path: `${file.split(/[/.-]/)[0]}/bed-${number}.ts`,
    line: number,
    code: `plant(${JSON.stringify(file.split(/[/.-]/)[0])}, ${number})`,
  }));

/** Imports the reports one hour apart. */
const importHourly = (reports: Sent[]) =>
  importInTurn(
    database,
    1,
    reports.map(({ report, results = [], commit, file, ...options }) => ({
      ...{ report: report ?? sarif(resultsIn(file, results)), sha: commit.repeat(40), fileName: file },
      ...options,
    })),
  );

/** The numbers of new, reopened and fixed vulnerabilities of the scans of each report. */
async function changesOf(reports: Sent[]) {
  return countsOf(await importHourly(reports), 'new', 'reopened', 'fixed');
}

const api = 'api/trivy.sarif';
const web = 'web/trivy.sarif';
const jobs = 'jobs/trivy.sarif';

async function seriesOf(scan: { reference_id: string } | undefined): Promise<string[]> {
  const { rows } = await database.owner.query(
    'select file_name from scan_series where reference_id = $1 order by file_name',
    [scan?.reference_id],
  );
  return rows.map((row) => row.file_name);
}

for (const later of [
  [api, web],
  [web, api],
]) {
  test(`two files that come for each commit fix only what is theirs, first ${later[0]}`, async () => {
    const all = [1, 2, 3];
    const scans = await importHourly([
      { commit: 'a', file: api, results: all },
      { commit: 'a', file: web, results: all },
      ...['b', 'c'].flatMap((commit) => later.map((file) => ({ commit, file, results: all }))),
      ...later.map((file) => ({ commit: 'd', file, results: file === api ? [1, 2] : all })),
      ...later.map((file) => ({ commit: 'e', file, results: file === api ? [1, 2] : [1] })),
    ]);
    const changes = countsOf(scans, 'new', 'reopened', 'fixed');
    const none = [0, 0, 0];
    assert.deepEqual(changes.slice(0, 6), [[3, 0, 0], [3, 0, 0], none, none, none, none]);
    const fixes = (file: string | undefined, mine: string, count: number) => [
      0,
      0,
      file === mine ? count : 0,
    ];
    assert.deepEqual(
      changes.slice(6, 8),
      later.map((file) => fixes(file, api, 1)),
    );
    assert.deepEqual(
      changes.slice(8),
      later.map((file) => fixes(file, web, 2)),
    );
    assert.deepEqual(await seriesOf(scans[0]), ['', later[1]]);
    for (const scan of scans.slice(4)) assert.deepEqual(scan.warnings, []);
  });
}

test('three files that come for each commit fix only what is theirs, in any order', async () => {
  const files = [api, web, jobs];
  const changes = await changesOf([
    ...files.map((file) => ({ commit: 'a', file, results: [1, 2] })),
    ...files.toReversed().map((file) => ({ commit: 'b', file, results: [1, 2] })),
    ...[web, jobs, api].map((file) => ({ commit: 'c', file, results: [1, 2] })),
    ...[api, jobs, web].map((file) => ({ commit: 'd', file, results: [1] })),
  ]);
  assert.deepEqual(changes.slice(3, 9).flat().filter(Boolean), []);
  assert.deepEqual(changes.slice(9), [
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 1],
  ]);
});

test('a branch tells the files apart from its first commit on, as the default branch does', async () => {
  const both = (commit: string, ref: string) =>
    [api, web].map((file) => ({ commit, ref, file, results: [1, 2] }));
  const scans = await importHourly([
    ...both('a', 'main'),
    ...both('b', 'main'),
    ...both('c', 'topic'),
    { commit: 'd', ref: 'topic', file: web, results: [1, 2] },
    { commit: 'd', ref: 'topic', file: api, results: [1] },
  ]);
  assert.deepEqual(countsOf(scans.slice(6), 'new', 'fixed'), [
    [0, 0],
    [0, 1],
  ]);
  assert.deepEqual(
    scans.slice(4).flatMap((scan) => scan.warnings),
    [],
  );
});

test('findings with neither code nor line are matched only with what their own file has shown', async () => {
  const manifest: CodeResult = { rule: 'garden.open-gate', path: 'AndroidManifest.xml' };
  const files = [api, web, jobs];
  /** One commit: the files in order, and those of them that have the finding. */
  const commit = (commit: string, ref: string, shown: string[], sent: string[] = files) =>
    sent.map((file) => {
      const results = [...resultsIn(file, [1]), ...(shown.includes(file) ? [manifest] : [])];
      return { commit, ref, file, report: sarif(results) };
    });
  for (const first of files) {
    const others = files.filter((file) => file !== first);
    const scans = await importHourly([
      ...commit('a', 'main', [first]),
      ...commit('b', 'main', [first]),
      ...commit('c', 'main', [first]),
      ...commit('d', 'main', files),
      ...commit('e', 'main', [first]),
      ...commit('f', 'main', files),
      ...commit('1', 'topic', files),
      ...commit('2', 'other', others),
      { ...commit('3', 'partial', files, [web])[0], partial: true },
    ] as Sent[]);
    assert.equal((await seriesOf(scans[0])).length, 3);
    const counts = countsOf(scans, 'new', 'reopened', 'fixed');
    const none = [0, 0, 0];
    const each = (row: number[]) => files.map((file) => (file === first ? none : row));
    assert.deepEqual(counts.slice(3, 9), Array(6).fill(none));
    assert.deepEqual(counts.slice(9, 18), [...each([1, 0, 0]), ...each([0, 0, 1]), ...each([0, 1, 0])]);
    assert.deepEqual(counts.slice(18), Array(7).fill(none));
    const { rows } = await database.owner.query(
      `select count(distinct l.vulnerability_id)::int as found, count(*)::int as locations from vulnerability_location l
         join reference f on f.id = l.reference_id
        where f.repository_id = $1 and f.full_ref <> 'refs/heads/main' and l.path = $2 group by f.full_ref order by f.full_ref`,
      [scans[0]?.repository_id, manifest.path],
    );
    assert.deepEqual(rows, [
      { found: 2, locations: 2 },
      { found: 1, locations: 1 },
      { found: 3, locations: 3 },
    ]);
  }
});

test('a branch does not tell files apart on the default branch', async () => {
  const onMain = (commit: string) => ({ commit, ref: 'main', file: api, results: [1] });
  const scans = await importHourly([
    onMain('a'),
    ...['b', 'c', 'd'].flatMap((commit) =>
      [web, api].map((file) => ({ commit, ref: 'topic', file, results: [1] })),
    ),
    onMain('e'),
  ]);
  assert.deepEqual(await seriesOf(scans.at(-1)), ['']);
  assert.deepEqual(await seriesOf(scans[1]), ['', api]);
});

test('a report that is expected for the commit is not fixed by the one that comes first', async () => {
  const changes = await changesOf([
    { commit: 'a', file: api, results: [1] },
    { commit: 'a', file: 'aa.sarif', results: [] },
    { commit: 'b', file: 'aa.sarif', results: [] },
    { commit: 'b', file: api, results: [1] },
    { commit: 'c', file: 'aa.sarif', results: [] },
    { commit: 'c', file: api, results: [] },
  ]);
  assert.deepEqual(
    changes.map(([, , fixed]) => fixed),
    [0, 0, 0, 0, 0, 1],
  );
});

test('a file that came once beside another one delays what that fixes by one report', async () => {
  const scans = await importHourly([
    { commit: 'a', file: api, results: [1, 2] },
    { commit: 'a', file: 'by-hand.sarif', results: [1] },
    { commit: 'b', file: api, results: [1] },
    { commit: 'c', file: api, results: [1] },
  ]);
  assert.deepEqual(countsOf(scans, 'fixed').flat(), [0, 0, 0, 2]);
  assert.match(scans[2]?.warnings.join() ?? '', /"by-hand\.sarif".*--category/);
  assert.deepEqual(await seriesOf(scans[0]), ['']);
});

test('files whose names change with each commit share a series, which fixes what the first one does not show', async () => {
  const turns = ['b', 'c', 'd'].flatMap(() => [
    [0, 1],
    [1, 0],
  ]);
  const names = ['20310501', '20310502', '20310502', '2031-05-03'];
  for (const nameOf of [(at: number) => String(at), (at: number) => names[at]]) {
    const scans = await importHourly(
      ['a', 'b', 'c', 'd'].flatMap((commit, at) => [
        { commit, file: `api-${nameOf(at)}.sarif`, results: [1] },
        { commit, file: `web-${nameOf(at)}.sarif`, results: [1] },
      ]),
    );
    assert.deepEqual(await seriesOf(scans[0]), ['']);
    // The fourth day cannot know that the names of the third do not come again.
    const dates = [...turns.slice(0, 4), [0, 0], [0, 0]];
    assert.deepEqual(countsOf(scans.slice(2), 'reopened', 'fixed'), nameOf(0) === '0' ? turns : dates);
  }
});

test('a file beside one whose name changes fixes what is its own from the third commit on', async () => {
  const scans = await importHourly(
    ['a', 'b', 'c', 'd'].flatMap((commit, at) => [
      { commit, file: api, results: [1, 2, 3, 4].slice(at) },
      { commit, file: `web-${commit}.sarif`, results: [1] },
    ]),
  );
  // Those of the other file are fixed with them, and reopened by it.
  assert.deepEqual(countsOf(scans, 'reopened', 'fixed'), [
    ...[
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    ...[
      [0, 3],
      [1, 0],
      [0, 2],
      [1, 0],
    ],
  ]);
});

test('a file that is renamed after two commits fixes what it does not show from its second commit on', async () => {
  const changes = await changesOf([
    { commit: 'a', file: 'api/trivy.sarif', results: [1, 2, 3, 4] },
    { commit: 'b', file: 'api/report.sarif', results: [1, 2, 3] },
    { commit: 'c', file: 'api/report.sarif', results: [1, 2, 3] },
    { commit: 'd', file: 'api/trivy.sarif', results: [1, 2] },
    { commit: 'e', file: 'api/trivy.sarif', results: [1] },
  ]);
  assert.deepEqual(
    changes.map(([, , fixed]) => fixed),
    [0, 1, 0, 0, 2],
  );
});

test('a file of another name for each commit fixes nothing of the one that always comes', async () => {
  const scans = await importHourly(
    ['a', 'b', 'c', 'd', 'e'].flatMap((commit, at) => [
      ...(at < 2 ? [] : [{ commit, file: `${commit}.sarif`, results: [] }]),
      { commit, file: web, results: [1, 2] },
    ]),
  );
  assert.deepEqual(countsOf(scans, 'fixed').flat().filter(Boolean), []);
});

test('a report with a gap, or a failed one, leaves the shared series only when it shows all', async () => {
  const [run] = sarif([]).runs;
  const silent = {
    gap: {
      invocations: [
        {
          executionSuccessful: true,
          toolExecutionNotifications: [
            {
              level: 'error',
              message: { text: 'cannot read' },
              locations: [{ physicalLocation: { artifactLocation: { uri: 'web/bed-1.ts' } } }],
            },
          ],
        },
      ],
    },
    failure: { invocations: [{ executionSuccessful: false }] },
  };
  for (const more of [silent.gap, silent.failure]) {
    const report = { ...sarif([]), runs: [{ ...run, ...more }] };
    const scans = await importHourly([
      ...[api, web].map((file) => ({ commit: 'a', file, results: [1] })),
      { commit: 'b', file: api, results: [1] },
      { commit: 'b', file: web, report },
      { commit: 'c', file: web, report },
      { commit: 'c', file: api, results: [1] },
      { commit: 'd', file: api, results: [1] },
      { commit: 'd', file: web, report },
    ]);
    assert.deepEqual(countsOf(scans, 'fixed').flat().filter(Boolean), []);
    assert.deepEqual(await seriesOf(scans[0]), ['', api]);
  }
});

test('a file with several runs that only numbers tell apart keeps the shared series', async () => {
  const twice = (...numbers: number[]) => ({
    ...sarif([]),
    runs: numbers.flatMap((number) => sarif(resultsIn(web, [number])).runs),
  });
  const scans = await importHourly([
    ...['a', 'b', 'c'].flatMap((commit) => [
      { commit, file: api, results: [1] },
      { commit, file: web, report: twice(1, 2) },
    ]),
    { commit: 'd', file: web, report: twice(2) },
    { commit: 'd', file: api, results: [1] },
  ]);
  assert.deepEqual(countsOf(scans, 'fixed').flat().filter(Boolean), []);
  assert.deepEqual(await seriesOf(scans[0]), ['', '']);
});

test('what a file shows stays open while it does not come, and a partial report of it fixes nothing', async () => {
  const changes = await changesOf([
    ...['a', 'b', 'c'].flatMap((commit) => [api, web].map((file) => ({ commit, file, results: [1, 2] }))),
    { commit: 'd', file: api, results: [1, 2] },
    { commit: 'e', file: api, results: [1, 2] },
    { commit: 'f', file: web, results: [1], partial: true },
    { commit: '1', file: web, results: [1] },
  ]);
  assert.deepEqual(
    changes.map(([, , fixed]) => fixed),
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  );
});

test('no closure is held because a file has a series of its own now, and one that fixes too much is', async () => {
  const many = Array.from({ length: 30 }, (_, index) => index + 1);
  const before: Sent[] = ['a', 'b'].flatMap((commit) => [
    { commit, file: api, results: [1] },
    { commit, file: web, results: many },
  ]);
  const scans = await importHourly([
    ...before,
    { commit: 'c', file: api, results: [1] },
    { commit: 'c', file: web, results: many.slice(20) },
    { commit: 'd', file: web, results: many.slice(20) },
  ]);
  assert.deepEqual(countsOf(scans.slice(4), 'fixed', 'closing_held'), [
    [0, 0],
    [0, 20],
    [20, 0],
  ]);
  // The shared series still sees what the broken report of the file does not show.
  const broken = await importHourly([
    ...before,
    { commit: 'c', file: web, results: [] },
    { commit: 'c', file: api, results: [1] },
  ]);
  assert.deepEqual(countsOf(broken.slice(4), 'fixed').flat(), [0, 0]);
  const { rows } = await database.owner.query(
    `select s.file_name, count(*)::int as held from location_observation o join scan_series s on s.id = o.series_id
      where s.reference_id = $1 and o.held group by s.file_name`,
    [broken[0]?.reference_id],
  );
  assert.deepEqual(rows, [{ file_name: web, held: 30 }]);
});

test('a closure is held though another category sees some of the findings, and those do not count as fixed', async () => {
  const results = (count: number) =>
    sarif(
      resultsIn(
        api,
        Array.from({ length: count }, (_, index) => index + 1),
      ),
    );
  const scans = await importHourly([
    { commit: 'a', file: api, report: results(50) },
    { commit: 'a', file: api, report: results(26), category: 'other' },
    { commit: 'b', file: api, report: results(0) },
  ]);
  assert.deepEqual(countsOf(scans, 'fixed', 'closing_held').at(-1), [0, 24]);
});

const lists = (...packages: string[]) => ({
  ...trivy([]),
  Results: [
    {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Packages: packages.map((named) => {
        const [Name, Version] = named.split('@');
        return { Name, Version, Identifier: { PURL: `pkg:npm/${named}` } };
      }),
    },
  ],
});

async function packagesOf(scan: { reference_id: string } | undefined): Promise<string[]> {
  const { rows } = await database.owner.query(
    `select distinct p.purl || '@' || v.version as listed from manifest_package m
       join package_version v on v.id = m.package_version_id join package p on p.id = v.package_id
      where m.reference_id = $1 order by 1`,
    [scan?.reference_id],
  );
  return rows.map((row) => row.listed.replace('pkg:npm/', ''));
}

test('packages of a file that has a series of its own are listed there alone, if the other lists none', async () => {
  const scans = await importHourly(
    ['1.0.0', '1.0.1', '1.0.2'].flatMap((version, at) => [
      { commit: 'abc'.charAt(at), file: 'config.json', report: trivy([]) },
      { commit: 'abc'.charAt(at), file: 'fs.json', report: lists(`seed@${version}`) },
    ]),
  );
  assert.deepEqual(await packagesOf(scans[0]), ['seed@1.0.2']);
});

test('a file with a series of its own takes no package of another one away, also in a manifest of both', async () => {
  const scans = await importHourly(
    ['a', 'b'].flatMap((commit) => [
      { commit, file: 'api.json', report: lists('seed@1.0.0', 'soil@1.0.0') },
      { commit, file: 'web.json', report: lists(commit === 'a' ? 'seed@1.0.0' : 'rain@1.0.0') },
    ]),
  );
  assert.deepEqual(await seriesOf(scans[0]), ['', 'web.json']);
  assert.deepEqual(await packagesOf(scans[0]), ['rain@1.0.0', 'seed@1.0.0', 'soil@1.0.0']);
});

test('packages of a file that leaves with a report without any stay, as with any report without packages', async () => {
  const scans = await importHourly([
    ...['a', 'b', 'c'].flatMap((commit) => [
      { commit, file: 'config.json', report: trivy([]) },
      { commit, file: 'fs.json', report: commit === 'a' ? lists('seed@1.0.0') : trivy([]) },
    ]),
  ]);
  assert.deepEqual(await seriesOf(scans[0]), ['', 'fs.json']);
  assert.deepEqual(await packagesOf(scans[0]), ['seed@1.0.0']);
});

test('packages that only the keeper of the shared series has listed stay when it lists none', async () => {
  const seed = lists('seed@1.0.0');
  const scans = await importHourly([
    ...['a', 'b'].flatMap((commit) => [
      { commit, file: 'api.json', report: seed },
      { commit, file: 'web.json', report: lists('rain@1.0.0') },
    ]),
    { commit: 'c', file: 'api.json', report: seed },
    { commit: 'd', file: 'api.json', report: trivy([]) },
    { commit: 'e', file: 'api.json', report: lists('seed@1.0.0') },
  ]);
  assert.deepEqual(await seriesOf(scans[0]), ['', 'web.json']);
  assert.deepEqual(await packagesOf(scans[0]), ['rain@1.0.0', 'seed@1.0.0']);
});

test('a file that has come beside another one only on the default branch begins no series beside what it replaces', async () => {
  const scans = await importHourly([
    ...['old.sarif', 'new.sarif'].map((file) => ({ commit: 'a', file, results: [1] })),
    { commit: 'b', file: 'new.sarif', results: [1] },
    { commit: 'c', ref: 'topic', file: 'old.sarif', report: sarif(resultsIn(api, [1])) },
    ...['d', 'e'].map((commit) => ({ commit, ref: 'topic', file: 'new.sarif', results: [] })),
  ]);
  assert.deepEqual(countsOf(scans.slice(3), 'fixed').flat(), [0, 0, 1]);
});

test('a report that is forced stands alone', async () => {
  const scans = await importHourly([
    ...[api, 'zz.sarif'].map((file) => ({ commit: 'a', file, results: [1] })),
    { commit: 'b', file: api, results: [1] },
    { commit: 'b', file: 'zz.sarif', results: [1], force: true },
  ]);
  assert.deepEqual(countsOf(scans, 'fixed').at(-1), [1]);
  assert.deepEqual(await seriesOf(scans[0]), ['']);
});

test('a branch keeps the series of a file that has got one of its own on the default branch since', async () => {
  const all = [1, 2];
  const scans = await importHourly([
    { commit: 'a', file: web, results: all },
    { commit: 'b', ref: 'topic', file: web, results: all },
    ...[web, api].map((file) => ({ commit: 'c', file, results: all })),
    ...[api, web].map((file) => ({ commit: 'd', file, results: all })),
    { commit: 'e', ref: 'topic', file: web, results: [1] },
    { commit: 'e', ref: 'topic', file: api, results: all },
    { commit: 'f', ref: 'topic', file: web, results: [] },
    { commit: 'f', ref: 'topic', file: api, results: [1] },
  ]);
  assert.deepEqual(await seriesOf(scans[0]), ['', web]);
  assert.deepEqual(await seriesOf(scans[1]), ['', api]);
  assert.deepEqual(countsOf(scans.slice(6), 'fixed').flat(), [1, 0, 1, 1]);
  assert.deepEqual(
    scans.slice(6).flatMap((scan) => scan.warnings),
    [],
  );
});

test('files that came together once, and then in turns, get series when they come together again', async () => {
  const changes = await changesOf([
    ...[api, web].map((file) => ({ commit: 'a', file, results: [1, 2] })),
    { commit: 'b', file: web, results: [1, 2] },
    { commit: 'c', file: api, results: [1, 2] },
    { commit: 'c', file: web, results: [1] },
    { commit: 'd', file: api, results: [1] },
  ]);
  assert.deepEqual(changes.slice(2), [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 2],
  ]);
});

test('an empty report of a scanner of secrets is of the series of its file', async () => {
  const secret = [
    { path: 'a.env', line: 1, text: 'token = tok_9fK2mQ7xLw8RzT4v', secret: 'tok_9fK2mQ7xLw8RzT4v' },
  ];
  const first = 'api/gitleaks.json';
  const second = 'web/gitleaks.json';
  const other = [
    { path: 'b.env', line: 1, text: 'token = tok_3hB6nY1cVp5JsD0e', secret: 'tok_3hB6nY1cVp5JsD0e' },
  ];
  const scans = await importHourly([
    ...['a', 'b', 'c'].flatMap((commit) => [
      { commit, file: first, report: gitleaks(secret) },
      { commit, file: second, report: gitleaks(other) },
    ]),
    { commit: 'd', file: second, format: 'gitleaks', report: gitleaks([]) },
    { commit: 'd', file: first, format: 'gitleaks', report: gitleaks([]) },
  ]);
  assert.deepEqual(countsOf(scans, 'fixed').flat(), [0, 0, 0, 0, 0, 0, 1, 1]);
});

/** The numbers of the open results of each file of the repository, on its default branch. */
async function openResults(repositoryId: string): Promise<string[]> {
  const { rows } = await database.owner.query(
    `select l.path from vulnerability_location l join reference r on r.id = l.reference_id
      where r.repository_id = $1 and l.fixed_at is null order by l.path`,
    [repositoryId],
  );
  return rows.map((row) => row.path);
}

/** Without a successful invocation, a report that fixes all would be held. */
const withInvocation = ({ runs, ...report }: ReturnType<typeof sarif>) => ({
  ...report,
  runs: runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: true }] })),
});

const commitOfFiles = fc.uniqueArray(
  fc.record({
    file: fc.constantFrom(api, web, jobs),
    results: fc.subarray([1, 2, 3]),
  }),
  { minLength: 1, maxLength: 3, selector: ({ file }) => file },
);
const commitOfAll = fc
  .shuffledSubarray([api, web, jobs], { minLength: 3 })
  .chain((files) =>
    fc.tuple(...files.map((file) => fc.record({ file: fc.constant(file), results: fc.subarray([1, 2, 3]) }))),
  );

test('after three commits with all files, exactly what each file has shown last is open', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(commitOfFiles, { maxLength: 4 }),
      fc.tuple(commitOfAll, commitOfAll, commitOfAll),
      fc.array(commitOfFiles, { maxLength: 4 }),
      async (before, settling, later) => {
        const commits = [...before, ...settling, ...later];
        const first = before.flat().length + settling.flat().length;
        const sent = commits.flatMap((files, at) =>
          files.map((file) => ({ commit: at.toString(16), ...file })),
        );
        const shown = new Map<string, string[]>();
        let hour = 0;
        const repository = `acme/several-${++repositories}`;
        for (const { file, results, commit } of sent) {
          const report = resultsIn(file, results);
          shown.set(
            file,
            report.map(({ path }) => path),
          );
          const scannedAt = new Date(Date.UTC(2026, 4, 1, hour++));
          const [scan] = await importAll(database, 'acme', [
            reportInput(withInvocation(sarif(report)), {
              repository,
              sha: commit.repeat(40),
              fileName: file,
              scannedAt,
            }),
          ]);
          if (hour < first) continue;
          assert.deepEqual(await openResults(scan?.repository_id ?? ''), [...shown.values()].flat().sort());
        }
      },
    ),
    { numRuns: byForm({ short: 8, ci: 40, full: 400 }), seed: seedOf(20_311_129), endOnFailure: true },
  );
});
