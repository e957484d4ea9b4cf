/** Tests of the gate with several reports of one tool and commit: a second one does not turn it green. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from '../support/client.ts';
import { sarif } from '../support/reports.ts';
import { bad, clean, createUploadWorkspace, sha } from './upload-workspace.ts';

const { client, gate, newRepository, upload: up, ...W } = await createUploadWorkspace();
const { adminKey: A, memberKey: M } = W;
const clear = sarif([]);
const failed = {
  ...clear,
  runs: clear.runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: false }] })),
};

test('another report of the tool for a bad commit does not make it pass', async () => {
  const repo = newRepository();
  const commit = { repo, ref: 'main', sha: sha('a') };
  await up(M, { ...commit, file_name: 'trivy.json' }, bad());
  await up(M, { ...commit, file_name: 'zz.json' }, clean());
  assert.equal((await gate(commit)).verdict, 'block');
});

test('another report of the tool does not hide that its run on the commit failed', async () => {
  const repo = newRepository();
  const commit = { repo, ref: 'main', sha: sha('a') };
  await up(M, { ...commit, file_name: 'semgrep.sarif' }, failed);
  await up(M, { ...commit, file_name: 'zz.sarif' }, clear);
  const state = await gate({ ...commit, expect: 'semgrep' });
  assert.deepEqual([state.verdict, state.missing], [null, ['semgrep']]);
  await up(M, { ...commit, file_name: 'semgrep.sarif' }, clear);
  assert.equal((await gate({ ...commit, expect: 'semgrep' })).verdict, 'pass');
});

test('an empty partial report does not hide that a partial run of another file failed', async () => {
  const repo = newRepository();
  const commit = { repo, ref: 'main', sha: sha('b') };
  await up(M, { repo, ref: 'main', sha: sha('a'), file_name: 'semgrep.sarif' }, clear);
  await up(M, { ...commit, file_name: 'semgrep.sarif', partial: 'true' }, failed);
  await up(M, { ...commit, file_name: 'zz.sarif', partial: 'true' }, clear);
  assert.equal((await gate(commit)).verdict, null);
});

test('a failed run under another name no longer counts once an admin forces a later one', async () => {
  const repo = newRepository();
  const commit = { repo, ref: 'main', sha: sha('a') };
  const first = await up(M, { ...commit, file_name: 'run-1.sarif' }, failed);
  await up(M, { ...commit, file_name: 'run-2.sarif' }, clear);
  const state = await client.get<{ scans: { id: string; outcome: string }[] }>(
    `/api/v1/acme/scans/status${queryOf({ repo, sha: sha('a') })}`,
  );
  assert.deepEqual(
    state.body.scans.map(({ id, outcome }) => [id, outcome]),
    [[first.id, 'failed']],
  );
  await up(A, { ...commit, file_name: 'run-2.sarif', force: 'true' }, clear);
  assert.equal((await gate({ ...commit, expect: 'semgrep' })).verdict, 'pass');
});

test('another report does not make the next commit pass before the report of the scanner comes', async () => {
  const repo = newRepository();
  const commits = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => ({ repo, ref: 'main', sha: sha(digit) }));
  for (const [at, commit] of commits.entries()) {
    if (at > 1) {
      const file_name = at < 4 ? 'aa.json' : `aa-${at}.json`;
      await up(M, { ...commit, file_name }, clean());
      assert.equal((await gate(commit)).verdict, 'block', `commit ${at}`);
    }
    await up(M, { ...commit, file_name: 'trivy.json' }, bad());
    assert.equal((await gate(commit)).verdict, 'block', `commit ${at}`);
  }
});
