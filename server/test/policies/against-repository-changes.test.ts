/**
 * Tests of attacks by a key that may only upload, where a policy blocks: it cannot move the default branch, give a base
 * to a reference that was ever tracked, set an environment, teach an id of the VCS, draw reports away by one, leave the
 * rules that name a repository by a rename, or compare with a decoy. An admin may do most of this, and it is recorded.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { queryOf, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { packageIs, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { openvex } from '../support/scanner-reports.ts';
import { createTestKey } from '../support/workspace.ts';
import { type GateAnswer, vulnerable } from './policy-workspace.ts';
import { bad, clean, createUploadWorkspace, low, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, tenant, people, apply, gate, client: admin, member, upload } = W;
const { memberKey, adminKey, newRepository } = W;
/** A key of an admin for CI: it may upload and read, and may not decide anything. */
const { key: uploadKey } = await createTestKey(server, {
  userId: people.admin.user.id,
  role: 'admin',
  scopes: ['scans:read', 'scans:write'],
});

async function repositoryOf(repo: string) {
  const { body } = await admin.get<{ id: string; default_branch: { ref: string }; external_id: string }>(
    `/api/v1/acme/repositories/${repo}`,
  );
  return body;
}

async function referenceOf(repo: string, ref: string) {
  interface Item {
    id: string;
    ref: string;
    base_ref: string | null;
    environment: string | null;
    tracked: boolean;
  }
  const { body } = await admin.get<{ items: Item[] }>(
    `/api/v1/acme/references?repo=${encodeURIComponent(repo)}`,
  );
  const found = body.items.find((item) => item.ref === ref);
  assert.ok(found, ref);
  return found;
}

async function warningsOf(scan: string): Promise<string> {
  const { body } = await admin.get<{ warnings: string[] }>(`/api/v1/acme/scans/${scan}`);
  return body.warnings.join('\n');
}

async function recorded(action: string, repo: string): Promise<object[]> {
  const { body } = await admin.get<{ items: { target: { id: string } | null; data: object }[] }>(
    `/manage/v1/acme/audit?action=${action}&per_page=200`,
  );
  const { id } = await repositoryOf(repo);
  return body.items.filter((item) => item.target?.id === id).map((item) => item.data);
}

for (const [whose, key] of [
  ['a member', memberKey],
  ['an admin whose key may not decide', uploadKey],
] as const) {
  test(`${whose} does not move a guessed default branch, and main is gated as before`, async () => {
    const repo = newRepository();
    await upload(key, { repo, ref: 'main', sha: sha('a') }, bad());
    assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
    const evil = await upload(key, { repo, ref: 'evil', sha: sha('e'), default_branch: 'evil' }, clean());
    assert.equal((await repositoryOf(repo)).default_branch.ref, 'main');
    assert.match(await warningsOf(evil.id), /The default branch stays as it was/);
    await upload(key, { repo, ref: 'decoy', sha: sha('d') }, bad());
    const based = await upload(key, { repo, ref: 'main', sha: sha('b'), base_ref: 'decoy' }, bad());
    assert.match(await warningsOf(based.id), /The base stays as it was/);
    assert.equal((await referenceOf(repo, 'main')).base_ref, null);
    assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
    assert.equal((await gate({ repo })).verdict, 'block', 'the gate is about the default branch');
  });
}

test('a dry run does not choose the branch of the first report without one', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'evil', sha: sha('e'), dry_run: 'true' }, clean());
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, bad(), false);
  const scan = await upload(memberKey, { repo, sha: sha('b') }, bad());
  const { body } = await admin.get<{ reference: { ref: string } }>(`/api/v1/acme/scans/${scan.id}`);
  assert.equal(body.reference.ref, 'main');
  assert.equal((await repositoryOf(repo)).default_branch.ref, 'main');
});

test('a branch that was the default once gets no base from a member', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, bad());
  await upload(memberKey, { repo, ref: 'decoy', sha: sha('d') }, bad());
  const { id } = await repositoryOf(repo);
  succeeded(await admin.patch(`/manage/v1/acme/repositories/${id}`, { default_branch: 'next' }));
  await upload(memberKey, { repo, ref: 'main', sha: sha('b'), base_ref: 'decoy', base_sha: sha('d') }, bad());
  assert.equal((await referenceOf(repo, 'main')).base_ref, null);
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

// A key that may upload can also create a branch with a tracked name.
test('a pull request is not compared with an untracked base, named by the report or by the gate’s query', async () => {
  for (const decoy of ['decoy', 'release/decoy']) {
    const repo = newRepository();
    await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, clean());
    await upload(memberKey, { repo, ref: decoy, sha: sha('d') }, bad());
    const pull = { repo, ref: 'refs/pull/1/head', sha: sha('b') };
    await upload(memberKey, { ...pull, base_ref: decoy, base_sha: sha('d') }, bad());
    const own = await gate({ repo, ref: pull.ref });
    assert.deepEqual([own.verdict, own.base.state], ['block', 'untracked']);
    const answer = await member.get<{ verdict: string; base: { state: string } }>(
      `/api/v1/acme/gate?repo=${encodeURIComponent(repo)}&ref=${encodeURIComponent(pull.ref)}&base_ref=${encodeURIComponent(decoy)}`,
    );
    assert.deepEqual([answer.body.verdict, answer.body.base.state], ['block', 'untracked']);
    // With its true base only its additions count, as before.
    await upload(memberKey, { repo, ref: 'main', sha: sha('c') }, bad());
    await upload(memberKey, { ...pull, base_ref: 'main', base_sha: sha('c') }, bad());
    const compared = await gate({ repo, ref: pull.ref });
    assert.deepEqual([compared.verdict, compared.base.state], ['pass', 'compared']);
  }
});

/** The question to the gate about a bad pull request to a clean main, compared with a bad branch. */
async function askAboutDecoy() {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, clean());
  await upload(memberKey, { repo, ref: 'decoy', sha: sha('d') }, bad());
  const pull = { repo, ref: 'refs/pull/1/head' };
  await upload(memberKey, { ...pull, sha: sha('c'), base_ref: 'main', base_sha: sha('a') }, bad());
  return { ...pull, base_ref: 'decoy' };
}

const gateOfMember = async (query: Record<string, string>) =>
  succeeded(await member.get<GateAnswer>(`/api/v1/acme/gate${queryOf(query)}`));

test('a member names no decoy as another base in the query of the gate', async () => {
  const { verdict, base } = await gateOfMember(await askAboutDecoy());
  assert.deepEqual([verdict, base.state], ['block', 'untracked']);
});

test('a member and an admin who wait for the same gate at once each get their own comparison', async () => {
  const question = { ...(await askAboutDecoy()), wait: '5' };
  const answers = await Promise.all([gate(question), gateOfMember(question)]);
  assert.deepEqual(fieldOf(answers, 'verdict'), ['pass', 'block']);
});

test('a base that is named by a key which may decide is compared with, tracked or not', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, clean());
  await upload(memberKey, { repo, ref: 'release', sha: sha('d') }, bad());
  const pull = { repo, ref: 'refs/pull/1/head', sha: sha('b') };
  await upload(memberKey, { ...pull, base_ref: 'release', base_sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
  assert.equal((await gate({ repo, ref: pull.ref, base_ref: 'release' })).verdict, 'block', 'no other base');
  await upload(adminKey, { ...pull, base_ref: 'release', base_sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'pass');
  await upload(memberKey, { ...pull, base_ref: 'release', base_sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'pass', 'the same base stays approved');
  await upload(memberKey, { repo, ref: 'decoy', sha: sha('e') }, bad());
  await upload(memberKey, { ...pull, base_ref: 'decoy', base_sha: sha('e') }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block', 'another one is not');
});

test('an admin approves the base of a reference by naming it, and not by another change of the reference', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, clean());
  await upload(memberKey, { repo, ref: 'decoy', sha: sha('d') }, bad());
  const pull = { repo, ref: 'refs/pull/1/head', sha: sha('b') };
  await upload(memberKey, { ...pull, base_ref: 'decoy', base_sha: sha('d') }, bad());
  const { id } = await referenceOf(repo, pull.ref);
  const change = async (body: object) => {
    succeeded(await admin.patch(`/manage/v1/acme/references/${id}`, body));
    const { verdict, base } = await gate({ repo, ref: pull.ref });
    return [verdict, base.state];
  };
  assert.deepEqual(await change({ environment: 'staging' }), ['block', 'untracked']);
  assert.deepEqual(await change({ base_ref: 'decoy' }), ['pass', 'compared']);
  assert.deepEqual(await change({ environment: null }), ['pass', 'compared'], 'the approval stays');
  assert.deepEqual(await change({ base_ref: null }), ['block', 'none']);
});

test('a member sets no environment, not even an unknown one; an admin does', async () => {
  await apply(
    policyOf(
      'outside-dev',
      "{fact: environment_key, operator: '!=', value: dev}, {fact: package.name, operator: '==', value: envy}",
    ),
  );
  const repo = newRepository();
  const report = () => low('envy');
  const scan = await upload(memberKey, { repo, ref: 'main', sha: sha('a'), environment: 'dev' }, report());
  assert.match(await warningsOf(scan.id), /The environment stays as it was/);
  assert.equal((await referenceOf(repo, 'main')).environment, null);
  const { id } = await referenceOf(repo, 'main');
  const answer = await admin.patch<object>(`/manage/v1/acme/references/${id}`, { environment: 'production' });
  assert.deepEqual(answer.body, { id, ref: 'main', base_ref: null, environment: 'production' });
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await admin.patch(`/manage/v1/acme/references/${id}`, { environment: 'dev' });
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
  const events = await recorded('repository.reference', repo);
  assert.equal(events.length, 2);
});

test('a member cannot give an id to a repository that is known by name alone; an admin can, and corrects it', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, bad());
  const before = await repositoryOf(repo);
  const id = { repo_source: 'ghc', repo_external_id: '91' };
  const scan = await upload(memberKey, { repo, ref: 'main', sha: sha('b'), ...id }, bad());
  assert.match(await warningsOf(scan.id), /The repository keeps its id/);
  assert.equal((await repositoryOf(repo)).external_id, before.external_id);
  await upload(adminKey, { repo, ref: 'main', sha: sha('c'), ...id }, bad());
  assert.equal((await repositoryOf(repo)).external_id, id.repo_external_id);
  const corrected = await admin.patch(`/manage/v1/acme/repositories/${before.id}`, {
    source: 'ghc',
    external_id: '81',
  });
  assert.equal(corrected.status, 200, corrected.text);
  assert.deepEqual(
    (await recorded('repository.external_id', repo)).reverse(),
    ['91', '81'].map((external_id) => ({ source: 'ghc', external_id })),
  );
});

test('an admin moves the default branch back, by the API and by a report; both are recorded', async () => {
  const repo = newRepository();
  await upload(memberKey, { repo, ref: 'wrong', sha: sha('a') }, clean());
  const { id } = await repositoryOf(repo);
  const moved = await admin.patch<{ default_branch: { ref: string } }>(`/manage/v1/acme/repositories/${id}`, {
    default_branch: 'main',
  });
  assert.equal(moved.body.default_branch.ref, 'main');
  await upload(adminKey, { repo, ref: 'trunk', sha: sha('b'), default_branch: 'trunk' }, clean());
  assert.equal((await repositoryOf(repo)).default_branch.ref, 'trunk');
  assert.deepEqual((await recorded('repository.default_branch', repo)).reverse(), [
    { from: 'refs/heads/wrong', to: 'refs/heads/main' },
    { from: 'refs/heads/main', to: 'refs/heads/trunk' },
  ]);
});

test('an invalid value is refused with the field and the reason', async () => {
  const [one, other] = [newRepository(), newRepository()];
  await upload(memberKey, { repo: one, ref: 'main', repo_source: 'ghc', repo_external_id: 'one' }, clean());
  await upload(memberKey, { repo: other, ref: 'main' }, clean());
  const { id } = await repositoryOf(other);
  const refused = async (body: object, field: string) => {
    const answer = await admin.patch<{ errors: Record<string, string[]> }>(
      `/manage/v1/acme/repositories/${id}`,
      body,
    );
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
  };
  await refused({ source: 'ghc', external_id: 'one' }, 'external_id');
  await refused({ source: 'ghc' }, 'external_id');
  await refused({ external_id: 'two' }, 'source');
  await refused({ default_branch: 'refs/tags/v1' }, 'default_branch');
  assert.equal(
    (await member.patch(`/manage/v1/acme/repositories/${id}`, { default_branch: 'x' })).status,
    403,
  );
  const reference = await referenceOf(other, 'main');
  assert.equal((await member.patch(`/manage/v1/acme/references/${reference.id}`, {})).status, 403);
});

test('a report goes to the repository that it names, even if another one has claimed its VCS id', async () => {
  const repo = 'acme/drawn';
  const id = { repo_source: 'ghc', repo_external_id: '4711' };
  await upload(memberKey, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(memberKey, { repo: 'evil/claim', ref: 'main', sha: sha('a'), ...id }, trivy([]));
  await upload(memberKey, { repo, ref: 'main', sha: sha('b'), ...id }, trivy([vulnerable('lodash')]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

test('a VEX statement made while a repository is renamed does not decide after it is renamed back', async () => {
  await apply(policyOf('org-rule', packageIs('orgy')));
  const id = { repo_source: 'ghc', repo_external_id: '4712' };
  await upload(adminKey, { repo: 'acme/shop', ref: 'main', sha: sha('a'), ...id }, low('orgy'));
  await apply(policyOf('org-rule', packageIs('orgy'), { rule: '{type: org, id: acme}' }));
  assert.equal((await gate({ repo: 'acme/shop', ref: 'main' })).verdict, 'block');
  const vex = openvex([{ id: vulnerable('orgy').id, status: 'not_affected' }], null);
  await upload(memberKey, { repo: 'acme/shop', ref: 'main', ...id }, vex);
  assert.equal((await gate({ repo: 'acme/shop', ref: 'main' })).verdict, 'block', 'a suggestion');
  await upload(
    memberKey,
    { repo: 'sandbox/shop', ref: 'main', ...id, partial: 'true' },
    openvex([{ id: vulnerable('orgy').id, status: 'not_affected' }], new Date()),
  );
  await upload(memberKey, { repo: 'acme/shop', ref: 'zzz', ...id, partial: 'true' }, clean());
  await sweepViolations(server.db, tenant.id, new Date());
  await upload(adminKey, { repo: 'acme/shop', ref: 'main', sha: sha('c'), ...id }, low('orgy'));
  assert.equal((await gate({ repo: 'acme/shop', ref: 'main', sha: sha('c') })).verdict, 'block');
});
