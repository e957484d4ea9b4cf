/**
 * Tests of reports that play down what another report shows: suppressions count only as far as their sender may decide,
 * and no series speaks for another.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factIs, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { vulnerable } from './policy-workspace.ts';
import { createUploadWorkspace, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { apply, gate, upload: up, memberKey: M, adminKey: A, newRepository } = W;

test('a member’s suppression does not decide when an admin’s partial report of something else comes', async () => {
  await apply(policyOf('code', factIs('type', 'sast')));
  const repo = newRepository();
  const code = (suppressed: boolean) =>
    sarif([
      {
        rule: 'sqli',
        path: 'src/db.ts',
        line: 7,
        code: 'query(x)',
        ...(suppressed ? { suppressed: 'external' as const } : {}),
      },
    ]);
  await up(A, { repo, ref: 'main', sha: sha('a') }, code(false));
  await up(M, { repo, ref: 'main', sha: sha('b') }, code(true));
  const before = (await gate({ repo, ref: 'main' })).verdict;
  await up(A, { repo, ref: 'main', sha: sha('c'), partial: 'true' }, sarif([]));
  const after = (await gate({ repo, ref: 'main' })).verdict;
  assert.deepEqual([before, after], ['block', 'block']);
});

test('a member’s suppression does not decide when an admin’s report lacks so much that its closures are held', async () => {
  await apply(policyOf('code', factIs('type', 'sast')));
  const repo = newRepository();
  const bad = { rule: 'sqli', path: 'src/db.ts', line: 7, code: 'query(x)' };
  const notes = Array.from({ length: 25 }, (_, i) => ({
    rule: 'note',
    path: `src/${i}.ts`,
    line: 1,
    code: `note(${i})`,
  }));
  const known = notes.slice(0, 1);
  await up(A, { repo, ref: 'main', sha: sha('a'), category: 'other' }, sarif([bad]));
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif(known));
  await up(M, { repo, ref: 'main', sha: sha('b') }, sarif([...notes, { ...bad, suppressed: 'external' }]));
  const { id } = await up(A, { repo, ref: 'main', sha: sha('c') }, sarif(known));
  const held = await W.client.get<{ counts: { closing_held: number } }>(`/api/v1/acme/scans/${id}`);
  assert.equal(held.body.counts.closing_held, 24);
  const [found] = await W.vulnerabilities(repo, { q: 'sqli' });
  assert.equal(found?.status, 'open');
});

test('a suppression in the source that one category shows does not hide what another one shows', async () => {
  const repo = newRepository();
  const code = (suppressed: boolean) =>
    sarif([{ rule: 'sqli', path: 'src/db.ts', line: 7, code: 'query(x)', suppressed }]);
  const verdict = async () => (await gate({ repo, ref: 'main' })).verdict;
  await up(A, { repo, ref: 'main', sha: sha('a') }, code(false));
  await up(M, { repo, ref: 'main', sha: sha('a'), category: 'other' }, code(true));
  assert.equal(await verdict(), 'block');
  await up(A, { repo, ref: 'main', sha: sha('b') }, code(true));
  assert.equal(await verdict(), 'pass', 'both show it');
  await up(A, { repo, ref: 'main', sha: sha('c') }, code(false));
  assert.equal(await verdict(), 'block');
  await up(A, { repo, ref: 'main', sha: sha('d') }, sarif([]));
  assert.equal(await verdict(), 'pass', 'only the other category sees it, and suppressed');
});

test('a pull request that takes a suppression away is blocked by what its base shows suppressed', async () => {
  await apply(policyOf('code', factIs('type', 'sast')));
  const repo = newRepository();
  const code = (suppressed: boolean) =>
    sarif([{ rule: 'sqli', path: 'src/db.ts', line: 7, code: 'query(x)', suppressed }]);
  await up(A, { repo, ref: 'main', sha: sha('a') }, code(true));
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(A, { ...pull, sha: sha('b') }, code(true));
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'pass');
  await up(A, { ...pull, sha: sha('c') }, code(false));
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
});

test('a partial report that shows one of two locations suppressed does not decide about the other', async () => {
  const repo = newRepository();
  const found = (path: string, ignored: boolean) => {
    const [result] = trivy([{ ...vulnerable('twice'), path }]).Results;
    const [Finding] = result?.Vulnerabilities ?? [];
    const ExperimentalModifiedFindings = [{ Type: 'vulnerability', Status: 'ignored', Finding }];
    return { ...result, ...(ignored ? { Vulnerabilities: [], ExperimentalModifiedFindings } : {}) };
  };
  const report = (...Results: object[]) => ({ ...trivy([]), Results });
  const [a, b] = ['a/package-lock.json', 'b/package-lock.json'] as const;
  const verdict = async () => (await gate({ repo, ref: 'main' })).verdict;
  await up(A, { repo, ref: 'main', sha: sha('a') }, report(found(a, false), found(b, false)));
  await up(A, { repo, ref: 'main', sha: sha('b'), partial: 'true' }, report(found(a, true)));
  assert.equal(await verdict(), 'block');
  await up(A, { repo, ref: 'main', sha: sha('c') }, report(found(a, true), found(b, false)));
  assert.equal(await verdict(), 'block');
  await up(A, { repo, ref: 'main', sha: sha('d'), partial: 'true' }, report(found(b, true)));
  assert.equal(await verdict(), 'block', 'the report does not show the other location');
  await up(A, { repo, ref: 'main', sha: sha('e') }, report(found(a, true), found(b, true)));
  assert.equal(await verdict(), 'pass');
});

test('a suppression counts again after a scan that did not finish a file', async () => {
  const repo = newRepository();
  const report = (shown: Record<string, string>, unfinished: string[] = []) => {
    const { version, runs } = sarif([]);
    const locationOf = (uri: string) => ({ physicalLocation: { artifactLocation: { uri } } });
    const results = Object.entries(shown).map(([path, text]) => ({
      ruleId: 'CVE-2031-4100',
      level: 'error',
      message: { text },
      locations: [locationOf(path)],
      suppressions: [{ kind: 'external', justification: 'not used' }],
    }));
    const toolExecutionNotifications = unfinished.map((path) => ({
      level: 'error',
      message: { text: 'The file could not be read.' },
      locations: [locationOf(path)],
    }));
    const invocations = [{ executionSuccessful: true, toolExecutionNotifications }];
    const properties = { 'security-severity': '9.8', purls: ['pkg:npm/unfinished@1.0.0'] };
    const rules = [{ id: 'CVE-2031-4100', properties }];
    const tool = { driver: { name: 'osv-scanner', rules } };
    return { version, runs: runs.map((run) => ({ ...run, tool, results, invocations })) };
  };
  const verdictAfter = async (commit: string, content: object) => {
    await up(A, { repo, ref: 'main', sha: sha(commit) }, content);
    return (await gate({ repo, ref: 'main' })).verdict;
  };
  const [a, b] = ['a/package-lock.json', 'b/package-lock.json'] as const;
  assert.equal(await verdictAfter('a', report({ [a]: 'found', [b]: 'found' })), 'pass');
  assert.equal(await verdictAfter('b', report({ [a]: 'described anew' }, [b])), 'block', 'partly shown');
  assert.equal(await verdictAfter('c', report({ [a]: 'described anew', [b]: 'found' })), 'pass');
});

test('a report of a pull request does not lower the CVSS score that a report of main gives', async () => {
  await apply(policyOf('score', "{fact: cvss_score, operator: '>=', value: 9}"));
  const repo = newRepository();
  const [id, name, version] = ['CVE-2031-4001', 'scored', '1.0.0'];
  const high = grype([{ id, package: name, version }]);
  const cvss = [{ version: '3.1', metrics: { baseScore: 9.8 } }];
  const onMain = {
    ...high,
    matches: high.matches.map((match) => ({ ...match, vulnerability: { ...match.vulnerability, cvss } })),
  };
  const low = trivy([{ id, name, version, severity: 'LOW' }]);
  const inPull = {
    ...low,
    Results: low.Results.map((result) => ({
      ...result,
      Vulnerabilities: result.Vulnerabilities.map((row) => ({ ...row, CVSS: { nvd: { V3Score: 1.1 } } })),
    })),
  };
  await up(A, { repo, ref: 'main', sha: sha('a') }, onMain);
  await up(M, { repo, ref: 'refs/pull/1/head', sha: sha('b') }, inPull);
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});
