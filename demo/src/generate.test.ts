/** Tests of the demo's scans: they are always the same, well formed, free of credentials, and follow the story. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { dayMs } from '@merlon/server/src/domain/time.ts';
import { inventory, repositories } from './company/company.ts';
import { type DemoScan, generateScans, writeScans } from './generate.ts';
import { findCodeqlRule, findSemgrepRule } from './knowledge/code-rules.ts';
import { readTable } from './knowledge/table.ts';
import { listRows, type ReportRow } from './report-rows.ts';

const now = new Date('2026-03-02T09:30:00Z');
let scans: DemoScan[] = [];
let rows: (ReportRow & { scan: DemoScan })[] = [];

before(() => {
  scans = generateScans({ now, seed: 1 });
  rows = scans.flatMap((scan) => listRows(scan).map((row) => ({ ...row, scan })));
});

/** The dates on which the scans of one tool on the default branch had a matching row, and did not. */
function presence(repository: string, tool: string, accept: (row: ReportRow) => boolean): string {
  return scans
    .filter((scan) => scan.repository === repository && scan.ref === 'main')
    .filter((scan) => scan.fileName.endsWith(`_${tool}`))
    .map((scan) => (listRows(scan).some(accept) ? 'x' : '.'))
    .join('');
}

test('the same time and seed give the same scans, and another seed gives others', () => {
  assert.deepEqual(generateScans({ now, seed: 1 }), scans);
  assert.notDeepEqual(generateScans({ now, seed: 2 }), scans);
});

test('scans are well formed, ordered, unique and within the eight weeks', () => {
  assert.ok(scans.length >= 120 && scans.length <= 160, `${scans.length} scans`);
  assert.equal(new Set(scans.map((scan) => scan.fileName)).size, scans.length);
  const times = scans.map((scan) => scan.scannedAt);
  assert.deepEqual(times, times.toSorted());
  for (const scan of scans) {
    assert.match(scan.sha, /^[0-9a-f]{40}$/);
    assert.match(scan.scannedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(scan.fileName, /^[\w.-]+\.(json|sarif)$/);
    assert.equal(scan.defaultBranch, 'main');
    const ageDays = (now.getTime() - Date.parse(scan.scannedAt)) / dayMs;
    assert.ok(ageDays > 0 && ageDays < 58, scan.fileName);
    assert.equal(typeof JSON.parse(scan.report), 'object');
  }
});

test('every repository, tool and kind of reference occurs', () => {
  assert.deepEqual(
    new Set(scans.map((scan) => scan.repository)),
    new Set(repositories.map((repository) => repository.name)),
  );
  const tools = scans.map((scan) => scan.fileName.replace(/^.*_(trivy-image|[a-z]+).*$/, '$1'));
  assert.deepEqual(new Set(tools), new Set(['trivy', 'trivy-image', 'semgrep', 'codeql', 'gitleaks']));
  assert.deepEqual(new Set(scans.map((scan) => scan.refType)), new Set(['branch', 'tag', 'pull_request']));
  for (const repository of repositories) assert.ok(inventory.includes(`full_name: ${repository.name}\n`));
});

test('there are 250 to 450 problems, of every type and severity that these tools report', () => {
  const problems = new Set(rows.map((row) => `${row.scan.repository} ${row.type} ${row.problem}`));
  assert.ok(problems.size >= 250 && problems.size <= 450, `${problems.size} problems`);
  assert.deepEqual(
    new Set(rows.map((row) => row.type)),
    new Set(['dependency', 'container', 'license', 'iac', 'secret', 'sast', 'broken']),
  );
  for (const severity of ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']) {
    assert.ok(
      rows.some((row) => row.severity === severity),
      severity,
    );
  }
});

test('every row of the story uses a rule that a table knows', () => {
  for (const repository of repositories) {
    for (const { rule } of readTable(['rule', 'at', 'weeks', 'code'], repository.code)) {
      assert.ok(findCodeqlRule(rule) ?? findSemgrepRule(rule), rule);
    }
  }
});

test('a problem is fixed, comes back with an old version, and is fixed again', () => {
  const lodash = (row: ReportRow) => row.problem === 'CVE-2021-23337 lodash';
  assert.equal(presence('kestrel-freight/storefront', 'trivy.json', lodash), 'xx...xx..');
  const log4shell = (row: ReportRow) => row.problem.startsWith('CVE-2021-44228');
  assert.equal(presence('kestrel-freight/dispatch-service', 'trivy.json', log4shell), 'x........');
  const bookings = (row: ReportRow) =>
    row.path === 'src/routes/bookings.ts' && row.rule === 'js/sql-injection';
  assert.equal(presence('kestrel-freight/storefront', 'codeql.sarif', bookings), 'xx...xx..');
});

test('a branch brings a vulnerable package before the default branch has it', () => {
  const xstream = rows.filter((row) => row.problem === 'CVE-2021-39144 com.thoughtworks.xstream:xstream');
  assert.equal(xstream[0]?.scan.ref, 'feature/customs');
  assert.equal(xstream.at(-1)?.scan.ref, 'main');
  const log4shell = rows.filter((row) => row.problem.startsWith('CVE-2021-44228'));
  assert.equal(log4shell.at(-1)?.scan.ref, 'release/4.2');
  const onPullRequest = rows.filter((row) => row.problem.startsWith('CVE-2024-41110'));
  assert.deepEqual(new Set(onPullRequest.map((row) => row.scan.ref)), new Set(['refs/pull/88/head']));
});

test('a file is renamed, lines move and code is edited, while the tool gives the same fingerprint', () => {
  const quotes = rows.filter((row) => row.rule === 'js/sql-injection' && row.code?.includes('db.query(sql)'));
  assert.deepEqual(
    new Set(quotes.map((row) => row.path)),
    new Set(['src/routes/quotes.ts', 'src/features/quotes/router.ts']),
  );
  assert.equal(new Set(quotes.map((row) => row.fingerprint)).size, 1);
  assert.ok(
    new Set(rows.filter((row) => row.path === 'src/domain/errors.ts').map((row) => row.line)).size > 1,
  );

  const edited = rows.filter((row) => row.path === 'jobs/kpi/on_time.py');
  assert.equal(new Set(edited.map((row) => row.code)).size, 2);
  assert.equal(new Set(edited.map((row) => row.fingerprint)).size, 1);
});

test('the story has a suppressed finding, a broken row and a run that stops half way', () => {
  const terms = rows.filter((row) => row.path === 'src/client/components/Terms.tsx');
  assert.ok(!terms[0]?.suppressed && terms.at(-1)?.suppressed);
  assert.equal(rows.filter((row) => row.type === 'broken').length, 1);

  const [last, previous] = scans
    .filter((scan) => /_data-jobs_main_trivy/.test(scan.fileName))
    .reverse()
    .map((scan) => listRows(scan).length);
  assert.ok(previous !== undefined && last !== undefined && previous - last >= 20 && last < previous / 2);
});

test('a secret that was removed from the files stays in the history', () => {
  const staging = (row: ReportRow) => row.path === '.env.staging';
  assert.equal(presence('kestrel-freight/storefront', 'trivy.json', staging), 'xxxx.....');
  assert.equal(presence('kestrel-freight/storefront', 'gitleaks.sarif', staging), 'xxx');
});

test('no report contains a credential in a real form', () => {
  const shapes = [
    /\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b/,
    /\bgh[pousr]_\w{20,}/,
    /\bgithub_pat_\w{20,}/,
    /\bglpat-[\w-]{16,}/,
    /\b[rs]k_(?:live|test)_\w{10,}/,
    /\bxox[abeoprs]-[\w-]{10,}/,
    /hooks\.slack\.com\/(?:services|workflows)/,
    /\bAIza[\w-]{30,}/,
    /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
    /\bnpm_\w{30,}/,
    /\beyJ[\w-]{8,}\.eyJ/,
    /BEGIN [A-Z ]*PRIVATE KEY/,
    /\w+:\/\/[^/\s:"@]+:[^/\s:"@]+@/,
  ];
  for (const scan of scans) {
    for (const shape of shapes) assert.doesNotMatch(scan.report, shape, scan.fileName);
  }
});

test('the reports can be written to a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'demo-scans-'));
  try {
    await writeScans(join(directory, 'reports'), scans.slice(0, 3));
    const names = await readdir(join(directory, 'reports'));
    assert.deepEqual(
      names.toSorted(),
      scans
        .slice(0, 3)
        .map((scan) => scan.fileName)
        .toSorted(),
    );
    const first = scans[0];
    assert.equal(await readFile(join(directory, 'reports', first?.fileName ?? ''), 'utf8'), first?.report);
  } finally {
    await rm(directory, { recursive: true });
  }
});
