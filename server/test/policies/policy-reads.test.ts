/** Tests of the reads about policies: their violations, scopes, exceptions and mistakes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import type { KeyScope } from '../../src/http/principal.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { clientOf, type Schemas, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { createTestKey } from '../support/workspace.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

const { server, tenant, people, client, apply, scan, violations } = await createPolicyWorkspace();
await apply(blockCritical);
await scan([vulnerable('lodash'), vulnerable('minimist'), vulnerable('axios', 'HIGH')]);
await scan([vulnerable('lodash'), vulnerable('left-pad')], { repository: 'acme/api' });
const manage = '/manage/v1/acme';
const member = clientOf(server.app, people.member.key);
const inADay = new Date(Date.now() + 24 * 3600 * 1000).toISOString();

type Counts = Schemas['PolicyCountList']['items'][number];

async function idOf(key: string): Promise<string> {
  return (await client.get<{ id: string }>(`${manage}/policies/${key}`)).body.id;
}

async function countsOf(key: string): Promise<Omit<Counts, 'policy'> | null> {
  const body = succeeded(await client.get<{ items: Counts[] }>(`${manage}/policy-counts`));
  const id = await idOf(key);
  const counts = body.items.find((item) => item.policy === id);
  if (!counts) return null;
  const { policy: _, ...numbers } = counts;
  return numbers;
}

async function requestException(body: object): Promise<string> {
  const answer = await member.post<{ items: { id: string }[] }>(`${manage}/exceptions`, {
    reason: 'Known.',
    ...body,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items[0]?.id ?? '';
}

interface Shown {
  id: string;
  violation_id: string | null;
  target: { type: string; title: string } | null;
}

async function exceptions(query: string): Promise<Shown[]> {
  const body = succeeded(await client.get<{ items: Shown[] }>(`${manage}/exceptions?${query}`));
  return body.items;
}

test('each policy has counts of active, blocking, snoozed and waived violations, without resolved ones', async () => {
  assert.deepEqual(await countsOf('critical'), { unresolved: 4, blocking: 4, snoozed: 0, waived: 0 });
  assert.deepEqual(await countsOf('high'), { unresolved: 1, blocking: 0, snoozed: 0, waived: 0 });
  assert.equal(await countsOf('stale-scans'), null);
  const [first, second] = await violations({ policy: 'critical' });
  await client.post(`${manage}/policy-violations/decisions`, {
    action: 'snooze',
    violations: [{ id: first?.id }],
    reason: 'Later.',
    until: inADay,
  });
  assert.deepEqual(await countsOf('critical'), { unresolved: 4, blocking: 3, snoozed: 1, waived: 0 });
  const exception = await requestException({ violations: [second?.id] });
  assert.deepEqual(await countsOf('critical'), { unresolved: 4, blocking: 3, snoozed: 1, waived: 0 });
  await client.post(`${manage}/exceptions/${exception}/review`, { decision: 'approve' });
  assert.deepEqual(await countsOf('critical'), { unresolved: 3, blocking: 2, snoozed: 1, waived: 1 });
  await scan([vulnerable('axios', 'HIGH')]);
  assert.deepEqual(await countsOf('critical'), { unresolved: 2, blocking: 2, snoozed: 0, waived: 0 });
});

test('rules are shown with the names of their scopes', async () => {
  await tenantTx(server.db, tenant.id, (tx) =>
    applyInventory(tx, parseInventory('applications: [{name: Shop, repositories: [acme/shop]}]')),
  );
  const rules = [
    { type: 'workspace' },
    { type: 'org', id: 'ACME', action: 'exclude' },
    { type: 'application', id: 'shop', enforcement_mode: 'warn' },
    { type: 'repo', id: 'acme/api' },
  ];
  const condition = { all: [{ fact: 'triaged', operator: '==', value: true }] };
  const put = await client.put<{ policy: { rules: { type: string; name: string | null }[] } }>(
    `${manage}/policies/placed`,
    { target_type: 'vulnerability', enforcement_mode: 'monitor', condition, rules },
  );
  assert.equal(put.status, 200, put.text);
  const names = (shown: { type: string; name: string | null }[]) =>
    Object.fromEntries(shown.map(({ type, name }) => [type, name]));
  const expected = { workspace: null, org: 'acme', application: 'Shop', repo: 'acme/api' };
  assert.deepEqual(names(put.body.policy.rules), expected);
  const listed = await client.get<{
    items: { key: string; rules: { type: string; name: string | null }[] }[];
  }>(`${manage}/policies`);
  assert.deepEqual(names(listed.body.items.find(({ key }) => key === 'placed')?.rules ?? []), expected);
});

test('exceptions are found by violation and by policy, each with its target', async () => {
  const repo = 'acme/sought';
  await scan([vulnerable('lodash'), vulnerable('minimist'), vulnerable('axios', 'HIGH')], {
    repository: repo,
  });
  const [one, two] = await violations({ repo, policy: 'critical' });
  const [other] = await violations({ repo, policy: 'high' });
  assert.ok(one && two && other);
  const ofOne = await requestException({ violations: [one.id] });
  const ofTwo = await requestException({ violations: [two.id] });
  const ofAll = await requestException({ policy: 'critical', repo });
  const ofOther = await requestException({ violations: [other.id] });
  const found = await exceptions(`violation=${one.id}`);
  assert.deepEqual(
    found.map(({ id, violation_id, target }) => [id, violation_id, target?.title ?? null]),
    [
      [ofAll, null, null],
      [ofOne, one.id, one.target.title],
    ],
  );
  const high = await exceptions(`policy=high&repo=${repo}`);
  assert.deepEqual(fieldOf(high, 'id'), [ofOther]);
  const both = await exceptions(`policy=high,critical&repo=${repo}&status=requested`);
  assert.deepEqual(fieldOf(both, 'id'), [ofOther, ofAll, ofTwo, ofOne]);
  assert.equal((await client.get(`${manage}/exceptions?violation=pvl_0`)).status, 404);
  const unknown = await client.get<{ code: string }>(`${manage}/exceptions?policy=nobody`);
  assert.equal(unknown.body.code, 'INVALID_FILTER_VALUE');
});

test('every mistake of a policy is reported at once, with a message and its path', async () => {
  const wrong = {
    key: 'Not A Key',
    target_type: 'vulnerability',
    enforcement_mode: 'stop',
    colour: 'red',
    config: { snooze: { max_days: 900 } },
    actions: { sla: { window: 'soon' } },
    condition: { all: [{ fact: 'sevrity', operator: '==', value: 'high' }] },
    rules: [{ type: 'repo' }, { type: 'planet', id: 'x' }],
  };
  const expected = {
    colour:
      'Is unknown: a policy has key, name, status, target_type, enforcement_mode, severity, config, condition, actions, rules.',
    key: 'Must be 1 to 64 lower-case letters and digits, with . _ - between them.',
    enforcement_mode: 'Must be one of monitor, warn, block.',
    'config.snooze.max_days': 'Must be <= 90.',
    'actions.sla.window': 'Must be a number of at most four digits and h, d or w, such as 7d.',
    'condition.all[0].fact': 'No fact "sevrity" of a vulnerability: did you mean severity?',
    'rules[1].type': 'Must be one of workspace, org, application, repo.',
  };
  const tried = await client.post<{ code: string; errors: Record<string, string[]> }>(
    `${manage}/policies/dry-run`,
    wrong,
  );
  assert.equal(tried.status, 422);
  assert.equal(tried.body.code, 'VALIDATION_FAILED');
  assert.deepEqual(
    Object.fromEntries(Object.entries(tried.body.errors).map(([place, said]) => [place, said.join(' ')])),
    expected,
  );
  const { key: _, ...body } = wrong;
  const put = await client.put<{ errors: Record<string, string[]> }>(`${manage}/policies/right-key`, body);
  assert.equal(put.status, 422);
  assert.deepEqual(
    Object.keys(put.body.errors).sort(),
    Object.keys(expected)
      .filter((place) => place !== 'key')
      .sort(),
  );
  // The schema alone refuses a body that is no policy, and a key in the body when the path has it.
  assert.equal((await client.post(`${manage}/policies/dry-run`, [] as object)).status, 422);
  const right = { ...body, colour: undefined, enforcement_mode: 'warn', config: {}, actions: {}, rules: [] };
  const condition = { all: [{ fact: 'severity', operator: '==', value: 'high' }] };
  const twice = await client.put<{ errors: Record<string, string[]> }>(`${manage}/policies/right-key`, {
    ...right,
    condition,
    key: 'right-key',
  });
  assert.equal(twice.status, 422);
  assert.deepEqual(Object.keys(twice.body.errors), ['key']);
  assert.equal((await client.get(`${manage}/policies/right-key`)).status, 404);
});

test('a dry run lists its matches only to a key that may read vulnerabilities and violations', async () => {
  const document = {
    key: 'tried',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    condition: { all: [{ fact: 'severity', operator: '==', value: 'critical' }] },
  };
  const { user } = people.admin;
  const dryRun = async (query: string, scopes: KeyScope[]) => {
    const { key } = await createTestKey(server, { userId: user.id, role: 'admin', scopes });
    const answer = await clientOf(server.app, key).post<{ matches: number; items: unknown[] }>(
      `${manage}/policies/dry-run${query}`,
      document,
    );
    return [answer.status, answer.body.items?.length];
  };
  const all: KeyScope[] = ['policies:write', 'policy-violations:read', 'vulnerabilities:read'];
  assert.deepEqual(await dryRun('', ['policies:write']), [200, 0]);
  assert.deepEqual(await dryRun('?matches=1', ['policies:write']), [403, undefined]);
  assert.deepEqual(await dryRun('?matches=1', ['policies:write', 'policy-violations:read']), [
    403,
    undefined,
  ]);
  assert.deepEqual(await dryRun('?matches=1', all), [200, 1]);
  assert.deepEqual(await dryRun('?matches=201', all), [422, undefined]);
});
