/**
 * Tests of attacks on the gate by runs that do not answer its question: late runs, other series, commits without a
 * scan.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trivy } from '../support/reports.ts';
import { bad, createUploadWorkspace, sha } from './upload-workspace.ts';

const { gate, upload, memberKey: key, newRepository } = await createUploadWorkspace();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const codeql = (executionSuccessful: boolean) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'CodeQL' } }, invocations: [{ executionSuccessful }], results: [] }],
});

test('a late run satisfies no expectation of a commit that another tool has made the newest', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a'), scanned_at: ago(60) }, trivy([]));
  await upload(key, { repo, ref: 'main', sha: sha('b'), scanned_at: ago(30) }, codeql(true));
  await upload(key, { repo, ref: 'main', sha: sha('b'), scanned_at: ago(90) }, bad());
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b'), expect: 'trivy,codeql' })).verdict, 'pass');
});

test('a failed run of a new commit gives no verdict about that commit', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, codeql(true));
  await upload(key, { repo, ref: 'main', sha: sha('b') }, codeql(false));
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'pass');
});

test('a run over the history does not stand for one over the tree', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, codeql(true));
  await upload(key, { repo, ref: 'main', sha: sha('b') }, codeql(false));
  await upload(key, { repo, ref: 'main', sha: sha('b'), source: 'git_history' }, codeql(true));
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b'), expect: 'codeql' })).verdict, 'pass');
});

test('an earlier commit keeps its verdict when one of its tools has scanned a later one, or scans it again', async () => {
  const repo = newRepository();
  const verdict = async (digit: string) => (await gate({ repo, ref: 'main', sha: sha(digit) })).verdict;
  await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
  await upload(key, { repo, ref: 'main', sha: sha('a') }, codeql(true));
  assert.equal(await verdict('a'), 'block');
  await upload(key, { repo, ref: 'main', sha: sha('b') }, trivy([]));
  assert.deepEqual([await verdict('a'), await verdict('b')], ['block', 'pass']);
  await upload(key, { repo, ref: 'main', sha: sha('a'), file_name: 'again.sarif' }, codeql(true));
  assert.equal(await verdict('a'), 'block', 'the newest scan of the packages is one of another commit');
  const { summary, violations } = await gate({ repo, ref: 'main', sha: sha('a') });
  assert.equal(summary.blocking, 1, 'the list has what blocks');
  assert.equal(violations.length, 1);
});

test('a later scan without a commit counts for the commit that the reference shows', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(key, { repo, ref: 'main' }, bad());
  const { verdict, violations } = await gate({ repo, ref: 'main', sha: sha('a') });
  assert.deepEqual([verdict, violations.length], ['block', 1]);
});

test('the same report sent again after another of its series is applied again', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
  await upload(key, { repo, ref: 'main', sha: sha('a'), format: 'trivy' }, trivy([]));
  await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('a pull request dated long ago is not let through by its date', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(
    key,
    { repo, ref: 'refs/pull/1/head', sha: sha('b'), scanned_at: '2020-01-01T00:00:00Z', base_ref: 'main' },
    bad(),
  );
  assert.notEqual((await gate({ repo, ref: 'refs/pull/1/head', sha: sha('b') })).verdict, 'pass');
});

test('a harmless partial run after a failed run of the same commit satisfies no expectation', async () => {
  const repo = newRepository();
  const result = {
    ruleId: 'x/y',
    level: 'note',
    message: { text: 'Note' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 3 } } }],
  };
  await upload(key, { repo, ref: 'main', sha: sha('a') }, codeql(true));
  await upload(key, { repo, ref: 'main', sha: sha('b') }, codeql(false));
  const one = codeql(true);
  await upload(
    key,
    { repo, ref: 'main', sha: sha('b'), partial: 'true' },
    { ...one, runs: one.runs.map((run) => ({ ...run, results: [result] })) },
  );
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b'), expect: 'codeql' })).verdict, 'pass');
});

test('a copy of a report that is dated long ago does not stand for the report without a date', async () => {
  const repo = newRepository();
  await upload(key, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  const commit = { repo, ref: 'main', sha: sha('b') };
  await upload(key, { ...commit, scanned_at: '1990-01-02T00:00:00Z' }, bad());
  await upload(key, commit, bad());
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});
