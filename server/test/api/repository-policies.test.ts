/**
 * Tests of the policies that apply to a repository and of their violations, compared with the rules and with the lists.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { clientOf, queryOf, type Schemas, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

type Item = Schemas['RepositoryPolicy'];

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const viewer = clientOf(server.app, people.viewer.key);
const admin = clientOf(server.app, people.admin.key);

await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(
    tx,
    parseInventory(`
organizations:
  - {full_path: acme}
  - {full_path: acme/team, parent: acme}
repositories:
  - {full_name: acme/shop}
  - {full_name: acme/team/api}
  - {full_name: acme/quiet}
applications:
  - {name: Storefront, repositories: [acme/shop]}
  - {name: Back office, repositories: [acme/shop, acme/team/api]}
`),
  ),
);
const found = (count: number, severity: string) =>
  Array.from({ length: count }, (_, i) => ({
    id: `CVE-2030-${severity.length}00${i}`,
    name: `${severity.toLowerCase()}-${i}`,
    version: '1.0.0',
    severity,
  }));
await importAll(server, 'acme', [
  reportInput(trivy([...found(3, 'CRITICAL'), ...found(2, 'HIGH')]), { repository: 'acme/shop' }),
  reportInput(trivy([...found(1, 'CRITICAL'), ...found(4, 'HIGH')]), { repository: 'acme/team/api' }),
]);
const policy = (key: string, severity: string, rest: string): string => `
  - key: ${key}
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: ${severity}}]}
${rest.replaceAll(/^/gm, '    ')}`;
await applyAndEvaluate(
  server,
  tenant.id,
  `policies:${[
    policy('anywhere', 'critical', 'name: Critical ones'),
    policy(
      'by-application',
      'high',
      `rules:
  - {type: application, id: Storefront, enforcement_mode: monitor}
  - {type: application, id: Back office, enforcement_mode: block}`,
    ),
    policy('by-organization', 'critical', 'rules: [{type: org, id: acme, enforcement_mode: block}]'),
    policy(
      'by-team',
      'critical',
      'rules: [{type: org, id: acme}, {type: org, id: acme/team, action: exclude}]',
    ),
    policy('draft', 'critical', 'status: draft'),
    policy('not-in-shop', 'high', 'rules: [{type: repo, id: acme/shop, action: exclude}]'),
    policy('only-api', 'high', 'rules: [{type: repo, id: acme/team/api}]'),
  ].join('')}
`,
);

async function read(repo: string): Promise<Item[]> {
  const body = succeeded(
    await viewer.get<{ items: Item[] }>(`/manage/v1/acme/repository-policies${queryOf({ repo })}`),
  );
  return body.items;
}

const shown = (items: Item[]) =>
  items.map(({ policy: { key }, enforcement_mode, rule, unresolved, blocking }) => [
    key,
    enforcement_mode,
    rule && `${rule.type} ${rule.name}`,
    unresolved,
    blocking,
  ]);

test('the nearest rule decides whether and with which mode a policy applies', async () => {
  assert.deepEqual(shown(await read('acme/shop')), [
    ['anywhere', 'warn', null, 3, 0],
    ['by-application', 'block', 'application Back office', 2, 2],
    ['by-organization', 'block', 'org acme', 3, 3],
    ['by-team', 'warn', 'org acme', 3, 0],
  ]);
  assert.deepEqual(shown(await read('acme/team/api')), [
    ['anywhere', 'warn', null, 1, 0],
    ['by-application', 'block', 'application Back office', 4, 4],
    ['by-organization', 'block', 'org acme', 1, 1],
    ['not-in-shop', 'warn', null, 4, 0],
    ['only-api', 'warn', 'repo acme/team/api', 4, 0],
  ]);
  assert.deepEqual(shown(await read('acme/quiet')), [
    ['anywhere', 'warn', null, 0, 0],
    ['by-organization', 'block', 'org acme', 0, 0],
    ['by-team', 'warn', 'org acme', 0, 0],
    ['not-in-shop', 'warn', null, 0, 0],
  ]);
  const [first] = await read('acme/shop');
  assert.deepEqual([first?.policy.name, first?.target_type], ['Critical ones', 'vulnerability']);
  const { body } = await viewer.get<{ id: string }>('/api/v1/acme/repositories/acme/shop');
  assert.deepEqual(await read(body.id), await read('acme/shop'));
});

test('every number is that of the list behind it, whatever people decide', async () => {
  const ofShop = async (query: Record<string, string>) =>
    (
      await viewer.get<{ summary: { total: number }; items: { id: string }[] }>(
        `/api/v1/acme/policy-violations/all${queryOf({ repo: 'acme/shop', ...query })}`,
      )
    ).body;
  const unresolvedStatuses = 'open,pending_review';
  const someOf = async (key: string) => (await ofShop({ policy: key })).items.map(({ id }) => ({ id }));
  const snoozed = await admin.post('/manage/v1/acme/policy-violations/decisions', {
    action: 'snooze',
    reason: 'next week',
    until: new Date(Date.now() + 5 * 24 * 3600_000).toISOString(),
    violations: (await someOf('by-organization')).slice(0, 1),
  });
  assert.equal(snoozed.status, 200, snoozed.text);
  const requested = await clientOf(server.app, people.member.key).post<{ items: { id: string }[] }>(
    '/manage/v1/acme/exceptions',
    { violations: (await someOf('by-application')).slice(0, 1).map(({ id }) => id), reason: 'known' },
  );
  const approved = await admin.post(`/manage/v1/acme/exceptions/${requested.body.items[0]?.id}/review`, {
    decision: 'approve',
  });
  assert.equal(approved.status, 200, approved.text);
  const items = await read('acme/shop');
  for (const item of items) {
    const { key } = item.policy;
    const numbers = {
      unresolved: (await ofShop({ policy: key, status: unresolvedStatuses })).summary.total,
      blocking: (await ofShop({ policy: key, blocking: 'yes' })).summary.total,
      snoozed: (await ofShop({ policy: key, status: unresolvedStatuses, snoozed: 'yes' })).summary.total,
      waived: (await ofShop({ policy: key, status: 'waived' })).summary.total,
    };
    const { unresolved, blocking, snoozed: asleep, waived } = item;
    assert.deepEqual({ unresolved, blocking, snoozed: asleep, waived }, numbers, key);
  }
  const sum = (of: (item: Item) => number): number => items.reduce((total, item) => total + of(item), 0);
  assert.deepEqual([sum((item) => item.snoozed), sum((item) => item.waived)], [1, 1]);
});

test('parents of organizations, sizes and owners of applications are shown in the requested order', async () => {
  const list = async <T>(path: string) =>
    (await viewer.get<{ items: T[] }>(`/api/v1/acme${path}`)).body.items;
  const organizations = await list<{ id: string; full_path: string }>('/organizations');
  const idOf = (path: string) => organizations.find(({ full_path }) => full_path === path)?.id ?? '';
  const ids = [
    'nonsense',
    idOf('acme/team'),
    'org_00000000000000000000000000',
    idOf('acme'),
    idOf('acme/team'),
  ];
  assert.deepEqual(await list(`/organization-parents?ids=${ids}`), [
    { id: idOf('acme/team'), parent: { id: idOf('acme'), name: 'acme', full_path: 'acme' } },
    { id: idOf('acme'), parent: null },
  ]);
  const applications = (await list<{ id: string; name: string }>('/applications')).reverse();
  const counts = await list<{ id: string; repositories: number; owner: null }>(
    `/application-counts?ids=${[...applications.map(({ id }) => id), 'app_00000000000000000000000000']}`,
  );
  assert.deepEqual(
    counts,
    applications.map(({ id, name }) => ({ id, repositories: name === 'Storefront' ? 1 : 2, owner: null })),
  );
  for (const path of ['/organization-parents', '/application-counts']) {
    assert.equal((await viewer.get(`/api/v1/acme${path}`)).status, 422, path);
  }
});
