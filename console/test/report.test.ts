/**
 * Tests of the job "report to the boss": from the overview to a printed page, in few clicks, with the numbers of the
 * API.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { clientOf, type Schemas } from '../../server/test/support/client.ts';
import { fieldOf } from '../../server/test/support/fields.ts';
import { importAll } from '../../server/test/support/import.ts';
import { markKevLoaded } from '../../server/test/support/kev.ts';
import { applyAndEvaluate, policyOf } from '../../server/test/support/policies.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, assertFitsInEachLook, startConsole } from './support/console.ts';

type Report = Schemas['StatusReport'];

const dayMs = 24 * 3600_000;
const hostile =
  '<img src=x onerror=alert(1)> & a title that is long enough to need a \u202Eenil second line on paper';
const found = (n: number, severity: string) => ({
  id: `CVE-2030-${1000 + n}`,
  name: `library-${n}`,
  version: '1.0.0',
  severity,
});
const report = (days: number, packages: ReturnType<typeof found>[], repository: string) =>
  reportInput(JSON.stringify(trivy(packages)).replace('library-1: CVE-2030-1001', hostile), {
    repository,
    scannedAt: new Date(Date.now() - days * dayMs),
  });

const { server, url, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2030-1001', '2026-01-01', 'v', 'p', 'n')`,
);
await applyAndEvaluate(
  server,
  tenant.id,
  policyOf('any', "{fact: type, operator: '==', value: dependency}", { window: '12d' }),
);
await importAll(server, 'acme', [
  report(45, [found(1, 'CRITICAL'), found(2, 'HIGH'), found(3, 'LOW')], 'acme/shop'),
  report(40, [found(1, 'CRITICAL'), found(2, 'HIGH')], 'acme/shop'),
  report(20, [found(1, 'CRITICAL')], 'acme/shop'),
  report(3, [found(4, 'MEDIUM'), found(5, 'HIGH')], 'other/api'),
]);
const { body } = await clientOf(server.app, people.viewer.key).get<Report>('/api/v1/acme/status-report');

async function clicked(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name, exact: true }).click();
}

test('two clicks lead from the overview to the print dialog', async () => {
  const page = await open({ userId: people.viewer.user.id });
  await page.addInitScript('window.print = () => { window.printed = true; }');
  await page.goto(`${url}/w/acme`);
  await clicked(page, 'Report');
  await page.getByRole('heading', { level: 1, name: 'Security report: Workspace acme' }).waitFor();
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  assert.equal(await page.evaluate('window.printed'), true);
});

test('the report shows the numbers of the API, and a part leads to its own report', async () => {
  const page = await open({ userId: people.viewer.user.id, path: '/w/acme/report' });
  const figures = page.getByRole('region', { name: 'Key figures' });
  await figures.waitFor();
  const text = await figures.innerText();
  assert.ok(text.includes(`${body.sla.percent} %`) && body.sla.resolved === 2 && body.sla.kept === 1, text);
  assert.match(text, new RegExp(`Open vulnerabilities\\s+${body.open.total}\\b`));
  assert.match(text, new RegExp(`Overdue violations\\s+${body.violations.overdue}\\b`));
  const weeks = await page.getByRole('region', { name: 'Trend by week' }).getByRole('row').allInnerTexts();
  assert.deepEqual(
    weeks.slice(1).map((row) => row.trim().split(/\s+/)),
    body.weeks.map((week) => [week.from, 'to', week.to, `${week.new}`, `${week.fixed}`, `${week.open}`]),
  );
  await page.getByRole('region', { name: 'Top risks' }).getByText('<img src=x onerror=alert(1)>').waitFor();
  await page.getByRole('region', { name: 'Top risks' }).getByText('[U+202E]enil').waitFor();
  const parts = page.getByRole('region', { name: 'By organization' });
  assert.deepEqual(
    (await parts.getByRole('rowheader').allInnerTexts()).map((name) => name.trim()),
    fieldOf(body.parts, 'name'),
  );
  await parts.getByRole('link', { name: 'other' }).click();
  await page.getByRole('heading', { level: 1, name: 'Security report: other' }).waitFor();
  assert.match(await figures.innerText(), /Open vulnerabilities\s+2\b/);
  await figures.getByText('the KEV catalogue is not loaded').waitFor();
  await page.getByText('The KEV catalogue is not loaded, and nothing that is open is verified').waitFor();
  await markKevLoaded(server);
  await page.reload();
  await page.getByText('Nothing that is open is known to be exploitable.').waitFor();
});

test('the parts of the workspace change together with their heading', async () => {
  const page = await open({ userId: people.viewer.user.id, path: '/w/acme/report' });
  await page.getByRole('region', { name: 'By organization' }).waitFor();
  const answer = Promise.withResolvers<void>();
  await page.route('**/status-report?by=application', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByText('By application').click();
  const parts = page.getByRole('region', { name: 'By application' });
  await page.getByRole('region', { name: 'By organization' }).waitFor({ state: 'detached' });
  assert.equal(await parts.count(), 0);
  answer.resolve();
  await parts.getByText('No application has open vulnerabilities.').waitFor();
});

test('on paper there is no navigation and no button, and it is light where the screen is dark', async () => {
  const page = await open({ userId: people.viewer.user.id, colorScheme: 'dark', path: '/w/acme/report' });
  await page.getByRole('region', { name: 'Top risks' }).waitFor();
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('navigation', { name: 'Workspace' }),
    page.getByRole('button', { name: 'Print or save as PDF' }),
  ]) {
    assert.equal(await hidden.isVisible(), false);
  }
  const colors = await page.evaluate<string[]>(
    "['.report .section', '.report h1'].map((at) => getComputedStyle(document.querySelector(at))).flatMap((s) => [s.backgroundColor, s.color])",
  );
  assert.equal(colors[0], 'rgb(255, 255, 255)', colors.join());
  assert.equal(colors[3], 'rgb(26, 26, 26)', colors.join());
  await assertFitsAndIsAccessible(page, 'report-print');
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.ok(pdf.length > 10_000);
  if (process.env.TEST_SCREENSHOTS) writeFileSync(join(process.env.TEST_SCREENSHOTS, 'report.pdf'), pdf);
});

test('the report is accessible and fits, light and dark, wide and narrow', async () => {
  const page = await open({ userId: people.viewer.user.id, path: '/w/acme/report' });
  await page.getByRole('region', { name: 'Top risks' }).waitFor();
  await assertFitsInEachLook(page, 'report');
});
