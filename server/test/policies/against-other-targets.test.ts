/**
 * Tests of attacks against a blocking policy about targets other than vulnerabilities: the base and the default branch
 * are protected in the same way.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factIs, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { vulnerable } from './policy-workspace.ts';
import { createUploadWorkspace, hoursAgo, sha } from './upload-workspace.ts';

const {
  client: admin,
  gate,
  upload,
  memberKey: key,
  adminKey,
  retire,
} = await createUploadWorkspace(policyOf('no-lodash', factIs('name', 'lodash'), { target: 'package' }));
const using = (name: string) => {
  const report = trivy([vulnerable(name)]);
  const Packages = [{ Name: name, Version: '1.0.0', Identifier: { PURL: `pkg:npm/${name}@1.0.0` } }];
  return { ...report, Results: report.Results.map((result) => ({ ...result, Packages })) };
};
const bad = () => using('lodash');
const clean = () => using('underscore');

test('a pull request is not compared with an untracked base where a policy about packages blocks', async () => {
  const repo = 'acme/packages-1';
  await upload(key, { repo, ref: 'main', sha: sha('a') }, clean());
  await upload(key, { repo, ref: 'decoy', sha: sha('d') }, bad());
  const pull = { repo, ref: 'refs/pull/1/head', sha: sha('b') };
  await upload(key, pull, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
  await upload(key, { ...pull, base_ref: 'decoy', base_sha: sha('d') }, bad());
  const answer = await gate({ repo, ref: pull.ref });
  assert.deepEqual([answer.verdict, answer.base.state], ['block', 'untracked']);
});

test('a member does not move the default branch where a policy about packages blocks', async () => {
  const repo = 'acme/packages-2';
  await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
  await upload(key, { repo, ref: 'evil', sha: sha('e'), default_branch: 'evil' }, clean());
  const { body } = await admin.get<{ default_branch: { ref: string } }>(`/api/v1/acme/repositories/${repo}`);
  assert.equal(body.default_branch.ref, 'main');
  assert.equal((await gate({ repo })).verdict, 'block');
});

test('the packages of a retired series count again when it brings the same ones', async () => {
  const repo = 'acme/packages-3';
  await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
  await retire(repo);
  assert.equal((await gate({ repo })).verdict, 'pass');
  await upload(key, { repo, ref: 'main', sha: sha('b') }, bad());
  assert.equal((await gate({ repo })).verdict, 'block');
});

test('a pull request that brings back a package is blocked, whatever else has scanned the commit of its base', async () => {
  for (const [number, other] of [
    // Another tool has scanned the commit before the one that lists its packages.
    [4, { sha: sha('b'), scanned_at: hoursAgo(6) }],
    // A report of the tool itself comes late.
    [5, { sha: sha('b'), scanned_at: hoursAgo(7) }],
  ] as const) {
    const repo = `acme/packages-${number}`;
    const main = { repo, ref: 'main' };
    const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('b') };
    await upload(key, { ...main, sha: sha('a'), scanned_at: hoursAgo(8) }, bad());
    if (number === 4) await upload(key, { ...main, ...other }, sarif([]));
    await upload(key, { ...main, sha: sha('b'), scanned_at: hoursAgo(5) }, clean());
    if (number === 5) await upload(key, { ...main, ...other }, clean());
    await upload(key, { ...pull, sha: sha('c') }, clean());
    assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'pass');
    await upload(key, { ...pull, sha: sha('d') }, bad());
    assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block', repo);
    const older = { ...pull, ref: 'refs/pull/2/head', base_sha: sha('a'), sha: sha('e') };
    await upload(key, older, bad());
    assert.equal((await gate({ repo, ref: older.ref })).verdict, 'pass', 'its base had the package');
  }
});

test('a report of the base that is dated back does not choose what the base had', async () => {
  const repo = 'acme/packages-6';
  const main = { repo, ref: 'main' };
  await upload(adminKey, { ...main, sha: sha('a'), scanned_at: hoursAgo(8) }, bad());
  await upload(adminKey, { ...main, sha: sha('b'), scanned_at: hoursAgo(5) }, clean());
  await upload(adminKey, { ...main, sha: sha('c'), scanned_at: hoursAgo(4) }, sarif([]));
  await upload(key, { ...main, sha: sha('c'), category: 'planted', scanned_at: hoursAgo(6) }, clean());
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('c') };
  await upload(key, { ...pull, sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
});

test('a package that its base got only later, and has removed since, blocks the pull request that adds it', async () => {
  const repo = 'acme/packages-8';
  const main = { repo, ref: 'main' };
  await upload(key, { ...main, sha: sha('a'), scanned_at: hoursAgo(8) }, clean());
  await upload(key, { ...main, sha: sha('b'), scanned_at: hoursAgo(5) }, bad());
  await upload(key, { ...main, sha: sha('c'), scanned_at: hoursAgo(4) }, clean());
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await upload(key, { ...pull, sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
});

test('a retirement of the series that listed the packages of the base lets no removed one come back', async () => {
  const repo = 'acme/packages-7';
  const main = { repo, ref: 'main', category: 'old' };
  await upload(key, { ...main, sha: sha('a') }, bad());
  await upload(key, { ...main, sha: sha('b'), category: 'code' }, sarif([]));
  await upload(key, { ...main, sha: sha('b') }, clean());
  await retire(repo, 'old');
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('b') };
  await upload(key, { ...pull, sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
});
