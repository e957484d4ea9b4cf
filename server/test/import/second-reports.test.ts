/**
 * Tests of several reports of one tool, category and commit. None of them shows that what another one found is fixed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackState } from '../../src/domain/packed-state.ts';
import type { ScanDetailRow } from '../../src/ingest/scans/store.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf } from '../support/import.ts';
import { importInTurn, type SentReport } from '../support/import-in-turn.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');

const sha = 'a'.repeat(40);
const next = 'b'.repeat(40);

/** Imports the reports one hour apart, as of one commit unless they name another. */
const importHourly = (reports: SentReport[]) =>
  importInTurn(
    database,
    1,
    reports.map((report) => ({ sha, ...report })),
  );

/** The numbers of new and fixed vulnerabilities of each scan. */
const changesOf = (scans: ScanDetailRow[]) => countsOf(scans, 'new', 'fixed');

const inFolder = (folder: string, count = 3): CodeResult[] =>
  Array.from({ length: count }, (_, index) => ({
    rule: 'bed.untested-soil',
    path: `${folder}/bed-${index}.ts`,
    line: index + 1,
    code: `plant(${JSON.stringify(folder)}, ${index})`,
  }));

/** The states of the vulnerabilities of the scan's repository. */
async function statesOf(scan: { repository_id: string } | undefined) {
  const { rows } = await database.owner.query(
    'select packed_state from vulnerability where repository_id = $1',
    [scan?.repository_id],
  );
  return rows.map((row) => unpackState(row.packed_state));
}

const frontend = sarif(inFolder('frontend'));
const backend = sarif(inFolder('backend', 2));

test('a second report of a tool for one commit fixes nothing, and its scan says so', async () => {
  const scans = await importHourly([
    { report: frontend, fileName: 'frontend/semgrep.sarif' },
    { report: sarif([]), fileName: 'zz.sarif' },
    { report: sarif([]), fileName: 'deeper/zz.sarif' },
  ]);
  assert.deepEqual(changesOf(scans), [
    [3, 0],
    [0, 0],
    [0, 0],
  ]);
  assert.deepEqual(scans[0]?.warnings, []);
  for (const scan of scans.slice(1)) {
    assert.match(scan.warnings.join('\n'), /"frontend\/semgrep\.sarif".*--category/);
  }
});

test('the next report of the same file fixes what it does not show, and so does one of another commit', async () => {
  const again = await importHourly([
    { report: frontend, fileName: 'semgrep.sarif' },
    { report: sarif([]), fileName: 'semgrep.sarif' },
  ]);
  assert.deepEqual(changesOf(again).at(-1), [0, 3]);
  const later = await importHourly([
    { report: frontend, fileName: 'semgrep.sarif' },
    { report: sarif([]), fileName: 'zz.sarif', sha: next },
  ]);
  assert.deepEqual(changesOf(later).at(-1), [0, 3]);
});

test('a second report whose sender forces it fixes what it does not show', async () => {
  const scans = await importHourly([
    { report: frontend, fileName: 'semgrep.sarif' },
    { report: sarif([]), fileName: 'other.sarif', force: true },
  ]);
  assert.deepEqual(changesOf(scans).at(-1), [0, 3]);
});

test('reports of two folders stay together, whichever comes first, and categories keep them apart', async () => {
  const mixed = await importHourly([
    { report: frontend, fileName: 'frontend/semgrep.sarif' },
    { report: backend, fileName: 'backend/semgrep.sarif' },
    { report: frontend, fileName: 'frontend/semgrep.sarif' },
  ]);
  assert.deepEqual(changesOf(mixed), [
    [3, 0],
    [2, 0],
    [0, 0],
  ]);
  const apart = await importHourly([
    { report: frontend, fileName: 'frontend/semgrep.sarif', category: 'frontend' },
    { report: backend, fileName: 'backend/semgrep.sarif', category: 'backend' },
  ]);
  assert.deepEqual(apart[1]?.warnings, []);
});

test('a second report takes away no package that the first one lists, and joins their licenses', async () => {
  const lists = (name: string, relationship = 'direct', license = 'MIT') => ({
    ...trivy([]),
    Results: [
      {
        Target: `${name}/package-lock.json`,
        Class: 'lang-pkgs',
        Type: 'npm',
        Packages: [
          {
            Name: name,
            Version: '1.0.0',
            Relationship: relationship,
            Licenses: [license],
            Identifier: { PURL: `pkg:npm/${name}@1.0.0` },
          },
        ],
      },
    ],
  });
  const [first] = await importHourly([
    { report: lists('seed'), fileName: 'seed/trivy.json' },
    { report: lists('soil'), fileName: 'soil/trivy.json' },
    { report: lists('seed', 'indirect', 'GPL-3.0-only'), fileName: 'zz.json' },
  ]);
  const { rows } = await database.owner.query(
    `select m.path, p.direct, p.licenses from manifest_package p join manifest m using (tenant_id) where m.id = p.manifest_id
        and p.reference_id = $1 order by m.path`,
    [first?.reference_id],
  );
  assert.deepEqual(rows, [
    { path: 'seed/package-lock.json', direct: true, licenses: ['GPL-3.0-only', 'MIT'] },
    { path: 'soil/package-lock.json', direct: true, licenses: null },
  ]);
});

test('a version has the first two hundred licenses of all its mentions and reports', async () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `License-${from + n}`);
  const report = (mentions: string[][], Target?: string) => ({
    ...trivy([]),
    Results: mentions.map((Licenses, index) => ({
      ...{ Target: Target ?? `${index}/package-lock.json`, Class: 'lang-pkgs', Type: 'npm' },
      Packages: [{ Name: 'hoe', Version: '1.0.0', Licenses, Identifier: { PURL: 'pkg:npm/hoe@1.0.0' } }],
    })),
  });
  const licenses = async (): Promise<string[]> => {
    const { rows } = await database.owner.query(
      `select licenses from package_version where purl = 'pkg:npm/hoe@1.0.0'`,
    );
    return rows[0].licenses;
  };
  await importHourly([{ report: report([names(0, 20)]) }]);
  // Both are known, and another one of twenty is new.
  await importHourly([{ report: report([names(0, 2), names(0, 20)]) }]);
  assert.deepEqual((await licenses()).length, 20);
  await importHourly([{ report: report([names(1, 21)]) }]);
  assert.deepEqual((await licenses()).sort(), names(0, 21).sort());
  const many = Array.from({ length: 30 }, (_, index) => names(20 * index, 20 * index + 20));
  await importHourly([{ report: report(many) }]);
  assert.deepEqual((await licenses()).sort(), names(0, 200).sort());
  const [scan] = await importHourly([{ report: report([names(500, 501), ...many], 'package-lock.json') }]);
  assert.deepEqual((await licenses()).sort(), names(0, 200).sort());
  const { rows } = await database.owner.query(
    'select cardinality(licenses) as count from manifest_package where reference_id = $1',
    [scan?.reference_id],
  );
  assert.deepEqual(rows, [{ count: 200 }]);
});

test('a second report raises a severity and does not lower it', async () => {
  const lodash = (severity: string) =>
    trivy([{ id: 'CVE-2031-1', name: 'lodash', version: '1.0.0', severity }]);
  const severityAfter = async (severity: string) => {
    const [first] = await importHourly([
      { report: lodash('HIGH'), fileName: 'trivy.json' },
      { report: lodash(severity), fileName: 'zz.json' },
    ]);
    return (await statesOf(first)).map((state) => state.severity);
  };
  assert.deepEqual(await severityAfter('LOW'), ['high']);
  assert.deepEqual(await severityAfter('CRITICAL'), ['critical']);
});

test('a second report suppresses nothing that the first one shows, neither by a file nor in the source', async () => {
  for (const suppressed of ['external', true] as const) {
    const [first] = await importHourly([
      { report: frontend, fileName: 'semgrep.sarif' },
      {
        report: sarif(inFolder('frontend').map((result) => ({ ...result, suppressed }))),
        fileName: 'zz.sarif',
      },
    ]);
    const statuses = (await statesOf(first)).map((state) => state.status);
    assert.deepEqual(statuses, ['open', 'open', 'open'], String(suppressed));
  }
});

test('a second report suppresses what it shows alone, at the next commit too', async () => {
  const suppressed = sarif(inFolder('backend', 2).map((result) => ({ ...result, suppressed: 'external' })));
  const [first] = await importHourly(
    [sha, next].flatMap((commit) => [
      { report: frontend, fileName: 'frontend/semgrep.sarif', sha: commit },
      { report: suppressed, fileName: 'backend/semgrep.sarif', sha: commit },
    ]),
  );
  const statuses = (await statesOf(first)).map((state) => state.status);
  assert.deepEqual(statuses.filter((status) => status !== 'fixed').sort(), [
    ...['ignored', 'ignored'],
    ...['open', 'open', 'open'],
  ]);
});

test('a second report takes no fix away', async () => {
  const lodash = (fixed: string) => trivy([{ id: 'CVE-2031-2', name: 'lodash', version: '1.0.0', fixed }]);
  const [first] = await importHourly([
    { report: lodash('1.0.1'), fileName: 'trivy.json' },
    { report: lodash(''), fileName: 'zz.json' },
  ]);
  const { rows } = await database.owner.query(
    'select fix_version from vulnerability where repository_id = $1',
    [first?.repository_id],
  );
  assert.deepEqual(rows, [{ fix_version: '1.0.1' }]);
});

test('a closure that is held stays held after a second report', async () => {
  const many = sarif(inFolder('frontend', 30));
  const [first] = await importHourly([
    { report: many, fileName: 'semgrep.sarif' },
    { report: sarif([]), fileName: 'semgrep.sarif', sha: next },
    { report: sarif(inFolder('backend', 1)), fileName: 'zz.sarif', sha: next },
  ]);
  const { rows } = await database.owner.query(
    'select held_closure is not null as held, held_scan_id is not null as named from scan_series where reference_id = $1',
    [first?.reference_id],
  );
  assert.deepEqual(rows, [{ held: true, named: true }]);
});

test('a second or partial report takes what it shows out of a closure that is held', async () => {
  const report = sarif([]);
  for (const other of [{ fileName: 'zz.sarif' }, { fileName: 'semgrep.sarif', partial: true }]) {
    for (const shown of [5, 30]) {
      const scans = await importHourly([
        { report: sarif(inFolder('frontend', 30)), fileName: 'semgrep.sarif' },
        { report, fileName: 'semgrep.sarif', sha: next },
        { report: sarif(inFolder('frontend', shown)), sha: next, ...other },
      ]);
      const { rows } = await database.owner.query(
        `select count(*) filter (where o.held)::int as held, count(*) filter (where not o.held)::int as others,
                s.held_closure is not null as is_held, s.held_scan_id is not null as named
           from location_observation o join scan_series s on s.id = o.series_id
          where s.reference_id = $1 and not o.detached and o.until_seq is null group by s.held_closure, s.held_scan_id`,
        [scans[0]?.reference_id],
      );
      const isHeld = shown < 30;
      assert.deepEqual(rows, [{ held: 30 - shown, others: shown, is_held: isHeld, named: isHeld }]);
    }
  }
});

test('a scan after the closure that another report has contradicted is held again', async () => {
  const scans = await importHourly([
    { report: sarif(inFolder('frontend', 30)), fileName: 'semgrep.sarif' },
    { report: sarif([]), fileName: 'semgrep.sarif', sha: next },
    { report: sarif(inFolder('frontend', 5)), fileName: 'zz.sarif', sha: next },
    { report: sarif([]), fileName: 'semgrep.sarif', sha: 'c'.repeat(40) },
    { report: sarif([]), fileName: 'semgrep.sarif', sha: 'd'.repeat(40) },
    { report: sarif([]), fileName: 'semgrep.sarif', sha: 'e'.repeat(40) },
  ]);
  assert.deepEqual(
    changesOf(scans).map(([, fixed]) => fixed),
    [0, 0, 0, 0, 0, 30],
  );
});

test('a complete report after a partial one of the commit fixes what it does not show', async () => {
  const scans = await importHourly([
    { report: frontend, fileName: 'full.sarif', sha: 'd'.repeat(40) },
    { report: sarif(inFolder('frontend', 1)), fileName: 'changed.sarif', partial: true },
    { report: sarif([]), fileName: 'full.sarif' },
    { report: frontend, fileName: 'changed.sarif', partial: true },
  ]);
  assert.deepEqual(
    scans.map(({ counts, warnings }) => [counts?.fixed, warnings]),
    [0, 0, 3, 0].map((fixed) => [fixed, []]),
  );
});

test('a second report does not take the place of what the first one shows in the same file', async () => {
  const image = (line: number): CodeResult => ({
    rule: 'unpinned',
    path: 'Dockerfile',
    line,
    code: `RUN ${line}`,
  });
  const scans = await importHourly([
    { report: sarif([image(1)]), fileName: 'build.sarif' },
    { report: sarif([image(9)]), fileName: 'deploy.sarif' },
  ]);
  assert.deepEqual(changesOf(scans), [
    [1, 0],
    [1, 0],
  ]);
});

test('an empty report of a scanner of secrets counts for the files or the history, where the tool sees something', async () => {
  const leak = (date: string) => ({
    ...frontend,
    runs: [
      {
        tool: { driver: { name: 'gitleaks' } },
        results: [
          {
            ruleId: 'garden-token',
            message: { text: 'garden-token has detected secret for file a.ts.' },
            locations: [{ physicalLocation: { artifactLocation: { uri: `${date || 'tree'}.ts` } } }],
            partialFingerprints: { date },
          },
        ],
      },
    ],
  });
  const [files, history] = [leak(''), leak('2030-01-02T01:04:05Z')];
  const empty = { ...files, runs: [{ ...files.runs[0], results: [] }] };
  const fileName = 'gitleaks.sarif';
  for (const report of [files, history]) {
    const scans = await importHourly([
      { report, fileName },
      { report: empty, fileName, sha: next },
    ]);
    assert.deepEqual(changesOf(scans).at(-1), [0, 1]);
  }
  const unclear = await importHourly([
    { report: files, fileName },
    { report: history, fileName: 'history.sarif' },
    { report: empty, fileName, sha: next },
    { report: empty, fileName, sha: 'c'.repeat(40), source: 'git_history' },
  ]);
  assert.deepEqual(
    changesOf(unclear).map(([, fixed]) => fixed),
    [0, 0, 0, 1],
  );
  assert.match(unclear[2]?.warnings.join('\n') ?? '', /--source current or --source git_history/);
});

test('a short hash names the same commit', async () => {
  const scans = await importHourly([
    { report: frontend, fileName: 'semgrep.sarif', sha: sha.slice(0, 9) },
    { report: sarif([]), fileName: 'zz.sarif' },
  ]);
  assert.deepEqual(changesOf(scans).at(-1), [0, 0]);
});

const together = (...reports: (typeof frontend)[]) => ({
  ...frontend,
  runs: reports.flatMap((report) => report.runs),
});

test('a run that a report leaves out is not taken for another one, also where the sender gives the category', async () => {
  const named = (category: string, report: typeof frontend) => ({
    ...report,
    runs: report.runs.map((run) => ({ ...run, automationDetails: { id: `${category}/` } })),
  });
  const web = named('web', frontend);
  const api = named('api', backend);
  const mobile = named('mobile', sarif(inFolder('mobile', 1)));
  for (const category of [null, 'nightly']) {
    const scans = await importHourly([
      { report: together(web, api, mobile), category },
      { report: together(api, mobile), category, sha: next },
      { report: together(named('web', sarif([])), api, mobile), category, sha: 'c'.repeat(40) },
    ]);
    assert.deepEqual(changesOf(scans), [
      [6, 0],
      [0, 0],
      [0, 3],
    ]);
  }
});

test('a report with fewer runs that nothing tells apart fixes nothing until its sender forces it', async () => {
  const mobile = sarif(inFolder('mobile', 1));
  const scans = await importHourly([
    { report: together(frontend, backend, mobile) },
    { report: together(backend, mobile), sha: next },
    { report: together(backend, mobile), sha: 'c'.repeat(40), force: true },
  ]);
  assert.deepEqual(changesOf(scans), [
    [6, 0],
    [0, 0],
    [0, 3],
  ]);
  assert.match(scans[1]?.warnings.join('\n') ?? '', /had more runs of semgrep.*retire the series "#3"/);
});
