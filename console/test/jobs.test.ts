/**
 * Tests of the jobs of a Monday morning on the vulnerability list, from the overview, each within a fixed number of
 * clicks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { clientOf, succeeded } from '../../server/test/support/client.ts';
import { createDemoWorkspace } from '../../server/test/support/demo-workspace.ts';
import { assertFitsAndIsAccessible, screenshot, startConsole } from './support/console.ts';

const { server, open } = await startConsole();
const demo = await createDemoWorkspace(server, 'kestrel', ({ repository }) =>
  repository.endsWith('dispatch-service'),
);
const client = clientOf(server.app, demo.people.admin.key);

interface Item {
  id: string;
  title: string;
  status: string;
  resolution: string | null;
}

async function listed(query: string): Promise<{ items: Item[]; summary: { total: number } }> {
  const path = `/api/v1/kestrel/vulnerabilities?${query}`;
  return succeeded(await client.get<{ items: Item[]; summary: { total: number } }>(path));
}

/** A person at the overview, with a counter of clicks. */
async function start(role: 'admin' | 'member'): Promise<{
  page: Page;
  click: (target: Locator, options?: { modifiers: ['Shift'] }) => Promise<void>;
  clicks: () => number;
}> {
  const page = await open({ userId: demo.people[role].user.id, path: '/w/kestrel' });
  let clicks = 0;
  const click = async (target: Locator, options = {}) => {
    await target.click(options);
    clicks++;
  };
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return { page, click, clicks: () => clicks };
}

const list = (page: Page) => page.getByRole('region', { name: 'Vulnerabilities' }).getByRole('table');
const total = (page: Page, count: number) =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${count} vulnerabilit`) })
    .waitFor();
const toList = (page: Page) => page.getByRole('link', { name: 'Vulnerabilities', exact: true });
const boxes = (page: Page) => list(page).getByRole('rowgroup').last().getByRole('checkbox');

test('finding the new vulnerabilities since Friday takes four clicks', async () => {
  await server.owner.query(
    `update vulnerability set introduced_at = now() - interval '1 hour'
      where id in (select id from vulnerability order by id limit 3)`,
  );
  await server.owner.query(
    `update vulnerability_reference r set introduced_at = v.introduced_at from vulnerability v where v.id = r.vulnerability_id`,
  );
  const { page, click, clicks } = await start('member');
  await click(toList(page));
  await click(page.getByRole('button', { name: 'Filter', exact: true }));
  await click(page.getByRole('menuitem', { name: 'New since' }));
  await click(page.getByRole('dialog', { name: 'New since' }).getByLabel('Friday'));
  await page.waitForURL('**/*introduced_since=*');
  const since = new URL(page.url()).searchParams.get('introduced_since') ?? '';
  assert.equal(new Date(since).getUTCDay(), 5);
  await total(page, (await listed(`scope=tracked&state=open&introduced_since=${since}`)).summary.total);
  await screenshot(page, 'job-new-since-friday');
  assert.equal(clicks(), 4);
});

test('finding out whether a CVE affects the workspace, and on which branch, takes one click and a search', async () => {
  const { page, click, clicks } = await start('member');
  await click(toList(page));
  await list(page).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('CVE-2021-44228');
  await total(page, 1);
  await list(page).getByText('Open on release/4.2').waitFor();
  await list(page)
    .getByRole('link', { name: /^log4j-core 2\.14\.1 fixed in 2\.15\.0/ })
    .waitFor();
  await screenshot(page, 'job-affected');
  assert.equal(clicks(), 1);
});

test('ten vulnerabilities are assigned in four clicks, the first and the last with Shift', async () => {
  const { page, click, clicks } = await start('member');
  await click(toList(page));
  await boxes(page).nth(9).waitFor();
  await click(boxes(page).first());
  await click(boxes(page).nth(9), { modifiers: ['Shift'] });
  await click(page.getByRole('button', { name: 'Assign', exact: true }));
  const dialog = page.getByRole('dialog', { name: 'Assign 10 vulnerabilities' });
  await dialog.getByRole('combobox', { name: 'Assign to' }).fill('admin');
  await dialog.getByRole('option', { name: 'admin of kestrel' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('10 vulnerabilities assigned to admin of kestrel.').waitFor();
  assert.equal((await listed(`assignee=${demo.people.admin.user.email}`)).summary.total, 10);
  assert.equal(clicks(), 4);
});

test('five vulnerabilities are rejected in six clicks, and one more undoes it', async () => {
  const before = (await listed('state=rejected')).summary.total;
  const { page, click, clicks } = await start('admin');
  await click(toList(page));
  await boxes(page).nth(4).waitFor();
  await click(boxes(page).first());
  await click(boxes(page).nth(4), { modifiers: ['Shift'] });
  await click(page.getByRole('button', { name: 'Triage' }));
  await click(page.getByRole('menuitem', { name: 'Reject' }));
  const dialog = page.getByRole('dialog', { name: 'Triage 5 vulnerabilities' });
  await dialog.getByLabel('Reason').fill('The scanner is wrong here.');
  await click(dialog.getByRole('button', { name: 'Reject' }));
  await page.getByText('5 vulnerabilities rejected.').waitFor();
  assert.equal((await listed('state=rejected')).summary.total, before + 5);
  assert.equal(clicks(), 6);
  await click(page.getByRole('button', { name: 'Undo' }));
  await page.getByText('Undone.').waitFor();
  assert.equal((await listed('state=rejected')).summary.total, before);
});

test('the upgrade that fixes most is found in three clicks, and one more shows what it fixes', async () => {
  const { page, click, clicks } = await start('member');
  await click(toList(page));
  await click(page.getByRole('combobox', { name: 'Groups' }));
  await click(page.getByRole('option', { name: 'By package' }));
  const groups = page.getByRole('region', { name: 'Vulnerabilities by package' });
  const row = groups.getByRole('row').filter({ hasText: 'org.apache.tomcat.embed/tomcat-embed-core' });
  await row.getByText('To 9.0.99 clears all 4').waitFor();
  await assertFitsAndIsAccessible(page, 'job-group-upgrade');
  assert.equal(clicks(), 3);
  await click(row.getByRole('link'));
  await total(page, 4);
});

test('all results of a filter are selected, decided and undone at once', async () => {
  const { summary } = await listed('scope=tracked&state=open');
  assert.ok(summary.total > 50);
  const { page, click } = await start('admin');
  await click(toList(page));
  await boxes(page).first().waitFor();
  await click(boxes(page).first());
  await click(page.getByRole('button', { name: `Select all ${summary.total}` }));
  await page
    .getByRole('status')
    .filter({ hasText: `${summary.total} selected` })
    .waitFor();
  await screenshot(page, 'list-all-selected');
  await click(page.getByRole('button', { name: 'Triage' }));
  await click(page.getByRole('menuitem', { name: 'Confirm' }));
  const dialog = page.getByRole('dialog', { name: `Triage ${summary.total} vulnerabilities` });
  await click(dialog.getByRole('button', { name: 'Confirm' }));
  await page.getByText(/vulnerabilities confirmed\./).waitFor();
  assert.equal((await listed('scope=tracked&state=open&confirmed=no')).summary.total, 0);
  await click(page.getByRole('button', { name: 'Undo' }));
  await page.getByText('Undone.').waitFor();
  assert.ok((await listed('scope=tracked&state=open&confirmed=no')).summary.total > 0);
});
