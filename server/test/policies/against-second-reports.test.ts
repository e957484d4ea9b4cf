/** Tests of the gate with several reports of one tool and commit: a second one does not turn it green. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sarif } from '../support/reports.ts';
import { bad, clean, createUploadWorkspace, sha } from './upload-workspace.ts';

const { gate, memberKey: M, newRepository, upload: up } = await createUploadWorkspace();

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
  const clear = sarif([]);
  await up(
    M,
    { ...commit, file_name: 'semgrep.sarif' },
    { ...clear, runs: clear.runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: false }] })) },
  );
  await up(M, { ...commit, file_name: 'zz.sarif' }, clear);
  const state = await gate({ ...commit, expect: 'semgrep' });
  assert.deepEqual([state.verdict, state.missing], [null, ['semgrep']]);
  await up(M, { ...commit, file_name: 'semgrep.sarif' }, clear);
  assert.equal((await gate({ ...commit, expect: 'semgrep' })).verdict, 'pass');
});
