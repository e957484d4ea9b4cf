/** Tests of data that could not be read: pages say so, offer a way on, and refuse decisions about unknown versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsInEachLook, startConsole } from './support/console.ts';
import { results } from './support/scan-workspaces.ts';

const { server, url, open } = await startConsole();
const { people } = await createTestWorkspace(server, 'acme');
await importAll(server, 'acme', [reportInput(trivy(results(0, 3)), { repository: 'acme/shop' })]);

const refuse = (route: Route) =>
  route.fulfill({
    status: 429,
    contentType: 'application/json',
    body: '{"code": "RATE_LIMIT_EXCEEDED", "message": "Too many requests."}',
  });
const row = (page: Page) => page.getByRole('row').filter({ hasText: 'lib-1: CVE-2030-1001' });

test('a list that could not be read again says as of when it is, and is read again by a button', async () => {
  const page = await open({ userId: people.viewer.user.id });
  await page.clock.install();
  await page.goto(`${url}/w/acme/vulnerabilities`);
  await row(page).waitFor();
  await page.route('**/vulnerabilities?*', refuse);
  await page.clock.fastForward(6_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  const line = page
    .getByRole('status')
    .filter({ hasText: 'Not up to date, because the vulnerabilities could not be read again.' });
  await line.getByText('Too many requests at once.', { exact: false }).waitFor();
  await line.getByRole('time').waitFor();
  await row(page).waitFor();
  await assertFitsInEachLook(page, 'read-failure-old-data');
  await page.unroute('**/vulnerabilities?*');
  await line.getByRole('button', { name: 'Try again' }).click();
  await line.waitFor({ state: 'detached' });
  await row(page).waitFor();
});

test('a link with a cursor that the server refuses leads to the first page', async () => {
  const page = await open({ userId: people.viewer.user.id, path: '/w/acme/vulnerabilities?cursor=abc' });
  await page.getByText('The cursor does not belong to this list', { exact: false }).waitFor();
  await assertFitsInEachLook(page, 'read-failure-cursor');
  await page.getByRole('button', { name: 'First page' }).click();
  await row(page).waitFor();
  assert.equal(new URL(page.url()).searchParams.has('cursor'), false);
});

test('rows whose signals could not be read cannot be triaged or assigned until they are read', async () => {
  const page = await open({ userId: people.member.user.id });
  await page.route('**/signals?*', refuse);
  await page.goto(`${url}/w/acme/vulnerabilities`);
  const line = page.getByRole('status').filter({ hasText: 'The signals and due dates could not be read.' });
  await line.waitFor();
  await row(page).getByText('Unknown').first().waitFor();
  await row(page).getByRole('checkbox').check();
  const bar = page.getByRole('group', { name: 'Selected vulnerabilities' });
  const buttons = ['Triage', 'Assign'].map((name) => bar.getByRole('button', { name }));
  for (const button of buttons) assert.equal(await button.isDisabled(), true);
  await row(page).getByRole('rowheader').getByRole('link').focus();
  for (const key of ['t', 'a']) await page.keyboard.press(key);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await assertFitsInEachLook(page, 'read-failure-signals');
  await page.unroute('**/signals?*');
  await line.getByRole('button', { name: 'Try again' }).click();
  await line.waitFor({ state: 'detached' });
  for (const button of buttons) await button.click({ trial: true });
  await row(page).getByRole('rowheader').getByRole('link').focus();
  await page.keyboard.press('t');
  await page.getByRole('dialog').waitFor();
});
