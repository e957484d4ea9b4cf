/** Tests that an exception does not cover merged findings, and that another scan does not hide a failed one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factIs, packageIs, policyOf } from '../support/policies.ts';
import { sarif } from '../support/reports.ts';
import { osvScanner } from '../support/scanner-reports.ts';
import { bad, clean, createUploadWorkspace, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, apply, gate, violations, client: admin, member, upload: up, process, newRepository } = W;
const { memberKey: M, adminKey: A, decideViolation, except } = W;

test('a merge into an exempt survivor does not exempt the merged violation', async () => {
  const repo = newRepository();
  await apply(policyOf('c1', packageIs('leakier')));
  const low = { id: 'CVE-2031-7778', package: 'leakier', version: '1.0.0', severity: 'low' as const };
  const crit = { id: 'GHSA-aaaa-bbbb-dddd', package: 'leakier', version: '1.0.0', severity: 'low' as const };
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([low]));
  const [v] = await violations({ repo });
  await except(v?.id);
  await up(A, { repo, ref: 'main', sha: sha('b') }, osvScanner([low, crit]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(
    A,
    { repo: 'acme/play', ref: 'main', partial: 'true' },
    osvScanner([{ ...low, package: 'else', aliases: [crit.id] }]),
  );
  await up(A, { repo, ref: 'main', sha: sha('c') }, osvScanner([low, crit]));
  assert.equal((await violations({ repo })).length, 1);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('a merge into a snoozed survivor does not snooze the merged violation', async () => {
  const repo = newRepository();
  await apply(policyOf('c1', packageIs('leakier')));
  const first = { id: 'CVE-2031-7779', package: 'leakier', version: '1.0.0', severity: 'low' as const };
  const other = { ...first, id: 'GHSA-aaaa-bbbb-eeee' };
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([first]));
  const [snoozed] = await violations({ repo });
  assert.equal(await decideViolation(admin, 'snooze', snoozed?.id), 200);
  await up(A, { repo, ref: 'main', sha: sha('b') }, osvScanner([first, other]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(
    A,
    { repo: 'acme/play', ref: 'main', partial: 'true' },
    osvScanner([{ ...first, package: 'else', aliases: [other.id] }]),
  );
  await up(A, { repo, ref: 'main', sha: sha('c') }, osvScanner([first, other]));
  assert.equal((await violations({ repo })).length, 1);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('a member does not restore an admin’s snooze by an undo after another vulnerability has become part of it', async () => {
  const repo = newRepository();
  await apply(policyOf('c2', packageIs('leakiest')));
  const first = { id: 'CVE-2031-7780', package: 'leakiest', version: '1.0.0', severity: 'low' as const };
  const other = { ...first, id: 'GHSA-aaaa-bbbb-ffff' };
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([first]));
  const [{ id = '' } = {}] = await violations({ repo });
  assert.equal(await decideViolation(admin, 'snooze', id), 200);
  assert.equal(await decideViolation(member, 'wake', id), 200);
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([first, other]));
  await up(M, { repo, ref: 'main', sha: sha('b') }, osvScanner([{ ...first, aliases: [other.id] }, other]));
  assert.equal((await violations({ repo })).length, 1);
  assert.equal(await decideViolation(member, 'undo', id), 409);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('an undo does not restore a snooze from before a trusted name was learned', async () => {
  const repo = newRepository();
  await apply(policyOf('c4', packageIs('undone')));
  const first = { id: 'CVE-2031-7781', package: 'undone', version: '1.0.0', severity: 'low' as const };
  const other = { ...first, id: 'GHSA-aaaa-bbbb-gggg' };
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([first]));
  const [{ id = '' } = {}] = await violations({ repo });
  assert.equal(await decideViolation(admin, 'snooze', id), 200);
  const alias = osvScanner([{ ...first, package: 'else', aliases: [other.id] }]);
  await up(A, { repo: 'acme/play', ref: 'main', partial: 'true' }, alias);
  assert.equal(await decideViolation(admin, 'wake', id), 200);
  await up(A, { repo, ref: 'main', sha: sha('b') }, osvScanner([first, other]));
  assert.equal((await violations({ repo })).length, 1);
  assert.equal(await decideViolation(admin, 'undo', id), 409);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

for (const [n, cover] of [
  [5, 'exception'],
  [6, 'snooze'],
] as const) {
  test(`a merge with a vulnerability outside the policy ends the ${cover}`, async () => {
    const repo = newRepository();
    const name = `outside-${cover}`;
    await apply(policyOf(name, `${packageIs(name)}, ${factIs('is_default_branch', true)}`));
    const first = { id: `CVE-2032-${1000 + n}`, package: name, version: '1.0.0', severity: 'low' as const };
    const other = { ...first, id: `GHSA-aaaa-bbbb-c${String(n).padStart(3, '2')}` };
    await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([first]));
    const [{ id = '' } = {}] = await violations({ repo });
    if (cover === 'snooze') {
      assert.equal(await decideViolation(admin, 'snooze', id), 200);
    } else {
      await except(id);
    }
    assert.notEqual((await gate({ repo, ref: 'main' })).verdict, 'block');
    await up(M, { repo, ref: 'side' }, osvScanner([other]));
    const alias = osvScanner([{ ...first, package: 'else', aliases: [other.id] }]);
    await up(M, { repo, ref: 'side', partial: 'true' }, alias);
    await up(A, { repo, ref: 'main', sha: sha('b') }, osvScanner([first, other]));
    assert.equal((await violations({ repo })).length, 1);
    assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
  });
}

/** A report with one result at these paths. */
function resultAt(...paths: string[]) {
  const report = sarif([{ rule: 'seed', path: 'a.js', line: 1, level: 'note' }]);
  const locations = paths.map((uri) => ({
    physicalLocation: { artifactLocation: { uri }, region: { startLine: 1, snippet: { text: uri } } },
  }));
  return {
    ...report,
    runs: report.runs.map((run) => ({
      ...run,
      results: run.results.map((result) => ({ ...result, locations })),
    })),
  };
}

test('a further location of a result is not covered by the exception of its vulnerability', async () => {
  const repo = newRepository();
  await apply(policyOf('c3', factIs('rule_id', 'seed')));
  await up(A, { repo, ref: 'main', sha: sha('a') }, resultAt('a.js'));
  const [{ id = '' } = {}] = await violations({ repo });
  await except(id);
  await up(A, { repo, ref: 'main', sha: sha('b') }, resultAt('a.js'));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'pass');
  await up(A, { repo, ref: 'main', sha: sha('c') }, resultAt('a.js', 'b.js'));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('a member does not restore an admin’s snooze by an undo after a further location of the result has come', async () => {
  const repo = newRepository();
  await apply(policyOf('c3', factIs('rule_id', 'seed')));
  await up(A, { repo, ref: 'main', sha: sha('a') }, resultAt('a.js'));
  const [{ id = '' } = {}] = await violations({ repo });
  assert.equal(await decideViolation(admin, 'snooze', id), 200);
  assert.equal(await decideViolation(member, 'wake', id), 200);
  await up(M, { repo, ref: 'main', sha: sha('b') }, resultAt('a.js', 'b.js'));
  assert.equal(await decideViolation(member, 'undo', id), 200);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

const pad = ' '.repeat(3_000_000);
const brokenSarif = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[${pad}{"tool":`;
const brokenTrivy = `{"SchemaVersion":2,"ArtifactName":".","ArtifactType":"filesystem","Results":[${pad}{"Target":`;
const raw = (query: Record<string, string>, text: string) =>
  server.app.inject({
    method: 'POST',
    url: `/ingest/v1/acme/scans?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${M}`, 'content-type': 'application/octet-stream' },
    payload: text,
  });

test('a failed SARIF scan of one tool is not hidden by another tool’s SARIF', async () => {
  const repo = newRepository();
  const a = await raw(
    { repo, ref: 'main', sha: sha('a'), format: 'sarif', file_name: 'codeql.sarif' },
    brokenSarif,
  );
  assert.equal(a.statusCode, 202, a.body);
  await up(M, { repo, ref: 'main', sha: sha('a'), format: 'sarif', file_name: 'semgrep.sarif' }, sarif([]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, null);
});

test('a failed scan without a file name is not hidden by another tool’s scan of the commit', async () => {
  for (const format of [{}, { format: 'sarif' }]) {
    const repo = newRepository();
    await raw({ repo, ref: 'main', sha: sha('a'), ...format }, brokenSarif);
    await up(M, { repo, ref: 'main', sha: sha('a') }, sarif([]));
    assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, null);
    await up(M, { repo, ref: 'main', sha: sha('b') }, sarif([]));
    assert.equal(
      (await gate({ repo, ref: 'main' })).verdict,
      'pass',
      'it says nothing about the next commit',
    );
  }
});

test('a failed dry run does not close the gate', async () => {
  const repo = newRepository();
  const s = await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  const d = await raw(
    { repo, ref: 'main', sha: sha('a'), dry_run: 'true', file_name: 'x.json' },
    brokenTrivy,
  );
  assert.equal(d.statusCode, 202);
  await process(s.repositoryId);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
});

test('a dry run gives no answer for a commit by sha alone', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  await up(M, { repo, ref: 'elsewhere', sha: sha('a'), dry_run: 'true' }, clean());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block');
});
