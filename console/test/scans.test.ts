/** Tests of scans in a browser: their progress, their changes, and the layout of all their pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId, nilId } from '../../server/src/domain/ids.ts';
import { succeeded } from '../../server/test/support/client.ts';
import { importAll } from '../../server/test/support/import.ts';
import { applyAndEvaluate, policyOf } from '../../server/test/support/policies.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { openvex } from '../../server/test/support/scanner-reports.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  assertTableFits,
  screenshot,
  setLook,
} from './support/console.ts';
import { daysAgo, fileOf, results, startScanConsole } from './support/scan-workspaces.ts';

const { server, url, open, createScanWorkspace, openAs } = await startScanConsole();

const critical = policyOf('critical', "{fact: severity, operator: '==', value: critical}");

describe('list and page of scans', async () => {
  const workspace = await createScanWorkspace('live');
  const { tenant } = workspace;
  await importAll(server, workspace.slug, [
    reportInput(trivy(results(0, 5)), {
      repository: 'acme/shop',
      scannedAt: daysAgo(2),
      fileName: 'first.json',
    }),
    reportInput(trivy(results(2, 7)), {
      repository: 'acme/shop',
      ref: 'feature/cart',
      scannedAt: daysAgo(1),
    }),
    reportInput('{"no": "report"}', { repository: 'acme/api', fileName: 'wrong.json' }),
  ]);
  const send = (path: string, content: unknown, to = workspace) =>
    to.member.send<{ id: string }>({
      method: 'POST',
      path: `/manage/v1/${to.slug}/scans?${path}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: JSON.stringify(content),
    });
  const scansTable = (page: Page) => page.getByRole('region', { name: 'Scans' }).getByRole('table');

  test('a new scan appears in the list, progresses and completes without a reload', async () => {
    const page = await openAs(workspace, 'viewer', '/scans');
    const table = scansTable(page);
    await table.getByRole('row').nth(3).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    succeeded(await send('repo=acme/live&ref=main&file_name=live.json', trivy(results(0, 4))), 202);
    const row = table.getByRole('row').filter({ hasText: 'acme/live' });
    await row.getByText('Queued').waitFor();
    const progress = { step: 'writing', done: 1_200, total: 30_000 };
    const set = (status: 'queued' | 'running', of: object | null) =>
      server.owner.query(
        'update scan set status = $2, progress = $3 where tenant_id = $1 and file_name = $4',
        [tenant.id, status, of && JSON.stringify(of), 'live.json'],
      );
    await set('running', progress);
    await row.getByText('Writing findings: 1,200 of 30,000').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-running');
    await set('queued', null);
    await row.getByText('Queued').waitFor();
    await workspace.process('acme/live');
    await row.getByText('Completed').waitFor();
    await row.getByRole('link', { name: 'trivy' }).waitFor();
    assert.equal(await page.evaluate(() => 'sameDocument' in globalThis), true);
    await screenshot(page, 'scans-list');
  });

  test('the page of a VEX document counts its statements', async () => {
    const rows = ['CVE-2030-404', 'CVE-2030-405'].map((id) => ({ status: 'not_affected' as const, id }));
    const answer = await send('repo=acme/vex&ref=main&file_name=vex.json', openvex(rows, null));
    await workspace.process('acme/vex');
    const page = await openAs(workspace, 'viewer', `/scans/${answer.body.id}`);
    const counts = page.getByRole('region', { name: 'Results' });
    await counts.getByText('Statements that decide').waitFor();
    await counts.getByText('Suggestions').waitFor();
    await counts.getByText('statements, kept until a report finds it').waitFor();
    await assertFitsAndIsAccessible(page, 'scan-statements');
    await screenshot(page, 'scan-statements');
  });

  test('the page of a scan shows its completion and its changes without a reload', async () => {
    const answer = await send('repo=acme/live&ref=main&sha=abcdef1', trivy(results(1, 5)));
    const page = await openAs(workspace, 'viewer', `/scans/${answer.body.id}`);
    await page.getByText('Waiting').waitFor();
    await workspace.process('acme/live');
    await page.getByText('Completed').waitFor();
    await page.getByText('No policy is active, so nothing is checked.').waitFor();
    const numbers = page.getByRole('region', { name: 'Results' });
    await numbers.getByRole('link', { name: /^New\s*1/ }).waitFor();
    await page
      .getByRole('region', { name: 'New vulnerabilities' })
      .getByText('lib-4: CVE-2030-1004')
      .waitFor();
    await numbers.getByRole('link', { name: /^Fixed\s*1/ }).click();
    await page
      .getByRole('region', { name: 'Fixed vulnerabilities' })
      .getByText('lib-0: CVE-2030-1000')
      .waitFor();
    assert.match(page.url(), /\?change=fixed#changed$/);
    await page.getByRole('region', { name: 'Series' }).getByText('This one').waitFor();
    await numbers.getByRole('link', { name: /^Unchanged\s*3/ }).click();
    await page.waitForURL(/vulnerabilities\?/);
    assert.deepEqual([...new URL(page.url()).searchParams.entries()].slice(0, 3).sort(), [
      ['ref', 'main'],
      ['repo', 'acme/live'],
      ['state', 'open'],
    ]);
  });

  test('the note that no policy is switched on disappears once one is, and rows show their advisory', async () => {
    const checked = await createScanWorkspace('checked');
    const title = `overflow ${'that is told at length '.repeat(12)}`.trim();
    const report = trivyReport({
      packages: [{ id: 'CVE-2031-77', package: 'lodash', severity: 'HIGH', title }],
    });
    const [done] = await importAll(server, checked.slug, [reportInput(report, { repository: 'acme/shop' })]);
    const path = `/scans/${formatId('scan', done?.id ?? nilId)}`;
    const note = 'No policy is active, so nothing is checked.';
    const page = await openAs(checked, 'viewer', path);
    await page.getByText(note).getByRole('link', { name: 'Show the policies' }).waitFor();
    const list = page.getByRole('region', { name: 'New vulnerabilities' }).getByRole('table');
    const row = list.getByRole('row').filter({ hasText: title });
    await row.getByText('CVE-2031-77').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-detail-unchecked');
    const repositories = await openAs(checked, 'viewer', '/repositories');
    await repositories.getByRole('link', { name: 'acme/shop', exact: true }).click();
    await repositories.getByRole('tab', { name: 'References' }).click();
    const references = repositories.getByRole('region', { name: 'References' });
    await references.getByText(note).waitFor();
    await applyAndEvaluate(server, checked.tenant.id, critical);
    const again = await openAs(checked, 'viewer', path, { width: 390 });
    await again.getByText('Pass', { exact: true }).waitFor();
    await again.getByText('CVE-2031-77').waitFor();
    await again.waitForLoadState('networkidle');
    assert.equal(await again.getByText(note).count(), 0);
    await screenshot(again, 'scans-detail-checked');
    await repositories.reload();
    await references.getByText('Pass', { exact: true }).waitFor();
    await repositories.waitForLoadState('networkidle');
    assert.equal(await repositories.getByText(note).count(), 0);
  });

  test('the reasons of a verdict change with it without a reload, with and without the event stream', async () => {
    const gated = await createScanWorkspace('gated');
    await applyAndEvaluate(server, gated.tenant.id, critical);
    const [done] = await importAll(server, gated.slug, [
      reportInput(trivy(results(0, 2)), { repository: 'acme/shop' }),
    ]);
    const path = `/scans/${formatId('scan', done?.id ?? nilId)}`;
    const page = await openAs(gated, 'viewer', path);
    const reasons = page.getByRole('region', { name: 'Why it blocks' });
    await reasons.waitFor();
    await applyAndEvaluate(server, gated.tenant.id, critical.replace('{', '{status: disabled, '));
    await reasons.waitFor({ state: 'detached' });
    await page.getByText('No policy is active, so nothing is checked.').waitFor();
    await page.close();

    const unheard = await open({ userId: gated.people.viewer.user.id });
    await unheard.route('**/scans/events', (route) => route.fulfill({ status: 503, body: '' }));
    await unheard.clock.install();
    await unheard.goto(`${url}/w/${gated.slug}${path}`);
    await unheard.getByText('No policy is active, so nothing is checked.').waitFor();
    await applyAndEvaluate(server, gated.tenant.id, critical);
    await unheard.clock.fastForward(10_500);
    await unheard.getByRole('region', { name: 'Why it blocks' }).waitFor();
  });

  test('without the event stream the page asks the server every ten seconds until the stream is back', async () => {
    const page = await open({ userId: workspace.people.viewer.user.id });
    await page.route('**/scans/events', (route) => route.fulfill({ status: 503, body: '' }));
    await page.clock.install();
    await page.goto(`${url}/w/${workspace.slug}/scans`);
    await page.getByText('No live changes: the list loads again every ten seconds.').waitFor();
    await send('repo=acme/unheard&ref=main', trivy(results(0, 1)));
    await page.clock.fastForward(10_500);
    await scansTable(page).getByText('acme/unheard').waitFor();
    await page.unroute('**/scans/events');
    await page.clock.fastForward(30_500);
    await page.getByText('Changes are shown live.').waitFor();
  });

  test('a hidden tab holds no event stream, and shows what it missed as soon as it is visible again', async () => {
    const page = await openAs(workspace, 'viewer', '/scans');
    await scansTable(page).getByText('wrong.json').waitFor();
    await page.getByText('Changes are shown live.').waitFor();
    const setHidden = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const isStream = (request: { url(): string }) => request.url().endsWith('/scans/events');
    const ended = page.waitForEvent('requestfailed', isStream);
    await setHidden(true);
    await ended;
    await send('repo=acme/missed&ref=main', trivy(results(0, 1)));
    await setHidden(false);
    await scansTable(page).getByText('acme/missed').waitFor();
  });

  test('filters are kept in the address, and filters without a match can be cleared', async () => {
    const page = await openAs(workspace, 'viewer', '/scans?repo=acme/shop&status=completed');
    const table = scansTable(page);
    await table.getByText('feature/cart').waitFor();
    assert.equal(await table.getByRole('row').count(), 3);
    await page.getByRole('button', { name: 'Reference', exact: true }).click();
    await page.getByRole('radio', { name: 'feature/cart' }).click();
    await page.waitForURL(/ref=feature\/cart/);
    await table.getByText('acme/shop, main').waitFor({ state: 'detached' });
    assert.equal(await table.getByRole('row').count(), 2);
    await page.getByRole('button', { name: 'Remove the filter Repository: acme/shop' }).click();
    await page.waitForURL(/^(?!.*repo=)/);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('button', { name: 'Tool', exact: true }).click();
    await page.getByRole('textbox', { name: 'Tool' }).fill('semgrep');
    await page.keyboard.press('Enter');
    await page.getByText('No scan matches these filters').waitFor();
    await page.getByRole('link', { name: 'Show all scans' }).click();
    await table.getByText('wrong.json').waitFor();
  });

  test('more than 50 scans are shown in pages, forward and back', async () => {
    const long = await createScanWorkspace('long');
    for (let n = 0; n < 52; n++) {
      succeeded(await send(`repo=acme/long&ref=b${n}`, trivy([]), long), 202);
    }
    const page = await openAs(long, 'viewer', '/scans');
    const table = scansTable(page);
    await table.getByText('acme/long, b51').waitFor();
    assert.equal(await table.getByRole('row').count(), 51);
    await page.getByRole('button', { name: 'Next' }).click();
    await table.getByText('acme/long, b0').waitFor();
    assert.equal(await table.getByRole('row').count(), 3);
    assert.match(page.url(), /cursor=/);
    await page.getByRole('button', { name: 'Previous' }).click();
    await table.getByText('acme/long, b51').waitFor();
  });

  test('a scan is opened from the table by keyboard', async () => {
    const page = await openAs(workspace, 'viewer', '/scans?status=completed');
    const table = scansTable(page);
    await table.getByRole('row').nth(2).waitFor();
    await table.getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    const href = await table.getByRole('link').nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL((to) => to.pathname === href);
    await page.getByRole('region', { name: 'Report' }).getByText('Scan id').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor();
  });
});

describe('in dark colours and on a phone', async () => {
  const workspace = await createScanWorkspace('looks');
  const [, , failed] = await importAll(server, workspace.slug, [
    reportInput(trivy(results(0, 24)), {
      repository: 'acme/shop',
      scannedAt: daysAgo(3),
      sha: 'c0ffee0123456789',
    }),
    reportInput(trivy(results(22, 26)), {
      repository: 'acme/shop',
      scannedAt: daysAgo(1),
      sha: 'c0ffee1123456789',
    }),
    reportInput('{"no": "report"}', { repository: 'acme/api', fileName: 'wrong.json' }),
    reportInput(trivy(results(0, 2)), { repository: 'acme/api', scannedAt: daysAgo(40), partial: true }),
    reportInput(trivy(results(0, 3)), { repository: 'acme/web', scannedAt: daysAgo(3), category: 'nightly' }),
    reportInput(trivy(results(0, 2)), { repository: 'acme/web', scannedAt: daysAgo(2), category: 'night' }),
  ]);
  assert.equal(failed?.status, 'failed');

  test('every page of scans is accessible and fits', async () => {
    const page = await openAs(workspace, 'admin', '/scans');
    const table = page.getByRole('region', { name: 'Scans' }).getByRole('table');
    await table.getByText('wrong.json').waitFor();
    const look = async (what: string): Promise<void> => {
      await page.evaluate('scrollTo(0, 0)');
      await assertFitsInEachLook(page, `scans-${what}`);
    };
    await look('list');
    await table.getByRole('row').filter({ hasText: '22 held' }).getByRole('link').click();
    await page.getByRole('region', { name: 'New vulnerabilities' }).getByRole('table').waitFor();
    await look('detail');
    await page.goto(`${url}/w/looks/scans/held`);
    await page
      .getByRole('region', { name: 'Closures to review' })
      .getByRole('link', { name: 'trivy' })
      .click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    await setLook(page, { width: 1440, colorScheme: 'light' });
    await assertTableFits(page, 'Would be fixed');
    await look('held');
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page
      .getByRole('dialog', { name: 'Release the closure' })
      .getByLabel('Reason')
      .fill('They are gone.');
    await look('release');
    await page.goto(`${url}/w/looks/scans/stale`);
    await page.getByText('acme/api').waitFor();
    await look('stale');
    await page.getByRole('navigation', { name: 'Views of scans' }).getByText('Replaced series').click();
    await page.getByText('trivy: nightly').waitFor();
    await page.getByRole('button', { name: 'Retire trivy: nightly on acme/web, main' }).waitFor();
    await look('replaced');
    await page.goto(`${url}/w/looks/scans/upload`);
    await page.getByLabel('Report files').setInputFiles(fileOf('report.json', '{}'));
    await look('upload');
  });
});
