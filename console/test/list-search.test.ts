/** The search of the lists that are loaded whole: `/` goes to it, and the address keeps it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createWorkspaceKey } from '../../server/src/access/api-keys/service.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { assertAccessible, screenshot } from './support/console.ts';
import { createPolicyWorkspace } from './support/policy-workspace.ts';

const { server, tenant, visit } = await createPolicyWorkspace();
for (const name of ['nightly scan', 'release gate']) {
  await tenantTx(server.db, tenant.id, (tx) =>
    createWorkspaceKey(tx, {
      name,
      scopes: ['scans:read'],
      expires: '90d',
      createdBy: null,
      tenantId: tenant.id,
      role: 'viewer',
    }),
  );
}

const names = (page: Page, list: string) =>
  page.getByRole('region', { name: list }).getByRole('rowheader').allInnerTexts();

interface ListCase {
  path: string;
  list: string;
  typed: string;
  found: RegExp;
  none: string;
}
const lists: ListCase[] = [
  {
    path: 'policies',
    list: 'Policies',
    typed: 'EXPLOIT block',
    found: /Critical and exploitable/,
    none: 'No policy is like that',
  },
  {
    path: 'members',
    list: 'Members',
    typed: 'otto kestrel',
    found: /Otto Other/,
    none: 'No member is like that',
  },
  {
    path: 'keys?kind=workspace',
    list: 'API keys',
    typed: 'nightly',
    found: /nightly scan/,
    none: 'No key is like that',
  },
];

for (const { path, list, typed, found, none } of lists) {
  test(`${list}: “/” goes to the search, words narrow the list, and the address keeps them`, async () => {
    const page = await visit('admin', path);
    await page.getByRole('region', { name: list }).getByRole('rowheader').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(typed);
    await page
      .getByRole('region', { name: list })
      .getByRole('rowheader')
      .nth(1)
      .waitFor({ state: 'detached' });
    const [only, ...others] = await names(page, list);
    assert.match(only ?? '', found);
    assert.deepEqual(others, []);
    assert.equal(new URL(page.url()).searchParams.get('q'), typed);
    await page.reload();
    await page.getByRole('region', { name: list }).getByRole('rowheader').waitFor();
    assert.deepEqual(await names(page, list), [only]);
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText(none).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('region', { name: list }).getByRole('rowheader').nth(1).waitFor();
  });
}

test('“/” goes to the filters of a list that has no search', async () => {
  const page = await visit('admin', 'audit');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Who' }).waitFor();
  await page.keyboard.press('/');
  assert.equal(await page.evaluate<string>('document.activeElement.textContent'), 'Who');
});

test('the lists fit with their search in light, in dark and on a phone', async () => {
  for (const { path, list } of lists) {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1280, 'dark'],
      [390, 'light'],
    ] as const) {
      const page = await visit('admin', path, { width, colorScheme });
      await page.getByRole('region', { name: list }).getByRole('rowheader').first().waitFor();
      await assertAccessible(page);
      await screenshot(page, `search-${list}-${width}-${colorScheme}`);
    }
  }
});
