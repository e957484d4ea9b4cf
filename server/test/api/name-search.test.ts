/**
 * Tests of the search for repositories, organizations and applications by the beginning of their names, or of a part of
 * them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { clientOf, queryOf, walk } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

interface Item {
  id: string;
  name: string;
  full_name?: string;
  full_path?: string;
}

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const client = clientOf(server.app, people.viewer.key);
const inventory = {
  organizations: [],
  repositories: [
    { full_name: 'acme/web-shop', source: 'ghc' as const },
    { full_name: 'acme/shop' },
    { full_name: 'acme/shopping.api', source: 'gitlab' as const },
    { full_name: 'shop/tools' },
    { full_name: 'acme/Ünïcode' },
    { full_name: 'acme/fifty%_off' },
  ],
  applications: [
    { name: 'Web Shop', description: null, repositories: ['acme/shop'] },
    { name: 'Payments', description: null, repositories: [] },
  ],
};
const admin = await signInAs(server, people.admin.user.id);
for (const id of [tenant.id, other.tenant.id]) {
  await tenantTx(server.db, id, (tx) => applyInventory(tx, inventory));
}

const namesIn = async (
  list: string,
  query: Record<string, string | number>,
  via = client,
): Promise<string[]> => {
  const pages = await walk<Item>(via, `/api/v1/acme/${list}`, query);
  return pages.map(({ full_name, full_path, name }) => full_name ?? full_path ?? name);
};

test('a search finds a name from each of its parts on, an exact part first, whatever the case', async () => {
  const found = await namesIn('repositories', { q: 'SHOP' });
  assert.deepEqual(found.slice(0, 2).sort(), ['acme/shop', 'acme/web-shop']);
  assert.deepEqual(found.slice(2), ['shop/tools', 'acme/shopping.api']);
  assert.deepEqual(await namesIn('repositories', { q: 'acme/shop' }), ['acme/shop', 'acme/shopping.api']);
  assert.deepEqual(await namesIn('repositories', { q: 'ünï' }), ['acme/Ünïcode']);
  assert.deepEqual(await namesIn('repositories', { q: 'fifty%_' }), ['acme/fifty%_off']);
  assert.deepEqual(await namesIn('repositories', { q: '%' }), []);
  assert.deepEqual(await namesIn('organizations', { q: 'sh' }), ['shop']);
  assert.deepEqual(await namesIn('applications', { q: 'shop' }), ['Web Shop']);
  assert.deepEqual(await namesIn('applications', { q: 'web sh' }), ['Web Shop']);
});

test('a search narrows by organization and source, and pages in its own order', async () => {
  assert.deepEqual(await namesIn('repositories', { q: 'shop', org: 'acme', source: 'ghc,gitlab' }), [
    'acme/web-shop',
    'acme/shopping.api',
  ]);
  assert.deepEqual(
    await namesIn('repositories', { q: 'shop', per_page: 1 }),
    await namesIn('repositories', { q: 'shop' }),
  );
  const first = await client.get<{ next_cursor: string }>('/api/v1/acme/repositories?q=shop&per_page=1');
  const changed = await client.get(
    `/api/v1/acme/repositories${queryOf({ q: 'web', per_page: 1, cursor: first.body.next_cursor })}`,
  );
  assert.equal(changed.status, 422);
});

test('a page after a row that is renamed or deleted has the rows after its earlier name', async () => {
  const long = '文'.repeat(60);
  const names = ['Desk a', 'Desk b', 'Desk c', `Desk ${long}`, `Desk ${long}文`];
  for (const name of names) await admin.post('/manage/v1/acme/applications', { name });
  const path = '/api/v1/acme/applications?q=desk&per_page=1';
  type Page = { items: Item[]; next_cursor: string | null };
  const pageAfter = async ({ next_cursor: cursor }: Page): Promise<Page> =>
    (await client.get<Page>(`${path}&cursor=${cursor}`)).body;
  const { body: first } = await client.get<Page>(path);
  await admin.patch(`/manage/v1/acme/applications/${first.items[0]?.id}`, { name: 'Desk z' });
  const second = await pageAfter(first);
  await admin.delete(`/manage/v1/acme/applications/${second.items[0]?.id}`);
  const third = await pageAfter(second);
  assert.deepEqual(
    [first, second, third].flatMap(({ items }) => items.map(({ name }) => name)),
    ['Desk a', 'Desk b', 'Desk c'],
  );
  assert.deepEqual(await namesIn('applications', { q: 'desk', per_page: 1 }), [
    'Desk c',
    'Desk z',
    ...names.slice(3),
  ]);
});

test('a renamed or deleted application is found by its present name alone', async () => {
  const [{ id = '' } = {}] = (await client.get<{ items: Item[] }>('/api/v1/acme/applications?q=payments'))
    .body.items;
  await admin.patch(`/manage/v1/acme/applications/${id}`, { name: 'Money' });
  assert.deepEqual(await namesIn('applications', { q: 'payments' }), []);
  assert.deepEqual(await namesIn('applications', { q: 'mon' }), ['Money']);
  await admin.delete(`/manage/v1/acme/applications/${id}`);
  assert.deepEqual(await namesIn('applications', { q: 'mon' }), []);
  const left = await tenantTx(server.db, tenant.id, (tx) =>
    tx.query(`select 1 from name_term where tenant_id = $1 and term = 'money'`, [tx.tenantId]),
  );
  assert.deepEqual(left, []);
});
