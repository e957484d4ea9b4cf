/** Tests of the search in lists: `/` focuses it, words narrow the list, and the address keeps them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createWorkspaceKey } from '../../server/src/access/api-keys/service.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { assertFitsInEachLook, setLook } from './support/console.ts';
import { createPolicyWorkspace, slug } from './support/policy-workspace.ts';

const { server, tenant, userIds, violations, visit } = await createPolicyWorkspace();
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

const member = await signInAs(server, userIds.member);
const blocking = await violations({ status: 'open' });
const [first, ...others] = blocking;
const word = /^[a-z]{4,}/i.exec(first?.target.title ?? '')?.[0] ?? '';
const second = others.find(({ target }) => !target.title?.includes(word));
assert.ok(word !== '' && second, blocking.map(({ target }) => target.title).join());
for (const violation of [first, second]) {
  const requested = await member.post<{ items: { id: string }[] }>(`/manage/v1/${slug}/exceptions`, {
    violations: [violation?.id],
    reason: 'Not reachable.',
  });
  const admin = await signInAs(server, userIds.admin);
  await admin.post(`/manage/v1/${slug}/exceptions/${requested.body.items[0]?.id}/review`, {
    decision: 'approve',
  });
}

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
    none: 'No policy matches',
  },
  {
    path: 'members',
    list: 'Members',
    typed: 'otto kestrel',
    found: /Otto Other/,
    none: 'No member matches',
  },
  {
    path: 'keys?kind=workspace',
    list: 'API keys',
    typed: 'nightly',
    found: /nightly scan/,
    none: 'No key matches',
  },
  {
    path: 'violations?status=waived',
    list: 'Violations',
    typed: word,
    found: new RegExp(word),
    none: 'No violation matches',
  },
  {
    path: 'exceptions',
    list: 'Exceptions',
    typed: word,
    found: new RegExp(word),
    none: 'No exception matches',
  },
];

for (const { path, list, typed, found, none } of lists) {
  test(`${list}: “/” goes to the search, words narrow the list, the address keeps them, and the page fits`, async () => {
    const page = await visit('admin', path);
    await page.getByRole('region', { name: list }).getByRole('rowheader').nth(1).waitFor();
    await assertFitsInEachLook(page, `search-${list}`);
    await setLook(page, { width: 1280, colorScheme: 'light' });
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
  await page.getByRole('button', { name: 'Actor' }).waitFor();
  await page.keyboard.press('/');
  assert.equal(await page.evaluate<string>('document.activeElement.textContent'), 'Actor');
});
