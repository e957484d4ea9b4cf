/**
 * Tests of attacks on the gate by runs of scanners that failed or scanned nothing: none of them gives a verdict or
 * closes anything.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../support/fields.ts';
import { policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { vulnerable } from './policy-workspace.ts';
import { createUploadWorkspace, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { apply, client, gate, violations, upload, memberKey: ciKey, newRepository, retire } = W;

const sarifRun = (executionSuccessful: boolean, results: object[] = []) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'CodeQL' } }, invocations: [{ executionSuccessful }], results }],
});
const semgrepRun = (scanned: string[]) => ({
  version: '1.90.0',
  results: [],
  errors: [{ level: 'error', type: 'Fatal', message: 'No rules could be loaded.' }],
  paths: { scanned },
});

const unsuccessful: [
  name: string,
  tool: string,
  report: object,
  query: Record<string, string>,
  outcome: string,
][] = [
  ['a SARIF run with executionSuccessful false', 'codeql', sarifRun(false), {}, 'failed'],
  [
    'a SARIF run whose list of results is null',
    'codeql',
    { version: '2.1.0', runs: [{ tool: { driver: { name: 'CodeQL' } }, results: null }] },
    {},
    'scanned_nothing',
  ],
  ['a Semgrep run with errors that scanned nothing', 'semgrep', semgrepRun([]), {}, 'scanned_nothing'],
  ['an empty partial report', 'codeql', sarifRun(true), { partial: 'true' }, 'scanned_nothing'],
  [
    'the bare summary of Checkov',
    'checkov',
    { passed: 0, failed: 0, skipped: 0, parsing_errors: 2, resource_count: 0, checkov_version: '3.2.0' },
    {},
    'scanned_nothing',
  ],
  [
    'a ZAP report without a site',
    'zap',
    { '@version': '2.14.0', '@generated': 'now', site: [] },
    {},
    'scanned_nothing',
  ],
];

for (const [name, tool, report, query, outcome] of unsuccessful) {
  test(`${name} satisfies no expectation and gives no verdict`, async () => {
    const repo = newRepository();
    const commit = sha('a');
    const scan = await upload(ciKey, { repo, ref: 'main', sha: commit, ...query }, report);
    for (const parameters of [
      { expect: tool },
      {},
      { sha: commit },
      { sha: commit, expect: tool },
    ] as const) {
      const answer = await gate({ repo, ref: 'main', ...parameters });
      assert.equal(answer.verdict, null, JSON.stringify(parameters));
      assert.deepEqual(answer.missing, 'expect' in parameters ? [tool] : []);
      assert.deepEqual(fieldsOf(answer.scans, 'id', 'tool', 'status', 'outcome'), [
        [scan.id, tool, 'completed', outcome],
      ]);
    }
    const { body } = await client.get<{ verdict: string | null; warnings: string[] }>(
      `/api/v1/acme/scans/${scan.id}`,
    );
    assert.equal(body.verdict, null, 'the scan shows no verdict either');
    assert.ok(body.warnings.length > 0 || 'partial' in query, 'the scan says why');
  });
}

test('a wait for the verdict ends at once when the run did not succeed', async () => {
  const repo = newRepository();
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, sarifRun(false));
  const start = Date.now();
  assert.equal((await gate({ repo, ref: 'main', expect: 'codeql', wait: '20' })).verdict, null);
  assert.ok(Date.now() - start < 10_000);
});

test('a run with rows that could not be read satisfies no expectation, unless it is forced', async () => {
  const repo = newRepository();
  const [commit, other] = [sha('c'), sha('d')];
  const report = (results: unknown[]) => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'CodeQL' } }, results }],
  });
  const row = { ruleId: 'bed.weeds', message: { text: 'Weeds grow.' } };
  const asked = async (query: Record<string, string>) => {
    const { verdict, missing, scans } = await gate({ repo, ref: 'main', ...query });
    return [verdict, missing, scans.map(({ outcome }) => outcome)];
  };
  await upload(ciKey, { repo, ref: 'main', sha: commit }, report([row, 1]));
  for (const query of [{}, { sha: commit }]) {
    assert.deepEqual(await asked(query), ['pass', [], ['incomplete']], 'the rows that were read count');
    const expecting = { ...query, expect: 'codeql', wait: '20' };
    assert.deepEqual(await asked(expecting), [null, ['codeql'], ['incomplete']], 'the answer does not wait');
  }
  await upload(ciKey, { repo, ref: 'main', sha: commit, partial: 'true' }, report([row]));
  assert.deepEqual(await asked({ sha: commit, expect: 'codeql' }), [null, ['codeql'], ['incomplete']]);
  await upload(W.adminKey, { repo, ref: 'main', sha: commit, force: 'true' }, report([row, 1]));
  assert.deepEqual(await asked({ sha: commit, expect: 'codeql' }), ['pass', [], ['succeeded']]);
  await upload(ciKey, { repo, ref: 'main', sha: other }, report([row]));
  assert.deepEqual(await asked({ sha: other, expect: 'codeql' }), ['pass', [], ['succeeded']]);
});

test('after a successful run, a failed one closes nothing, keeps the verdict, and satisfies no expectation', async () => {
  const repo = newRepository();
  const result = {
    ruleId: 'js/sql-injection',
    message: { text: 'Injection' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 3 } } }],
  };
  const rules = [{ id: 'js/sql-injection', properties: { 'security-severity': '9.8' } }];
  const log = (successful: boolean, results: object[]) => {
    const report = sarifRun(successful, results);
    return {
      ...report,
      runs: report.runs.map((run) => ({ ...run, tool: { driver: { name: 'CodeQL', rules } } })),
    };
  };
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, log(true, [result]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  for (const digit of ['b', 'c']) await upload(ciKey, { repo, ref: 'main', sha: sha(digit) }, log(false, []));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block', 'what was open is open');
  assert.equal((await violations({ repo }))[0]?.status, 'open');
  const expected = await gate({ repo, ref: 'main', expect: 'codeql' });
  assert.deepEqual([expected.verdict, expected.missing], [null, ['codeql']]);
  await upload(ciKey, { repo, ref: 'main', sha: sha('d') }, log(true, []));
  assert.equal(
    (await gate({ repo, ref: 'main', expect: 'codeql' })).verdict,
    'pass',
    'fixed by a run that succeeded',
  );
});

test('a series that never succeeded removes the verdict until it succeeds', async () => {
  const repo = newRepository();
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, semgrepRun([]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, null);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a'), expect: 'trivy' })).verdict, null);
  await upload(ciKey, { repo, ref: 'main', sha: sha('b') }, { ...semgrepRun(['a.py']), errors: [] });
  assert.equal((await gate({ repo, ref: 'main', expect: 'trivy,semgrep' })).verdict, 'pass');
});

test('a series that never succeeded holds back no verdict once it is retired', async () => {
  const repo = newRepository();
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(ciKey, { repo, ref: 'main', sha: sha('a'), category: 'code' }, semgrepRun([]));
  await retire(repo, 'code');
  await upload(ciKey, { repo, ref: 'main', sha: sha('b') }, trivy([]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'pass');
});

test('a failed run that makes a retired series active again removes the verdict until a run succeeds', async () => {
  const repo = newRepository();
  const code = { repo, ref: 'main', category: 'code' };
  const scanned = { ...semgrepRun(['a.py']), errors: [] };
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(ciKey, { ...code, sha: sha('a') }, scanned);
  await retire(repo, 'code');
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
  await upload(ciKey, { ...code, sha: sha('b') }, semgrepRun([]));
  await upload(ciKey, { repo, ref: 'main', sha: sha('c') }, trivy([]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, null);
  await upload(ciKey, { ...code, sha: sha('d') }, scanned);
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
});

test('failed runs do not count for a policy about days since the last scan', async () => {
  const repo = newRepository();
  const long = new Date(Date.now() - 30 * 24 * 3600 * 1000).toISOString();
  await upload(ciKey, { repo, ref: 'main', scanned_at: long }, sarifRun(true));
  await apply(
    policyOf(
      'scanned',
      "{fact: analysis_type, operator: '==', value: sast}, {fact: days_since_last_scan, operator: '>', value: 7}",
      { target: 'analysis' },
    ),
  );
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block', 'too long ago');
  await upload(ciKey, { repo, ref: 'main' }, sarifRun(false));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block', 'a failed run is no scan');
  await upload(ciKey, { repo, ref: 'main' }, sarifRun(true));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
});

test('a report with a critical finding blocks even where the run failed before', async () => {
  const repo = newRepository();
  await upload(ciKey, { repo, ref: 'main', sha: sha('a') }, trivy([vulnerable('lodash')]));
  await upload(ciKey, { repo, ref: 'main', sha: sha('b') }, trivy([vulnerable('lodash')]));
  assert.equal((await gate({ repo, ref: 'main', expect: 'trivy' })).verdict, 'block');
});
