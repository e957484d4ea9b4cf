/**
 * Tests of decisions through the histories of a repository: they stay with their code when lines are added, removed,
 * wrapped or scanned unevenly, and they do not go over to a copy, or to code that differs in what Merlon removes from
 * texts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { succeeded } from '../support/client.ts';
import { type CodeResult, sarif } from '../support/reports.ts';
import { gitleaks, trivySecrets } from '../support/scanner-reports.ts';
import { createDecidedWorkspace } from './decided-workspace.ts';
import { sha } from './upload-workspace.ts';

const W = await createDecidedWorkspace();
const { gate, vulnerabilities, decide, decideViolation, upload: up, newRepository, asked, rejected } = W;
const { adminKey: A } = W;

const dummy: CodeResult = { rule: 'eval', path: 'src/a.ts', line: 10, code: 'eval("1 + 1")' };
// Semgrep numbers the matches of a rule in a file at the end of their fingerprints.
const match = (code: string, line: number, number: number, print = 'ab'): CodeResult => ({
  ...{ rule: 'eval', path: 'src/a.ts', code, line },
  fingerprint: `${print.repeat(20)}_${number}`,
});

async function allRejected(...results: CodeResult[]) {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, sarif(results));
  for (const { id } of await vulnerabilities(repo)) await decide(W.client, 'reject', id);
  assert.equal((await gate(main)).verdict, 'pass');
  return { repo, main };
}

/** An admin merges the two vulnerabilities of the repository. Returns the id of the one that stays. */
async function mergeBoth(repo: string) {
  const [first, second] = await vulnerabilities(repo);
  const others = { others: [second?.id], reason: 'same' };
  succeeded(await W.client.post(`/manage/v1/acme/vulnerabilities/${first?.id}/merge`, others));
  return first?.id;
}

test('a match of a rule that is removed, or added, does not take the decisions from the others of the file', async () => {
  const { repo, main } = await allRejected(match('eval(a)', 10, 0), match('eval(b)', 20, 1));
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  const fewer = sarif([match('eval(b)', 19, 0)]);
  await up(A, pull, fewer);
  assert.equal((await gate(asked(pull))).verdict, 'pass');
  const more = [match('eval(z)', 5, 0), match('eval(a)', 11, 1), match('eval(b)', 21, 2)];
  await up(A, main, sarif(more));
  assert.deepEqual((await vulnerabilities(repo)).map((row) => row.status).sort(), [
    'open',
    'rejected',
    'rejected',
  ]);
  await up(A, main, fewer);
  assert.equal((await gate(main)).verdict, 'pass');
});

const inLines = (...lines: number[]) => sarif(lines.map((line) => ({ ...dummy, line })));

async function listInLines(repo: string, on: string) {
  const query = `repo=${encodeURIComponent(repo)}&${on}`;
  const { items } = (
    await W.client.get<{ items: { id: string; status: string; location: { line: number } }[] }>(
      `/api/v1/acme/vulnerabilities?${query}`,
    )
  ).body;
  return items;
}

async function rejectedLines(repo: string, on = 'scope=all') {
  const items = await listInLines(repo, on);
  return items.filter(({ status }) => status === 'rejected').map(({ location }) => location.line);
}

async function rejectLine(repo: string, line: number) {
  const items = await listInLines(repo, 'scope=all');
  await decide(W.client, 'reject', items.find(({ location }) => location.line === line)?.id);
  assert.deepEqual(await rejectedLines(repo), [line]);
}

test('a decision about one of several equal lines of code goes to no other when lines are removed or added', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(A, main, inLines(42, 61, 82, 124));
  const [line, ...others] = [42, 61, 82, 124];
  await rejectLine(repo, 42);
  await up(A, pull, inLines(...others));
  assert.deepEqual(await rejectedLines(repo, 'ref=refs/pull/7/merge'), []);
  for (const lines of [[3, 42, 61, 82, 124], [3, ...others], others, [42, 61, 82, 124]]) {
    await up(A, main, inLines(...lines));
    assert.deepEqual(await rejectedLines(repo), [line]);
  }
  assert.equal((await vulnerabilities(repo)).length, 5);
});

test('a decision about one of several equal lines of code goes to no other that a partial report shows alone', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const all = [42, 61, 82];
  await up(A, main, inLines(...all));
  const [line = 0, ...others] = all;
  await rejectLine(repo, line);
  for (const lines of [all, others]) {
    for (const shown of others) {
      await up(A, { ...main, partial: 'true' }, inLines(shown));
      assert.deepEqual(await rejectedLines(repo), [line]);
    }
    await up(A, main, inLines(...lines));
    assert.deepEqual(await rejectedLines(repo), [line]);
  }
  assert.equal((await vulnerabilities(repo)).length, all.length);
});

test('equal lines of code whose closure was held keep their decisions when they come back', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const all = Array.from({ length: 30 }, (_, i) => 10 + 20 * i);
  await up(A, main, inLines(...all));
  const [line = 0, ...others] = all;
  await rejectLine(repo, line);
  await up(A, main, inLines(...others.slice(-5)));
  assert.deepEqual(await rejectedLines(repo), [line]);
  await up(A, main, inLines(...all));
  assert.deepEqual(await rejectedLines(repo), [line]);
  assert.equal((await vulnerabilities(repo)).length, all.length);
});

test('a decision about one of several equal lines with numbered fingerprints goes to no other on a pull request', async () => {
  const repo = newRepository();
  const numbered = (...lines: number[]) => sarif(lines.map((line, i) => match('eval(a)', line, i)));
  await up(A, { repo, ref: 'main', sha: sha('a') }, numbered(42, 61, 82));
  await rejectLine(repo, 42);
  for (const [number, lines, rejects] of [
    [7, [61, 82], []],
    [8, [5, 42, 61, 82], [42]],
    [9, [60, 81], []],
  ] as const) {
    const ref = `refs/pull/${number}/merge`;
    await up(A, { repo, ref, sha: sha('b'), base_ref: 'main', base_sha: sha('a') }, numbered(...lines));
    assert.deepEqual(await rejectedLines(repo, `ref=${ref}`), rejects);
  }
  for (const [lines, rejects] of [
    [[44, 63, 84], [44]],
    [[62, 83], [44]],
  ] as const) {
    await up(A, { repo, ref: 'main', sha: sha('a') }, numbered(...lines));
    assert.deepEqual(await rejectedLines(repo, 'ref=main'), rejects);
  }
});

test('a decision about one of two fingerprints of equal code goes to no other, in one line and where lines move', async () => {
  const main = { ref: 'main', sha: sha('a') };
  for (const [before, after, ref] of [
    [[10, 10], 10, 'release/1'],
    [[10, 11], 11, 'release/1'],
    [[10, 11], 11, 'main'],
  ] as const) {
    const repo = newRepository();
    const [open, decided] = [match('eval(a)', before[0], 0, 'ab'), match('eval(a)', before[1], 0, 'cd')];
    await up(A, { repo, ...main }, sarif([open]));
    const [first] = await vulnerabilities(repo);
    await up(A, { repo, ...main }, sarif([open, decided]));
    const second = (await vulnerabilities(repo)).find(({ id }) => id !== first?.id);
    await decide(W.client, 'reject', second?.id);
    const next = { repo, ref, sha: sha('b') };
    await up(A, next, sarif([{ ...open, line: after }]));
    assert.equal((await gate(next)).verdict, 'block');
    assert.equal((await vulnerabilities(repo)).length, 2);
  }
});

test('code that a formatter wraps keeps its decision', async () => {
  const { mainVerdict } = await rejected(sarif([{ ...dummy, code: 'if(run(a, b)) return;' }]));
  const wrapped = 'if (\n  run(\n    a,\n    b,\n  )\n)\n  return;';
  assert.equal(await mainVerdict(sarif([{ ...dummy, line: 30, code: wrapped }])), 'pass');
  for (const other of ['if (runa, b)) return;', 'if (run(a, "b ")) return;']) {
    assert.equal(await mainVerdict(sarif([{ ...dummy, line: 30, code: other }])), 'block');
  }
});

test('code of several lines is the same in one line', async () => {
  const lines = ['x -> foo(x)', "$a . 'W'", 'this.a().b()', 'this->a()->b()'];
  const wrapped = ['x ->\n  foo(x)', "$a\n  . 'W'", 'this.a()\n  .b()', 'this->a()\n  ->b()'];
  const resultOf = (code: string, i: number): CodeResult => ({ ...dummy, line: 10 + 100 * i, code });
  const { repo, main } = await allRejected(...lines.map(resultOf));
  await up(A, main, sarif(wrapped.map(resultOf)));
  assert.equal((await gate(main)).verdict, 'pass');
  assert.equal((await vulnerabilities(repo)).length, lines.length);
});

test('code that differs in a value that looks like a secret is a new vulnerability after a decision', async () => {
  const assigned = (value: string): CodeResult => ({ ...dummy, code: `password = "${value}"` });
  const { repo, mainVerdict } = await rejected(sarif([assigned('changeme')]));
  assert.equal(await mainVerdict(sarif([{ ...assigned('changeme'), line: 40 }])), 'pass');
  assert.equal(await mainVerdict(sarif([assigned('pR0d-s3cr3t')])), 'block');
  assert.equal((await vulnerabilities(repo)).length, 2);
});

for (const [title, query] of [
  ['of another category', { category: 'module-b' }],
  ['that is partial', { category: 'module-a', partial: 'true' }],
] as const) {
  test(`a report ${title} that does not look at decided code does not cover a copy of it`, async () => {
    const repo = newRepository();
    const main = { repo, ref: 'main', sha: sha('a') };
    const category = 'module-a';
    await up(A, { ...main, category }, sarif([dummy]));
    await up(A, { ...main, category: 'module-b' }, sarif([{ ...dummy, rule: 'other', path: 'src/c.ts' }]));
    for (const { id } of await vulnerabilities(repo)) await decide(W.client, 'reject', id);
    const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
    await up(A, { ...pull, ...query }, sarif([{ ...dummy, path: 'src/b.ts' }]));
    assert.equal((await gate(asked(pull))).verdict, 'block');
    const renamed = { ...pull, ref: 'refs/pull/8/merge' };
    await up(A, { ...renamed, category }, sarif([{ ...dummy, path: 'src/d.ts' }]));
    assert.equal((await gate(asked(renamed))).verdict, 'pass');
  });
}

test('two values that look like secrets in one line are two vulnerabilities, in any order', async () => {
  const results = ['changeme', 'pR0d-s3cr3t'].map(
    (value): CodeResult => ({ ...dummy, code: `password = "${value}"` }),
  );
  const { repo, mainVerdict } = await rejected(sarif(results.slice(0, 1)));
  for (const report of [results, results.toReversed()]) {
    assert.equal(await mainVerdict(sarif(report)), 'block');
    assert.equal((await vulnerabilities(repo)).length, 2);
  }
});

test('two masked secrets that differ in whitespace are two vulnerabilities', async () => {
  const repo = newRepository();
  const masked = ['API_KEY=****', 'API_KEY = ****'].map((text, i) => ({
    ...{ path: 'app.env', line: 3 + i, masked: text },
  }));
  await up(A, { repo, ref: 'main', sha: sha('a') }, trivySecrets(masked));
  assert.equal((await vulnerabilities(repo)).length, 2);
});

test('a partial report of the default branch does not cover a copy of decided code', async () => {
  const { repo, mainVerdict } = await rejected(sarif([dummy]));
  const copy = { ...dummy, path: 'src/b.ts' };
  await up(A, { repo, ref: 'main', sha: sha('e'), partial: 'true' }, sarif([copy]));
  assert.equal(await mainVerdict(sarif([dummy, copy])), 'block');
});

test('a report that could not read the file of decided code does not cover a copy of it', async () => {
  const { pull, mainVerdict } = await rejected(sarif([dummy]));
  const complete = sarif([{ ...dummy, path: 'src/b.ts' }]);
  const locations = [{ physicalLocation: { artifactLocation: { uri: dummy.path } } }];
  const timeout = { level: 'error', message: { text: 'Timeout' }, locations };
  const invocations = [{ executionSuccessful: true, toolExecutionNotifications: [timeout] }];
  const copied = { ...complete, runs: complete.runs.map((run) => ({ ...run, invocations })) };
  await up(A, pull, copied);
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(copied), 'block');
});

test('code that a pull request renames and renames back does not cover a copy of it', async () => {
  const { pull } = await rejected(sarif([dummy]));
  const copy = { ...dummy, path: 'src/b.ts' };
  for (const [results, verdict] of [
    [[copy], 'pass'],
    [[dummy], 'pass'],
    [[dummy, copy], 'block'],
  ] as const) {
    await up(A, pull, sarif([...results]));
    assert.equal((await gate(asked(pull))).verdict, verdict);
  }
});

test('a merged copy that was fixed before the decision is new when it comes back', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const both = sarif([dummy, { ...dummy, path: 'src/b.ts' }]);
  await up(A, main, both);
  const id = await mergeBoth(repo);
  await up(A, main, sarif([dummy]));
  await decide(W.client, 'reject', id);
  await up(A, main, both);
  assert.equal((await gate(main)).verdict, 'block');
});

test('code that is renamed keeps its decision, although a partial report of a pull request has shown it before', async () => {
  const { repo, pull, mainVerdict } = await rejected(sarif([dummy]));
  const renamed = sarif([{ ...dummy, path: 'src/b.ts' }]);
  await up(A, { ...pull, partial: 'true' }, renamed);
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(renamed), 'pass');
  assert.equal((await vulnerabilities(repo, { state: 'open' })).length, 1);
});

test('code that one scan misses is the snoozed vulnerability again', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, sarif([dummy]));
  const [violation] = (await gate(main)).violations;
  assert.equal(await decideViolation(W.client, 'snooze', violation?.id), 200);
  await up(A, main, sarif([]));
  await up(A, main, sarif([dummy]));
  assert.equal((await vulnerabilities(repo)).length, 1);
});

test('code that one scan misses is the snoozed vulnerability again after an admin has merged two of them', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const report = sarif([dummy, { ...dummy, path: 'src/b.ts', code: 'eval("2 + 2")' }]);
  await up(A, main, report);
  const violations = await W.violations({ repo });
  // The vulnerability that stays is snoozed first, and so for no longer than the other.
  for (const { id } of await vulnerabilities(repo)) {
    const violation = violations.find(({ target }) => target.id === id);
    assert.equal(await decideViolation(W.client, 'snooze', violation?.id), 200);
  }
  await mergeBoth(repo);
  await up(A, main, sarif([]));
  await up(A, main, report);
  assert.equal((await vulnerabilities(repo)).length, 1);
});

test('a merged copy that was fixed before the merge is new when it comes back, although the other is snoozed', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const copy = { ...dummy, path: 'src/b.ts', code: 'eval("2 + 2")' };
  await up(A, main, sarif([dummy, copy]));
  const violations = await W.violations({ repo });
  const [first] = await vulnerabilities(repo);
  const kept = violations.find(({ target }) => target.id === first?.id);
  assert.equal(await decideViolation(W.client, 'snooze', kept?.id), 200);
  const stays = (
    await W.client.get<{ location: { path: string } }>(`/api/v1/acme/vulnerabilities/${first?.id}`)
  ).body;
  const [shown, fixed] = stays.location.path === dummy.path ? [dummy, copy] : [copy, dummy];
  await up(A, main, sarif([shown]));
  await mergeBoth(repo);
  await up(A, main, sarif([shown, fixed]));
  assert.equal((await vulnerabilities(repo)).length, 2);
});

test('a finding with neither code nor line keeps its decision when a scan misses it, but of two nobody knows which', async () => {
  const { code: _, line: __, ...alone } = dummy;
  const twin = { ...alone, message: 'eval in another call' };
  for (const [found, back, verdict] of [
    [[alone], [alone], 'pass'],
    [[alone, twin], [alone, twin], 'pass'],
    [[alone, twin], [twin], 'block'],
  ] as const) {
    const { repo, main } = await allRejected(...found);
    const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
    await up(A, pull, sarif([...back]));
    assert.equal((await gate(asked(pull))).verdict, verdict);
    await up(A, main, sarif([]));
    await up(A, main, sarif([...back]));
    assert.equal((await gate(main)).verdict, verdict);
  }
});

test('a finding without code keeps its decision in its line when a scan misses it, and covers none in another line', async () => {
  const { code: _, ...bare } = dummy;
  const { mainVerdict } = await rejected(sarif([bare]));
  assert.equal(await mainVerdict(sarif([])), 'pass');
  assert.equal(await mainVerdict(sarif([bare])), 'pass');
  assert.equal(await mainVerdict(sarif([])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...bare, line: 11 }])), 'block');
});

test('a secret in two forms stays decided where it occurs once more in its file', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const bare = (...lines: number[]) => {
    const secret = `k${'7xW9'.repeat(8)}`;
    return gitleaks(lines.map((line) => ({ path: 'app.env', line, secret, text: `API_KEY=${secret}` })));
  };
  await up(A, main, trivySecrets([{ path: 'app.env', line: 3, masked: 'API_KEY=****' }]));
  await up(A, main, bare(3));
  const [secret, ...others] = await vulnerabilities(repo);
  assert.deepEqual(others, []);
  await decide(W.client, 'reject', secret?.id);
  await up(A, main, bare(3, 9));
  assert.equal((await gate(main)).verdict, 'pass');
});

test('code that an admin has merged into a decided vulnerability stays with it on a new pull request', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  const report = sarif([dummy, { ...dummy, path: 'src/b.ts', code: 'eval("2 + 2")' }]);
  await up(A, main, report);
  const id = await mergeBoth(repo);
  await decide(W.client, 'reject', id);
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(A, pull, report);
  assert.equal((await gate(asked(pull))).verdict, 'pass');
  assert.equal((await vulnerabilities(repo)).length, 1);
  await up(A, main, sarif([dummy]));
  await up(A, main, report);
  assert.equal((await gate(main)).verdict, 'pass');
  const copied = { ...pull, ref: 'refs/pull/8/merge' };
  await up(A, copied, sarif([dummy, { ...dummy, path: 'src/b.ts' }]));
  assert.equal((await gate(asked(copied))).verdict, 'block');
});
