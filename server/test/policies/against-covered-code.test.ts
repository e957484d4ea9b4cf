/**
 * Tests of code that takes the place of decided code: a decision, an exception and a snooze cover only what the default
 * branch has shown.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeResult, sarif } from '../support/reports.ts';
import { createDecidedWorkspace } from './decided-workspace.ts';
import { sha } from './upload-workspace.ts';

const W = await createDecidedWorkspace();
const { gate, vulnerabilities, onlyVulnerability, decide, upload: up, newRepository, asked, rejected } = W;
const { memberKey: M, adminKey: A } = W;

const dummy: CodeResult = { rule: 'eval', path: 'src/a.ts', line: 10, code: 'eval("1 + 1")' };
const evilCode = 'eval(request.body.expression)';
const evil: CodeResult = { ...dummy, code: evilCode };

const { code: _, ...dummyWithoutCode }: CodeResult = dummy;
const fingerprint = 'ab'.repeat(20);

test('code that is edited in its line is a new vulnerability after a decision', async () => {
  const { repo, id, mainVerdict } = await rejected(sarif([dummy]));
  assert.equal(await mainVerdict(sarif([evil])), 'block');
  const open = (await vulnerabilities(repo, { state: 'open' })).map((row) => row.id);
  assert.equal(open.length, 1);
  assert.notEqual(open[0], id);
});

test('code that is edited in its line is a new vulnerability after an exception', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([dummy]));
  const blocked = await gate({ repo, ref: 'main', sha: sha('a') });
  await W.except(blocked.violations[0]?.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  await up(A, { repo, ref: 'main', sha: sha('e') }, sarif([evil]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('e') })).verdict, 'block');
});

test('code that moves, with or without its text, keeps the decision', async () => {
  const { mainVerdict } = await rejected(sarif([dummy]));
  assert.equal(await mainVerdict(sarif([{ ...dummy, line: 200 }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummy, path: 'src/b.ts' }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, path: 'src/b.ts' }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, path: 'src/b.ts', line: 40 }])), 'pass');
});

test('edited code with the same fingerprint is a new vulnerability after a decision', async () => {
  const { mainVerdict } = await rejected(sarif([{ ...dummy, fingerprint }]));
  assert.equal(await mainVerdict(sarif([{ ...dummy, fingerprint, line: 11 }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...evil, fingerprint }])), 'block');
});

test('code that another report shows without its text or under another fingerprint does not cover edited code', async () => {
  const { repo, mainVerdict } = await rejected(sarif([dummy]));
  const other = { repo, ref: 'main', category: 'other' };
  const steps: CodeResult[] = [
    dummyWithoutCode,
    { ...dummyWithoutCode, line: 40 },
    { ...dummy, fingerprint },
  ];
  for (const step of [...steps, { ...evil, fingerprint }, dummy]) await up(M, other, sarif([step]));
  assert.equal(await mainVerdict(sarif([dummy])), 'pass');
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

test('code without its text in reports is covered by its fingerprint', async () => {
  const print = 'ef'.repeat(20);
  const { pull, mainVerdict } = await rejected(sarif([{ ...dummyWithoutCode, fingerprint }]));
  for (const step of [dummyWithoutCode, { ...dummyWithoutCode, fingerprint: print }]) {
    await up(M, pull, sarif([step]));
  }
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, line: 300, fingerprint: print }])), 'block');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, line: 300, fingerprint }])), 'pass');
});

test('code that was decided on a pull request covers no other code there, nor after the merge', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(A, pull, sarif([dummy]));
  const { id } = await onlyVulnerability(repo);
  await decide(W.client, 'reject', id);
  assert.equal((await gate(asked(pull))).verdict, 'pass');
  for (const step of [{ ...dummy, fingerprint }, { ...evil, fingerprint }, dummyWithoutCode]) {
    await up(M, pull, sarif([step]));
  }
  await up(M, { ...pull, ref: 'refs/pull/8/merge' }, sarif([dummyWithoutCode]));
  for (const ref of ['refs/pull/7/merge', 'refs/pull/8/merge']) {
    await up(A, { ...pull, ref }, sarif([evil]));
    assert.equal((await gate(asked({ ...pull, ref }))).verdict, 'block');
  }
  const main = { repo, ref: 'main', sha: sha('e') };
  await up(A, main, sarif([evil]));
  assert.equal((await gate(main)).verdict, 'block');
});

test('decided code that moves to another file keeps its decision, although other code of the rule is near its line', async () => {
  const { repo, mainVerdict } = await rejected(sarif([dummy]));
  await mainVerdict(
    sarif([
      { ...dummy, path: 'src/b.ts' },
      { ...evil, line: 12 },
    ]),
  );
  const states = (await vulnerabilities(repo)).map((row) => row.status).sort();
  assert.deepEqual(states, ['open', 'rejected']);
});

test('a pull request that edits decided code is blocked, and so is its merge', async () => {
  const { pull, mainVerdict } = await rejected(sarif([dummy]));
  await up(M, pull, sarif([evil]));
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

const elsewhere: CodeResult = { ...evil, path: 'src/evil.ts', line: 7 };
for (const [title, steps] of [
  ['that has edited it', [dummy, evil, elsewhere]],
  ['that leaves its text out', [dummy, dummyWithoutCode, evil, elsewhere]],
  [
    'that gives it a fingerprint',
    [{ ...dummy, fingerprint: 'cd'.repeat(20) }, { ...evil, fingerprint: 'cd'.repeat(20) }, elsewhere],
  ],
  [
    'that moves it under the fingerprint of the new code',
    [{ ...dummy, path: 'src/evil.ts', fingerprint: 'ef'.repeat(20) }],
  ],
] as const) {
  test(`a pull request ${title} brings no other code under the decision when the decided code goes`, async () => {
    const { pull, mainVerdict } = await rejected(sarif([dummy]));
    for (const step of steps) await up(M, pull, sarif([step]));
    assert.equal(await mainVerdict(sarif([{ ...elsewhere, fingerprint: 'ef'.repeat(20) }])), 'block');
    assert.equal(await mainVerdict(sarif([elsewhere])), 'block');
  });
}

test('a member who reopens a vulnerability, shows other code there and undoes the action gets no decision about that code', async () => {
  const { id, mainVerdict } = await rejected(sarif([dummy]));
  await decide(W.member, 'reopen', id);
  assert.equal(await mainVerdict(sarif([evil])), 'block');
  const undo = { action: 'undo', vulnerabilities: [{ id }] };
  await W.member.post('/manage/v1/acme/vulnerabilities/decisions', undo);
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

test('code that another category of the default branch shows in the line of known code is another vulnerability', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, sarif([dummy]));
  const { id } = await onlyVulnerability(repo);
  await up(M, { ...main, category: 'other' }, sarif([evil]));
  await decide(W.client, 'reject', id);
  await up(A, { ...main, sha: sha('b') }, sarif([evil]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a base that a member has named lets no new code take the place of decided code', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  await up(M, { repo, ref: 'decoy', sha: sha('b') }, sarif([dummy]));
  const { id } = await onlyVulnerability(repo);
  await decide(W.client, 'reject', id);
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('c'), base_ref: 'decoy', base_sha: sha('b') };
  await up(M, pull, sarif([{ ...dummy, path: 'src/b.ts' }]));
  assert.equal((await gate(asked(pull))).verdict, 'block');
});
