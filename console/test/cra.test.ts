/** Tests of the page of CRA notifications: an admin marks a product, records a step, and downloads a document. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { applyInventory } from '../../server/src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { importAll } from '../../server/test/support/import.ts';
import { markKevLoaded } from '../../server/test/support/kev.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, screenshot, startConsole } from './support/console.ts';

const { server, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2031-1001', '2026-01-01', 'v', 'p', 'Injection')`,
);
const found = { id: 'CVE-2031-1001', name: 'struts', version: '1.0.0', fixed: '1.0.1', severity: 'CRITICAL' };
await importAll(server, 'acme', [
  reportInput(trivy([found]), { repository: 'acme/shop', scannedAt: new Date(Date.now() - 30 * 3600_000) }),
]);
await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, { applications: [{ name: 'Storefront', repositories: ['acme/shop'] }] }),
);

test('without the catalogue of exploited vulnerabilities and without a product, the page says so', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/cra' });
  const notLoaded = page
    .getByRole('note')
    .filter({ hasText: 'exploited vulnerabilities (CISA KEV) is not loaded' });
  await notLoaded.getByRole('link', { name: 'How to load it' }).waitFor();
  await page.getByText('No application is marked as a product').waitFor();
  const { rows } = await server.owner.query<{ id: string }>(
    `insert into application (tenant_id, id, name, name_key, is_product)
     values ($1, gen_random_uuid(), 'Empty', 'empty', true) returning id`,
    [tenant.id],
  );
  await page.reload();
  await page.getByText('Not known: the catalogue of exploited vulnerabilities is not loaded').waitFor();
  await assertFitsAndIsAccessible(page, 'cra-not-loaded');
  await markKevLoaded(server);
  await page.reload();
  await page.getByText('No product has a vulnerability that CISA lists as exploited').waitFor();
  assert.equal(await notLoaded.count(), 0);
  await server.owner.query('delete from application where tenant_id = $1 and id = $2', [
    tenant.id,
    rows[0]?.id,
  ]);
});

test('an admin marks a product, sees the due steps, records the early warning, and downloads the document', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/cra' });
  await page.getByText('No application is marked as a product').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'application' }).click();
  await page.getByRole('link', { name: 'Storefront' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('It is a product that we make available').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'CRA notifications' }).click();

  const row = page.getByRole('row', { name: /CVE-2031-1001/ });
  await row.getByText('6 hours overdue').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Application: Storefront' }).waitFor();
  await row.getByText('After a measure').waitFor();
  await assertFitsAndIsAccessible(page, 'cra-notifications');

  await row.getByRole('button', { name: 'Record steps' }).click();
  const dialog = page.getByRole('dialog');
  const sent = dialog.getByLabel('Early warning sent');
  await sent.fill('2099-01-01T10:00');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await dialog.getByText('Must not be in the future').waitFor();
  await assertFitsAndIsAccessible(page, 'cra-record');
  await sent.fill(await dialog.getByLabel('Aware since').inputValue());
  await dialog.getByLabel('Measure available').fill(await sent.inputValue());
  await dialog.getByRole('button', { name: 'Record' }).click();
  await row.getByText(/^Sent/).waitFor();
  await row.getByText('Due in 12 days').waitFor();

  await row.getByRole('button', { name: 'Documents about' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Final report' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'CVE-2031-1001-final_report.html');
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, /Final report on an actively exploited vulnerability: CVE-2031-1001 in Storefront/);
});

test('a viewer sees the clocks, and has no button to record', async () => {
  const page = await open({ userId: people.viewer.user.id, width: 390, path: '/w/acme/cra' });
  await page.getByText('CVE-2031-1001').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Record steps' }).count(), 0);
  await screenshot(page, 'cra');
});
