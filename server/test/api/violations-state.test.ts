/**
 * Tests the fields of a violation in the list and in the detail: its state, its metadata, its rule, the scan that saw
 * it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, type Id, type RepositoryId, tenantUuid } from '../../src/domain/ids.ts';
import type { Json } from '../support/client.ts';
import { succeeded } from '../support/client.ts';
import { assertInvariants } from '../support/invariants.ts';
import type { Violation } from '../support/policies.ts';
import { createViolationWorkspace, daysAgo, sha, shown } from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, tenant, client, base, list, all, idOf, find, show, decided, exceptions, scanIds } = world;

/** Two requests may be in different seconds. */
function steady({ remaining_seconds: seconds, ...rest }: Violation): Json {
  assert.ok(Number.isInteger(seconds));
  return rest;
}

describe('states', () => {
  const remaining = (item: Violation, until: Date | string): number =>
    Math.floor((Date.parse(item.due_at) - new Date(until).getTime()) / 1000);

  test('the policy sets the due date, and an overdue violation has a negative remaining time', async () => {
    const item = await find('critical', 'lib0');
    assert.deepEqual(
      [item.first_seen_at, item.due_at, item.resolved_at],
      [shown(daysAgo(10)), shown(daysAgo(3)), null],
    );
    assert.deepEqual([item.status, item.enforcement_mode, item.blocking], ['open', 'block', true]);
    const now = remaining(item, new Date());
    assert.ok(now < 0 && Math.abs(item.remaining_seconds - now) <= 2, `${item.remaining_seconds}`);
  });

  test('without a policy’s own time the severity sets it, and the clock goes on during a snooze', async () => {
    const item = await find('high', 'lib1');
    assert.equal(item.id, decided.snoozed);
    assert.equal(item.due_at, shown(daysAgo(10 - 30)));
    const now = remaining(item, new Date());
    assert.ok(now > 0 && Math.abs(item.remaining_seconds - now) <= 2, `${item.remaining_seconds}`);
    assert.deepEqual(
      [item.status, item.snoozed, item.snoozed_until, item.snooze_count, item.blocking],
      ['open', true, shown(daysAgo(-5)), 1, false],
    );
  });

  test('a resolved violation keeps its remaining time', async () => {
    const item = await find('code', 'Rule 2');
    assert.deepEqual(
      [item.status, item.blocking, item.first_seen_at, item.resolved_at, item.due_at],
      ['resolved', false, shown(daysAgo(10)), shown(daysAgo(2)), shown(daysAgo(10 - 90))],
    );
    assert.equal(item.remaining_seconds, 82 * 24 * 3600);
    assert.deepEqual([item.snoozed, item.snoozed_until, item.snooze_count], [false, null, 0]);
  });

  test('a requested exception does not change whether it blocks a merge, an approved one does', async () => {
    const pending = await find('code', 'Rule 0');
    assert.equal(pending.id, decided.pending);
    assert.deepEqual(
      [pending.status, pending.enforcement_mode, pending.blocking],
      ['pending_review', 'block', true],
    );
    assert.equal((await show(pending.id)).override, null);
    const waived = await show(decided.waived);
    assert.deepEqual(
      [waived.violation.status, waived.violation.enforcement_mode, waived.violation.blocking],
      ['waived', null, false],
    );
    assert.deepEqual(waived.override, { id: exceptions.waived, mode: 'exempt', enforcement_mode: null });
    assert.equal(waived.policy.enforcement_mode, 'warn');
    const downgraded = await show(decided.downgraded);
    assert.deepEqual(
      [downgraded.violation.status, downgraded.violation.enforcement_mode, downgraded.violation.blocking],
      ['open', 'warn', false],
    );
    assert.deepEqual(downgraded.override, {
      id: exceptions.downgraded,
      mode: 'downgrade',
      enforcement_mode: 'warn',
    });
    assert.equal(downgraded.policy.enforcement_mode, 'block');
    // The time to fix does not change.
    assert.equal(downgraded.violation.due_at, shown(daysAgo(3)));
  });
});

describe('metadata', () => {
  test('of a vulnerability has severity, scores and location', async () => {
    assert.deepEqual((await find('critical', 'lib0')).metadata, {
      severity: 'critical',
      cvss_score: 9.8,
      epss_score: 0.93,
      reference_ref: 'main',
      environment_key: 'production',
    });
    assert.deepEqual((await find('critical', 'lib9')).metadata, {
      severity: 'critical',
      cvss_score: 9,
      epss_score: null,
      reference_ref: 'feature/x',
      environment_key: null,
    });
  });

  test('of any other target has the policy’s severity, if it has one, and the location', async () => {
    const of = async (policy: string, text: string, repo: string) =>
      (await find(policy, text, repo)).metadata;
    const place = { reference_ref: 'main', environment_key: null };
    assert.deepEqual(await of('spade', 'spade', 'acme/team/api'), { severity: 'medium', ...place });
    assert.deepEqual(await of('images', 'shed', 'acme/team/shed'), place);
    assert.deepEqual(await of('stale-scans', 'iac', 'acme/quiet'), { severity: 'low' });
  });

  test('with ref it is that of the reference, else of the default branch if it matches there', async () => {
    const at = async (ref: string | undefined) => {
      const { items } = await list({ ref, policy: 'high' });
      return items.find((item) => item.target.title === 'lib1: CVE-2030-1001')?.metadata;
    };
    assert.equal((await at(undefined))?.reference_ref, 'main');
    assert.equal((await at('HEAD'))?.reference_ref, 'main');
    assert.deepEqual(
      [(await at('feature/x'))?.reference_ref, (await at('feature/x'))?.environment_key],
      ['feature/x', null],
    );
  });
});

describe('rules', () => {
  const rows: [
    policy: string,
    words: string,
    repo: string,
    rule: [string, string, string] | null,
    mode: string | null,
  ][] = [
    ['critical', 'lib0', 'acme/shop', null, null],
    ['code', 'Rule 1', 'acme/shop', ['repo', 'repository', `name_key = 'acme/shop'`], 'block'],
    ['code', 'Rule 0', 'acme/old', ['workspace', 'tenant', ''], null],
    ['high', 'lib1', 'acme/shop', ['org', 'organization', `path_key = 'acme'`], null],
    ['fence', 'libgarden', 'acme/team/shed', ['org', 'organization', `path_key = 'acme/team'`], 'warn'],
    ['copyleft', 'rope', 'acme/team/api', ['application', 'application', `name = 'Shop'`], null],
    ['copyleft', 'libgarden', 'acme/team/shed', ['workspace', 'tenant', ''], 'monitor'],
  ];

  for (const [policy, text, repo, place, enforcement_mode] of rows) {
    test(`${policy} in ${repo}: ${place?.[0] ?? 'none'}`, async () => {
      const item = await find(policy, text, repo);
      const { rule } = await show(item.id);
      if (place === null) {
        assert.deepEqual([item.rule, rule], [null, null]);
        return;
      }
      const [type, kind, where] = place;
      const uuid = kind === 'tenant' ? tenantUuid(tenant.id) : await idOf(kind, where);
      const id = formatId(kind as 'tenant' | 'organization', uuid as Id<'tenant' | 'organization'>);
      assert.deepEqual(item.rule, { type, id });
      assert.deepEqual(rule, { type, id, action: 'include', enforcement_mode });
      const mode = enforcement_mode ?? (item.policy.enforcement_mode as string);
      assert.equal(item.enforcement_mode, mode, 'the nearest rule decides');
    });
  }

  test('a violation in an excluded repository is resolved, and shows the rule', async () => {
    const item = await find('fence', 'rope', 'acme/team/api');
    assert.equal(item.status, 'resolved');
    const { rule } = await show(item.id);
    assert.deepEqual([rule?.type, rule?.action], ['repo', 'exclude']);
  });
});

describe('the detail', () => {
  test('has the fields of the list, with more of the policy and the rule', async () => {
    for (const item of await all()) {
      const detail = await show(item.id);
      assert.deepEqual(steady(detail.violation), steady(item));
      const { config, condition, actions, ...brief } = detail.policy;
      assert.deepEqual(brief, item.policy);
      assert.deepEqual([detail.scope, detail.target], [item.scope, item.target]);
      const { type, id } = detail.rule ?? {};
      assert.deepEqual(detail.rule === null ? null : { type, id }, item.rule);
    }
  });

  test('has the policy as it was written', async () => {
    const { policy } = await show((await find('critical', 'lib0')).id);
    assert.deepEqual(policy, {
      id: policy.id,
      key: 'critical',
      name: 'Critical',
      type: 'custom',
      status: 'active',
      target_type: 'vulnerability',
      enforcement_mode: 'block',
      severity: 'critical',
      config: { snooze: { max_days: 30 } },
      condition: { all: [{ fact: 'severity', operator: '==', value: 'critical' }] },
      actions: { sla: { window: '7d' } },
    });
    const plain = (await show((await find('code', 'Rule 1')).id)).policy;
    assert.deepEqual([plain.name, plain.config, plain.actions], ['code', null, {}]);
  });

  test('shows the newest completed scan that saw the target', async () => {
    const [first, code, branch, again, lastCode, api, , image] = scanIds;
    const seenBy = async (policy: string, text: string, repo = 'acme/shop') => {
      const { scan } = await show((await find(policy, text, repo)).id);
      return scan && { id: scan.id, ref: scan.ref, sha: scan.sha };
    };
    assert.notEqual(first, again);
    assert.deepEqual(await seenBy('critical', 'lib0'), { id: again, ref: 'main', sha });
    assert.deepEqual(await seenBy('code', 'Rule 1'), { id: lastCode, ref: 'main', sha });
    // The newest scan no longer shows it, so the previous one counts.
    assert.deepEqual(await seenBy('code', 'Rule 2'), { id: code, ref: 'main', sha });
    assert.deepEqual(await seenBy('critical', 'lib9'), { id: branch, ref: 'feature/x', sha: null });
    for (const [policy, text] of [
      ['spade', 'spade'],
      ['copyleft', 'rope'],
      ['manifests', 'go.mod'],
    ] as const) {
      assert.deepEqual(await seenBy(policy, text, 'acme/team/api'), { id: api, ref: 'main', sha: null });
    }
    assert.deepEqual(await seenBy('images', 'shed', 'acme/team/shed'), { id: image, ref: 'main', sha: null });
    assert.equal(await seenBy('stale-scans', 'iac', 'acme/quiet'), null);
  });

  test('is 404 under another repository', async () => {
    const { id } = await find('critical', 'lib0');
    const own = await client.get(`${base}/${id}`);
    const repositoryId = formatId(
      'repository',
      (await idOf('repository', `name_key = 'acme/shop'`)) as RepositoryId,
    );
    for (const repo of ['acme/shop', 'ACME%2FShop', repositoryId]) {
      const body = succeeded(await client.get<{ violation: Violation }>(`${base}/${id}?repo=${repo}`));
      assert.deepEqual(steady(body.violation), steady(own.body.violation as Violation));
    }
  });
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));
