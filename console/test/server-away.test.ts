/** Tests of a server that goes down and comes back: the console waits for it by itself, and keeps the typed text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { assertFitsInEachLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const acme = await createTestWorkspace(server, 'acme');
const { admin } = acme.people;

// Requests of the API and of readiness, answered like by a proxy whose server is down.
const toServer = /\/(?:console|manage|api|readyz)(?:\/|$|\?)/;

async function takeAway(
  page: Page,
  addresses: RegExp = toServer,
): Promise<{ tries: number[]; bringBack: () => Promise<void> }> {
  const tries: number[] = [];
  await page.route(addresses, (route) => {
    if (route.request().url().endsWith('/readyz')) tries.push(Date.now());
    return route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' });
  });
  return { tries, bringBack: () => page.unroute(addresses) };
}

const bar = (page: Page) =>
  page.getByText('The server is not available. What you have typed stays', { exact: false });

test('a form keeps its values while the server cannot be reached, and is sent once it is back', async () => {
  const page = await open({ userId: admin.user.id, path: '/w/acme/settings' });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Acme after the storm');
  const { tries, bringBack } = await takeAway(page);
  await page.getByRole('button', { name: 'Rename' }).click();
  await bar(page).waitFor();
  await assertFitsInEachLook(page, 'server-away-bar');
  // The pauses between attempts grow.
  await until(() => tries.length >= 4, 'four attempts');
  const [first = 0, second = 0, third = 0, fourth = 0] = tries;
  assert.ok(second - first >= 700 && third - second >= 1_700 && fourth - third >= 3_700, tries.join());
  await bringBack();
  await page.getByRole('button', { name: 'Try now' }).click();
  await bar(page).waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), 'Acme after the storm');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('The workspace is now called Acme after the storm.').waitFor();
});

test('a page that could not load opens by itself when the server is back', async () => {
  const page = await open({ userId: admin.user.id });
  const { bringBack } = await takeAway(page);
  await page.goto(`${url}/w/acme/members`);
  await page.getByRole('heading', { level: 1, name: 'The server is not available' }).waitFor();
  assert.equal(await bar(page).count(), 0, 'it is said once');
  await assertFitsInEachLook(page, 'server-away-page');
  await bringBack();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await page.getByText(admin.user.email).first().waitFor();
});

test('a link to a page whose code cannot be loaded waits in the console until the server is back', async () => {
  const page = await open({ userId: admin.user.id, path: '/w/acme/settings' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  await page.evaluate('window.isSame = true');
  const { bringBack } = await takeAway(page, /./);
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click();
  await bar(page).waitFor();
  await bringBack();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await page.getByText(admin.user.email).first().waitFor();
  assert.equal(await page.evaluate('window.isSame'), true, 'the console was not loaded anew');
});

test('a server that fails only one request is not shown as unreachable', async () => {
  const page = await open({ userId: admin.user.id });
  await page.route('**/manage/v1/acme/members*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"code": "SERVICE_UNAVAILABLE"}' }),
  );
  await page.goto(`${url}/w/acme/members`);
  await page.getByText('The server could not answer').waitFor();
  assert.equal(await bar(page).count(), 0);
});

test('a page that failed in an unnoticed outage opens by itself, and one that still fails is requested rarely', async () => {
  const page = await open({ userId: admin.user.id });
  const requestTimes: number[] = [];
  await page.route('**/console/session', (route) => {
    requestTimes.push(Date.now());
    return route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' });
  });
  await page.goto(`${url}/w/acme/members`);
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
  const before = requestTimes.length;
  await page.waitForTimeout(6_000);
  assert.ok(
    requestTimes.length > before && requestTimes.length <= before + 9,
    `${before}, then ${requestTimes.length}`,
  );
  await page.unroute('**/console/session');
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await page.getByText(admin.user.email).first().waitFor();
});
