/** Tests of the command palette: every object of a workspace can be found and opened by keyboard, from every page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { applyInventory } from '../../server/src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import type { Role } from '../../server/src/http/principal.ts';
import { bom } from '../../server/test/support/boms.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, type Look, looks, setLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const log4j = { id: 'CVE-2021-44228', name: 'log4j-core', version: '2.14.1', severity: 'CRITICAL' };
const nasty = 'acme/<img/src=x/onerror=document.title=1>';
await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    organizations: [{ full_path: 'harbour' }, { full_path: 'harbour/cranes' }],
    repositories: [{ full_name: nasty }],
    applications: [{ name: 'Storefront', description: null, repositories: [] }],
  }),
);
await importAll(server, 'acme', [
  reportInput(trivy([log4j])),
  reportInput(bom([{ purl: 'pkg:npm/lodash@4.17.20' }])),
  reportInput(trivy([log4j, { id: 'CVE-2030-1', name: 'lodash', version: '4.17.20', severity: 'LOW' }]), {
    repository: 'acme/payments-api',
  }),
]);

async function visit(role: Role, path = '', options: Partial<Look> = {}): Promise<Page> {
  const page = await open({ userId: people[role].user.id, ...options, path: `/w/acme${path}` });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' });
const field = (page: Page) => palette(page).getByRole('combobox');
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

/** Opens the first result for the typed text, and returns the number of key presses. */
async function find(page: Page, text: string, presses: string[] = []): Promise<number> {
  await page.keyboard.press('Control+k');
  await palette(page).locator('input:focus').waitFor();
  await page.keyboard.type(text);
  for (const key of [...presses, 'Enter']) await page.keyboard.press(key);
  await palette(page).waitFor({ state: 'detached' });
  return 1 + text.length + presses.length + 1;
}

test('a page, a repository, an organization, an application, a package, an advisory and an action are found by Ctrl-K', async () => {
  const page = await visit('admin');
  const seen: Record<string, number> = {};
  seen.page = await find(page, 'pol');
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
  // Enter comes before the answer of the server, so the palette waits for it.
  seen.repository = await find(page, 'payments');
  await page.getByRole('heading', { level: 1, name: 'acme/payments-api' }).waitFor();
  seen.organization = await find(page, 'cranes');
  await page.getByRole('heading', { level: 1, name: 'Repositories' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('org'), 'harbour/cranes');
  seen.application = await find(page, 'storef');
  await page.getByRole('dialog', { name: 'Storefront' }).waitFor();
  seen.package = await find(page, 'lodash');
  await page.getByRole('heading', { level: 1, name: 'lodash' }).waitFor();
  seen.advisory = await find(page, 'CVE-2021-44228');
  await page.getByRole('heading', { level: 1, name: 'Vulnerabilities' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('q'), 'CVE-2021-44228');
  await page
    .getByRole('link', { name: /log4j-core/ })
    .first()
    .waitFor();
  seen.action = await find(page, 'new api');
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
  assert.deepEqual(seen, {
    page: 5,
    repository: 10,
    organization: 8,
    application: 8,
    package: 8,
    advisory: 16,
    action: 9,
  });
});

test('each pause in typing requests a few rows, and the name of an advisory requests vulnerabilities only', async () => {
  const page = await visit('viewer');
  await page.keyboard.press('Control+k');
  await palette(page).locator('input:focus').waitFor();
  const requests: URL[] = [];
  page.on('request', (request) => requests.push(new URL(request.url())));
  // On a busy machine the keys come with pauses, so the time of the page stands still meanwhile.
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 10_000));
  await page.keyboard.type('payments-api');
  assert.equal(requests.length, 0);
  await page.clock.resume();
  await option(page, 'acme/payments-api').first().waitFor();
  const lists = requests.map(({ pathname }) => pathname.split('/').at(-1));
  assert.deepEqual(lists.sort(), [
    'applications',
    'organizations',
    'packages',
    'repositories',
    'vulnerabilities',
  ]);
  assert.ok(requests.every(({ searchParams }) => searchParams.get('per_page') === '5'));
  requests.length = 0;
  await field(page).fill('cve-2021-44228');
  await option(page, /Critical, acme\/payments-api/).waitFor();
  assert.deepEqual(
    requests.map(({ pathname }) => pathname.split('/').at(-1)),
    ['vulnerabilities'],
  );
  await page.keyboard.press('ArrowDown');
  const active = await field(page).getAttribute('aria-activedescendant');
  assert.equal(
    await option(page, /Critical, acme/)
      .first()
      .getAttribute('id'),
    active,
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(/v=vc_/);
});

test('the palette opens over a panel, and Escape closes only the palette', async () => {
  const page = await visit('viewer', '/applications');
  await page.getByRole('link', { name: 'Storefront' }).click();
  const panel = page.getByRole('dialog', { name: 'Storefront' });
  await panel.waitFor();
  await page.keyboard.press('Control+k');
  await palette(page).locator('input:focus').waitFor();
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  assert.equal(await panel.count(), 1);
});

test('a viewer is not offered actions of higher roles, and hostile names are shown as plain text', async () => {
  const page = await visit('viewer');
  await page.getByRole('button', { name: 'Find anything' }).click();
  await option(page, 'Overview').waitFor();
  for (const name of ['Settings', 'Audit log', 'New policy', 'Upload a report']) {
    assert.equal(await option(page, name).count(), 0, name);
  }
  await field(page).fill('<img');
  await option(page, nasty).waitFor();
  assert.notEqual(await page.title(), '1');
  await field(page).fill('zzzz');
  await palette(page).getByRole('status').getByText('1 found').waitFor();
});

test('colours, workspaces and the sign-out are actions, also outside a workspace', async () => {
  const page = await visit('admin');
  await page.goto(`${url}/account`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await find(page, 'dark');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await find(page, 'switch');
  await page.waitForURL(/\/w\/acme/);
  // The account page stays visible until the page of the workspace is loaded.
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await find(page, 'sign out');
  await page.waitForURL(/\/sign-in/);
});

test('the palette is accessible and fits, light and dark, wide and narrow', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const look of looks) {
    await setLook(page, look);
    await page.getByRole('button', { name: 'Find anything' }).click();
    await option(page, 'Overview').waitFor();
    await assertFitsAndIsAccessible(page, 'palette');
    await field(page).fill('log4j');
    await option(page, /log4j-core/)
      .first()
      .waitFor();
    await assertFitsAndIsAccessible(page, 'palette-found');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
  }
});
