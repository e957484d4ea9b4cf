/**
 * Tests of locations that a report of a pull request plants: they bring no new code under a decision about other code.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factIs, policyOf } from '../support/policies.ts';
import { type CodeResult, sarif } from '../support/reports.ts';
import { createUploadWorkspace, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace(policyOf('no-code', factIs('type', 'sast')));
const { gate, vulnerabilities, decide, upload: up, newRepository, memberKey: M, adminKey: A } = W;

const found = (path: string, line: number, code: string): CodeResult => ({ rule: 'eval', path, line, code });

test('a location that a pull request gave to a rejected vulnerability does not take in new code of the default branch', async () => {
  const repo = newRepository();
  const dummy = found('src/a.ts', 10, 'eval("1 + 1")');
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([dummy]));
  const [rejected] = await vulnerabilities(repo);
  await decide(W.client, 'reject', rejected?.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  const pull = { repo, ref: 'refs/pull/7/merge', base_ref: 'main', base_sha: sha('a') };
  const evil = 'eval(request.body.expression)';
  await up(M, { ...pull, sha: sha('b') }, sarif([dummy]));
  await up(M, { ...pull, sha: sha('c') }, sarif([found('src/a.ts', 10, evil)]));
  await up(M, { ...pull, sha: sha('d') }, sarif([found('src/evil.ts', 7, evil)]));
  await up(A, { repo, ref: 'main', sha: sha('e') }, sarif([dummy, found('src/evil.ts', 7, evil)]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('e') })).verdict, 'block');
});
