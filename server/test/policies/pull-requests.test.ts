/**
 * Tests of a reference against its base: only its own additions count, and the base is taken as it was at the
 * branching.
 */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { parseReference } from '../../src/domain/reference-name.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { factIs, packageIs, policyOf } from '../support/policies.ts';
import { sarif } from '../support/reports.ts';
import { reportInput } from '../support/workspace.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

const { server, tenant, apply, scan, gate, violations } = await createPolicyWorkspace();
await apply(blockCritical);

const [a, b, c, d] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40), 'd'.repeat(40)] as const;
const main = parseReference('main');
const outsideTests = "{not: {fact: path, operator: matches, value: 'test/*'}}";
let repositories = 0;
let repository = '';
let clock = 0;

beforeEach(() => {
  repositories++;
  repository = `acme/repo-${repositories}`;
  clock = 0;
});

// Each report is an hour after the previous one.
const hour = 3_600_000;
const begin = Date.now() - 100 * hour;
const at = () => {
  clock++;
  return { repository, scannedAt: new Date(begin + clock * hour) };
};

describe('a pull request', () => {
  test('is blocked by the violations that it adds, with steps to unblock', async () => {
    assert.equal(await scan([vulnerable('old')], { ...at(), sha: a }), 'block');
    const pull = { ref: 'refs/pull/7/head', baseRef: main, baseSha: a };
    assert.equal(await scan([vulnerable('old'), vulnerable('fresh')], { ...at(), ...pull, sha: b }), 'block');
    const blocked = await gate({ repo: repository, ref: 'refs/pull/7/head', sha: b });
    assert.deepEqual(
      [blocked.verdict, blocked.base.state, blocked.base.ref, blocked.base.sha, blocked.summary],
      ['block', 'compared', 'main', a, { blocking: 1, warning: 0, on_base: 1 }],
    );
    const [only] = blocked.violations;
    assert.equal(only?.title, 'fresh: CVE-2031-3437');
    assert.deepEqual([only?.fix_version, only?.package?.versions], ['2.0.0', ['1.0.0']]);
    // Without MERLON_PUBLIC_URL the pages are paths.
    assert.equal(only?.page, `/w/acme/violations/${only?.id}`);
    assert.equal(blocked.page, `/w/acme/scans/${blocked.scans[0]?.id}`);
    assert.deepEqual(fieldsOf(blocked.unblock, 'action', 'text', 'resolves'), [
      ['upgrade', 'Upgrade fresh 1.0.0 to 2.0.0.', [only?.id]],
    ]);
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: c }), 'pass');
    const passed = await gate({ repo: repository, ref: 'refs/pull/7/head', sha: c });
    assert.deepEqual([passed.verdict, passed.violations], ['pass', []]);
    // The stored verdict of an older commit stays.
    const before = await gate({ repo: repository, ref: 'refs/pull/7/head', sha: b });
    assert.deepEqual([before.verdict, before.superseded], ['block', true]);
    const all = await gate({ repo: repository, ref: 'refs/pull/7/head', all: 'true' });
    assert.deepEqual([all.verdict, all.base.state, all.summary.blocking], ['block', 'ignored', 1]);
  });

  test('is not blocked by violations of its base at the time it left, even if the base has fixed them since', async () => {
    await scan([vulnerable('old')], { ...at(), sha: a });
    await scan([], { ...at(), sha: b });
    const pull = { ref: 'refs/pull/8/head', baseRef: main, baseSha: a };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: c }), 'pass');
    assert.equal((await gate({ repo: repository })).verdict, 'pass');
  });

  test('is blocked if it brings back a violation that its base has fixed', async () => {
    await scan([vulnerable('old')], { ...at(), sha: a });
    await scan([], { ...at(), sha: b });
    const pull = { ref: 'refs/pull/9/head', baseRef: main, baseSha: b };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: c }), 'block');
    assert.equal((await gate({ repo: repository, ref: 'main' })).verdict, 'pass', 'the base is as it was');
  });

  test('is compared with the base at the time of its first scan if the commit of the base was never scanned', async () => {
    await scan([vulnerable('old')], { ...at(), sha: a });
    const pull = { ref: 'refs/pull/10/head', baseRef: main, baseSha: d };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: b }), 'pass');
    await scan([], { ...at(), sha: c });
    assert.equal(
      await scan([vulnerable('old')], { ...at(), ...pull, sha: b }),
      'pass',
      'it still stands on the same',
    );
    assert.equal(await scan([vulnerable('old'), vulnerable('new')], { ...at(), ...pull, sha: b }), 'block');
  });

  test('is blocked by all its violations if its base was never scanned, and says so', async () => {
    const pull = { ref: 'refs/pull/11/head', baseRef: main, baseSha: a };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: b }), 'block');
    const answer = await gate({ repo: repository, ref: 'refs/pull/11/head' });
    assert.deepEqual([answer.verdict, answer.base.state, answer.base.ref], ['block', 'missing', 'main']);
  });

  test('is blocked by the violations of a tool that never scanned the base', async () => {
    await scan([], { ...at(), sha: a });
    const pull = { ref: 'refs/pull/12/head', baseRef: main, baseSha: a };
    assert.equal(await scan([], { ...at(), ...pull, sha: b }), 'pass');
    await apply(policyOf('code', factIs('type', 'sast')));
    const [row] = await importAll(server, 'acme', [
      reportInput(sarif([{ rule: 'sqli', path: 'src/db.ts', line: 7, code: 'query(x)' }]), {
        ...at(),
        ...pull,
        sha: b,
      }),
    ]);
    assert.equal(row?.verdict, 'block');
    const answer = await gate({ repo: repository, ref: 'refs/pull/12/head', sha: b });
    assert.deepEqual(answer.violations[0]?.location, { path: 'src/db.ts', line: 7 });
    assert.deepEqual(fieldOf(answer.unblock, 'action'), ['fix']);
  });

  test('is blocked by a problem that its base has where the policy does not apply', async () => {
    await apply(policyOf('shipped', `${packageIs('placed')}, ${outsideTests}`));
    const placed = (path: string) => ({ ...vulnerable('placed', 'LOW'), path });
    const [inTests, shipped, renamed] = [
      placed('test/yarn.lock'),
      placed('yarn.lock'),
      placed('app/yarn.lock'),
    ];
    const pull = { ref: 'refs/pull/14/head', baseRef: main, baseSha: a };
    assert.equal(await scan([inTests], { ...at(), sha: a }), 'pass');
    assert.equal(await scan([inTests], { ...at(), ...pull, sha: b }), 'pass');
    assert.equal(await scan([inTests, shipped], { ...at(), ...pull, sha: c }), 'block');
    const answer = await gate({ repo: repository, ref: pull.ref });
    assert.deepEqual([answer.verdict, answer.summary.blocking, answer.summary.on_base], ['block', 1, 0]);
    // A problem that the policy finds on the base too is not new, wherever the pull request has it.
    assert.equal(await scan([inTests, shipped], { ...at(), sha: d }), 'block');
    const next = { ref: 'refs/pull/15/head', baseRef: main, baseSha: d };
    assert.equal(await scan([inTests, renamed], { ...at(), ...next, sha: c }), 'pass');
    assert.equal(
      (await gate({ repo: repository, ref: pull.ref })).verdict,
      'block',
      'its base is the older one',
    );
  });

  test('is blocked by a problem that its base has in its history alone', async () => {
    await apply(policyOf('not-in-history', `${packageIs('erased')}, ${factIs('source', 'current')}`));
    const pull = { ref: 'refs/pull/16/head', baseRef: main, baseSha: a };
    const erased = [vulnerable('erased', 'LOW')];
    await scan(erased, { ...at(), sha: a, source: 'git_history' });
    assert.equal(await scan([], { ...at(), sha: a }), 'pass');
    assert.equal(await scan(erased, { ...at(), ...pull, sha: b, source: 'git_history' }), 'pass');
    assert.equal(await scan(erased, { ...at(), ...pull, sha: b }), 'block');
  });

  test('may be compared with another branch than the reported one', async () => {
    await scan([], { ...at(), sha: a });
    await scan([vulnerable('old')], { ...at(), ref: 'release', sha: b });
    const pull = { ref: 'refs/pull/13/head', baseRef: main, baseSha: a };
    await scan([vulnerable('old')], { ...at(), ...pull, sha: c });
    const ref = 'refs/pull/13/head';
    assert.equal((await gate({ repo: repository, ref })).verdict, 'block');
    const answer = await gate({ repo: repository, ref, base_ref: 'release' });
    assert.deepEqual([answer.verdict, answer.base.state, answer.base.ref], ['pass', 'compared', 'release']);
  });

  test('has the verdict of the comparison that is asked for at an older commit too', async () => {
    await scan([vulnerable('old')], { ...at(), sha: a });
    await scan([], { ...at(), ref: 'release', sha: d });
    const pull = { ref: 'refs/pull/17/head', baseRef: main, baseSha: a };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: b }), 'pass');
    assert.equal(await scan([], { ...at(), ...pull, sha: c }), 'pass');
    const older = { repo: repository, ref: pull.ref, sha: b };
    const own = await gate(older);
    assert.deepEqual([own.verdict, own.superseded, own.summary.on_base], ['pass', true, 1]);
    for (const terms of [{ all: 'true' }, { base_ref: 'release' }]) {
      const answer = await gate({ ...older, ...terms });
      assert.deepEqual([answer.verdict, answer.summary.blocking], ['block', 1], JSON.stringify(terms));
    }
  });

  test('stays blocked at an older commit when a comparison is asked for in which it passes', async () => {
    await scan([], { ...at(), sha: a });
    await scan([vulnerable('old')], { ...at(), ref: 'release', sha: d });
    const pull = { ref: 'refs/pull/19/head', baseRef: main, baseSha: a };
    assert.equal(await scan([vulnerable('old')], { ...at(), ...pull, sha: b }), 'block');
    assert.equal(await scan([], { ...at(), ...pull, sha: c }), 'pass');
    const older = await gate({ repo: repository, ref: pull.ref, sha: b, base_ref: 'release' });
    assert.deepEqual([older.verdict, older.superseded, older.base.ref], ['block', true, 'release']);
  });

  test('at an older commit, is compared with where its base had the problem then', async () => {
    const either = '{fact: package.name, operator: in, value: [moved, lesser]}';
    await apply(policyOf('older', `${either}, ${factIs('severity', 'high')}, ${outsideTests}`));
    const moved = (path: string) => ({ ...vulnerable('moved', 'HIGH'), path });
    const lesser = (severity: string) => ({ ...vulnerable('lesser', severity), path: 'yarn.lock' });
    const pull = { ref: 'refs/pull/18/head', baseRef: main, baseSha: a };
    await scan([moved('test/yarn.lock'), lesser('HIGH')], { ...at(), sha: a });
    await scan([moved('test/yarn.lock'), lesser('HIGH')], { ...at(), ref: 'release', sha: a });
    assert.equal(await scan([moved('yarn.lock'), lesser('HIGH')], { ...at(), ...pull, sha: b }), 'block');
    assert.equal(await scan([lesser('HIGH')], { ...at(), ...pull, sha: c }), 'pass');
    const older = { repo: repository, ref: pull.ref, sha: b };
    const titles = async (query = {}) => {
      const { verdict, superseded, violations: items } = await gate({ ...older, ...query });
      return [verdict, superseded, items.filter((item) => item.blocking).map((item) => item.title)];
    };
    const blocked = ['block', true, [`moved: ${vulnerable('moved').id}`]];
    assert.deepEqual(await titles(), blocked);
    // A severity that has changed since makes no problem of the base new.
    const lowered = [moved('test/yarn.lock'), lesser('LOW')];
    await scan(lowered, { ...at(), sha: d });
    await scan(lowered, { ...at(), ref: 'release', sha: d });
    await scan([lesser('LOW')], { ...at(), ...pull, sha: c });
    for (const query of [{}, { base_ref: 'release' }]) {
      assert.deepEqual(await titles(query), blocked, JSON.stringify(query));
    }
  });

  test('is treated as any branch with a base, and a branch without one counts everything', async () => {
    await scan([vulnerable('old')], { ...at(), sha: a });
    assert.equal(
      await scan([vulnerable('old')], { ...at(), ref: 'feature', baseRef: main, baseSha: a }),
      'pass',
    );
    assert.equal(await scan([vulnerable('old')], { ...at(), ref: 'other' }), 'block');
    assert.equal((await gate({ repo: repository, ref: 'other' })).base.state, 'none');
  });
});

test('names no fix that only an inactive branch reports', async () => {
  const longAgo = { repository, scannedAt: new Date(Date.now() - 40 * 24 * hour) };
  await scan([vulnerable('old', 'CRITICAL', '3.0.0')], { ...longAgo, sha: a });
  await scan([vulnerable('old', 'CRITICAL', '2.0.0')], { ...longAgo, ref: 'quiet' });
  const fix = async () => fieldOf((await gate({ repo: repository, ref: 'main' })).violations, 'fix_version');
  assert.deepEqual(await fix(), ['2.0.0']);
  await sweepTenant(server.db, tenant.id, new Date(), 30);
  assert.deepEqual(await fix(), ['3.0.0']);
});

test('waits at the gate for every expected tool', async () => {
  await scan([], { ...at(), sha: a });
  const waiting = await gate({ repo: repository, ref: 'main', sha: a, expect: 'trivy,semgrep' });
  assert.deepEqual([waiting.verdict, waiting.missing, waiting.status], [null, ['semgrep'], 'completed']);
  await importAll(server, 'acme', [reportInput(sarif([]), { ...at(), sha: a })]);
  const both = await gate({ repo: repository, ref: 'main', sha: a, expect: 'trivy,semgrep' });
  assert.deepEqual([both.verdict, both.missing], ['pass', []]);
  // No scan of either has seen the next commit.
  const next = await gate({ repo: repository, ref: 'main', sha: b, expect: 'trivy,semgrep' });
  assert.deepEqual([next.verdict, next.missing], [null, ['trivy', 'semgrep']]);
});

test('shows a violation with the reference of the request and its status there', async () => {
  await scan([vulnerable('old')], { ...at(), sha: a });
  await scan([vulnerable('old')], { ...at(), ref: 'feature' });
  await scan([], { ...at(), sha: b });
  const on = async (ref?: string) =>
    (await violations({ repo: repository, ref })).map((item) => [item.status, item.metadata.reference_ref]);
  assert.deepEqual(await on('main'), [['resolved', 'main']]);
  assert.deepEqual(await on('feature'), [['open', 'feature']]);
  assert.deepEqual(await on(), [['open', 'feature']], 'it matches somewhere');
  await scan([], { ...at(), ref: 'feature' });
  assert.deepEqual(
    (await on()).map(([status]) => status),
    ['resolved'],
  );
});
