/** Tests of series in a browser: held closures, stale series, and the permissions for both decisions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, screenshot } from './support/console.ts';
import { daysAgo, results, startScanConsole } from './support/scan-workspaces.ts';

const { server, url, createScanWorkspace, openAs } = await startScanConsole();

describe('closures to review', async () => {
  const workspace = await createScanWorkspace('guard');
  for (const repository of ['acme/released', 'acme/discarded']) {
    await importAll(server, workspace.slug, [
      reportInput(trivy(results(0, 60)), { repository, scannedAt: daysAgo(2) }),
      reportInput(trivy(results(0, 4)), { repository, scannedAt: daysAgo(1) }),
    ]);
  }
  const openIn = async (repo: string): Promise<number> => {
    const { body } = await workspace.member.get<{ summary: { total: number } }>(
      `/console/api/v1/${workspace.slug}/vulnerabilities?repo=${repo}&state=open`,
    );
    return body.summary.total;
  };
  const heldTable = (page: Page) =>
    page.getByRole('region', { name: 'Closures to review' }).getByRole('table');

  test('a held closure opens from its scan, and its release with a reason fixes the vulnerabilities', async () => {
    const page = await openAs(workspace, 'admin', '/scans?repo=acme/released');
    await page.getByText('56 held').waitFor();
    await page.getByRole('region', { name: 'Scans' }).getByRole('link').first().click();
    await page.getByRole('link', { name: /^Closures held\s*56/ }).click();
    const panel = page.getByRole('dialog', { name: 'trivy on acme/released' });
    await panel.getByText(/Of 60 vulnerabilities that trivy sees on main, .* would fix 56/).waitFor();
    await panel
      .getByText('lib-59: CVE-2030-1059')
      .or(panel.getByText('lib-57: CVE-2030-1057'))
      .first()
      .waitFor();
    assert.equal(await panel.getByRole('table').getByRole('row').count(), 51);
    await panel.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/more=/);
    await panel.getByRole('button', { name: 'First page' }).click();
    await panel.getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release the closure' });
    const confirm = dialog.getByRole('button', { name: 'Close 56 vulnerabilities' });
    await confirm.click();
    await dialog.getByText('Enter a reason.').waitFor();
    assert.equal(await openIn('acme/released'), 60);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The packages are gone.');
    await confirm.click();
    await page.getByText('56 vulnerabilities are fixed.').waitFor();
    await heldTable(page).getByText('acme/discarded').waitFor();
    await heldTable(page).getByText('acme/released').waitFor({ state: 'detached' });
    assert.equal(await openIn('acme/released'), 4);
    const { rows } = await server.owner.query<{ data: { reason: string } }>(
      `select data from audit_event where tenant_id = $1 and action = 'series.release'`,
      [workspace.tenant.id],
    );
    assert.equal(rows[0]?.data.reason, 'The packages are gone.');
  });

  test('a release is refused if another scan holds a closure by now', async () => {
    const repository = 'acme/another';
    const scan = (count: number, days: number) =>
      importAll(server, workspace.slug, [
        reportInput(trivy(results(0, count)), { repository, scannedAt: daysAgo(days) }),
      ]);
    await scan(40, 3);
    await scan(4, 2);
    const page = await openAs(workspace, 'admin', `/scans/held?repo=${repository}`);
    await heldTable(page).getByRole('link', { name: 'trivy' }).click();
    const panel = page.getByRole('dialog', { name: `trivy on ${repository}` });
    await panel.getByRole('button', { name: 'Release' }).click();
    await scan(0, 1);
    const dialog = page.getByRole('dialog', { name: 'Release the closure' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The packages are gone.');
    await dialog.getByRole('button', { name: 'Close 36 vulnerabilities' }).click();
    await dialog.getByText(/^The series now holds the closure of scan_/).waitFor();
    assert.equal(await openIn(repository), 40);
    await scan(40, 0);
  });

  test('a discarded closure leaves the vulnerabilities open', async () => {
    const page = await openAs(workspace, 'admin', '/scans/held');
    await heldTable(page).getByRole('link', { name: 'trivy' }).click();
    const panel = page.getByRole('dialog', { name: 'trivy on acme/discarded' });
    await panel.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard the closure' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The scanner had lost its lock file.');
    await dialog.getByRole('button', { name: 'Keep them open' }).click();
    await page.getByText('The closure is discarded, and nothing was closed.').waitFor();
    await page.getByText('No closure waits for a review').waitFor();
    assert.equal(await openIn('acme/discarded'), 60);
    await screenshot(page, 'scans-held-none');
  });
});

describe('stale series', async () => {
  const workspace = await createScanWorkspace('stale');
  await importAll(server, workspace.slug, [
    reportInput(trivy(results(0, 3)), {
      repository: 'acme/old',
      scannedAt: daysAgo(45),
      category: 'nightly',
    }),
    reportInput(trivy(results(2, 4)), { repository: 'acme/old', scannedAt: daysAgo(1) }),
  ]);

  test('retiring a stale series fixes the vulnerabilities that only it reported', async () => {
    const page = await openAs(workspace, 'admin', '/scans');
    await page.getByRole('link', { name: 'Stale series 1' }).click();
    const table = page.getByRole('region', { name: 'Stale series' }).getByRole('table');
    await table.getByText('trivy: nightly').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-stale');
    await table.getByRole('button', { name: 'Retire trivy: nightly on acme/old, main' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retire the series' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The nightly job is gone.');
    await dialog.getByRole('button', { name: 'Retire the series' }).click();
    await page.getByText('The series is retired. 2 vulnerabilities are fixed.').waitFor();
    await page.getByText('No series is stale').waitFor();
    const { body } = await workspace.member.get<{ items: { title: string }[] }>(
      `/console/api/v1/${workspace.slug}/vulnerabilities?repo=acme/old&state=open`,
    );
    assert.deepEqual(body.items.map(({ title }) => title).sort(), [
      'lib-2: CVE-2030-1002',
      'lib-3: CVE-2030-1003',
    ]);
  });
});

describe('a series with a newer scan', async () => {
  const workspace = await createScanWorkspace('newer');
  const repository = 'acme/again';
  const scan = (days: number) =>
    importAll(server, workspace.slug, [
      reportInput(trivy(results(0, 3)), { repository, scannedAt: daysAgo(days) }),
    ]);
  await scan(45);

  test('its retirement is refused, and the dialog says so', async () => {
    const page = await openAs(workspace, 'admin', '/scans/stale');
    await page.getByRole('button', { name: `Retire trivy on ${repository}, main` }).click();
    await scan(0);
    const dialog = page.getByRole('dialog', { name: 'Retire the series' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The job is gone.');
    await dialog.getByRole('button', { name: 'Retire the series' }).click();
    await dialog.getByText(/^The newest scan of the series is scan_/).waitFor();
  });
});

describe('replaced series', async () => {
  const workspace = await createScanWorkspace('replaced');
  await importAll(server, workspace.slug, [
    reportInput(trivy(results(0, 3)), { repository: 'acme/web', scannedAt: daysAgo(3), category: 'nightly' }),
    reportInput(trivy(results(0, 2)), { repository: 'acme/web', scannedAt: daysAgo(2), category: 'night' }),
  ]);

  test('a repository links to its own replaced series', async () => {
    const page = await openAs(workspace, 'viewer', '/repositories');
    await page.getByRole('link', { name: 'acme/web', exact: true }).click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await page.getByRole('region', { name: 'Tools' }).getByRole('link', { name: 'Replaced' }).click();
    await page.getByRole('heading', { level: 1, name: 'Replaced series' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Repository: acme/web' }).waitFor();
  });
});

describe('more stale series than a page has rows', async () => {
  const workspace = await createScanWorkspace('many');
  const old = Array.from({ length: 51 }, (_, n) =>
    reportInput(trivy(results(n, n + 1)), {
      repository: 'acme/many',
      scannedAt: daysAgo(45),
      category: `nightly-${n}`,
    }),
  );
  await importAll(server, workspace.slug, [
    ...old,
    reportInput(trivy(results(100, 101)), { repository: 'acme/many', scannedAt: daysAgo(1) }),
  ]);

  test('the last one of a further page is retired, and the page leads back to the others', async () => {
    const page = await openAs(workspace, 'admin', '/scans/stale');
    const retire = page.getByRole('button', { name: /^Retire trivy/ });
    await retire.nth(49).waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await retire.nth(1).waitFor({ state: 'detached' });
    await retire.click();
    const dialog = page.getByRole('dialog', { name: 'Retire the series' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The nightly job is gone.');
    await dialog.getByRole('button', { name: 'Retire the series' }).click();
    await retire.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous', exact: true }).click();
    await retire.nth(49).waitFor();
  });
});

describe('permissions', async () => {
  const workspace = await createScanWorkspace('roles');
  await importAll(server, workspace.slug, [
    reportInput(trivy(results(0, 30)), { repository: 'acme/held', scannedAt: daysAgo(2) }),
    reportInput(trivy([]), { repository: 'acme/held', scannedAt: daysAgo(1) }),
    reportInput(trivy(results(0, 1)), { repository: 'acme/held', scannedAt: daysAgo(50), category: 'old' }),
  ]);

  test('a viewer sees the scans, cannot upload, and is refused by the server', async () => {
    const page = await openAs(workspace, 'viewer', '/scans');
    await page.getByText('30 held').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Upload reports' }).count(), 0);
    await page.goto(`${url}/w/${workspace.slug}/scans/upload`);
    await page.getByText('Members of the workspace upload reports.').waitFor();
    assert.equal(await page.getByLabel('Report files').count(), 0);
    const viewer = await signInAs(server, workspace.people.viewer.user.id);
    const { status, body } = await viewer.post<{ code: string }>(
      '/manage/v1/roles/scans?repo=acme/x&ref=main',
      {},
    );
    assert.deepEqual([status, body.code], [403, 'TOKEN_ABILITY_DENIED']);
  });

  test('a member sees held closures and stale series, and may not decide about them', async () => {
    const page = await openAs(workspace, 'member', '/scans/held');
    await page
      .getByRole('region', { name: 'Closures to review' })
      .getByRole('link', { name: 'trivy' })
      .click();
    const panel = page.getByRole('dialog');
    await panel.getByText('An administrator of the workspace releases or discards it.').waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Release' }).count(), 0);
    const series = new URL(page.url()).searchParams.get('series');
    const path = `/manage/v1/roles/scan-series/${series}`;
    assert.equal(
      (await workspace.member.post(`${path}/held-closure`, { action: 'release', scan_id: '' })).status,
      403,
    );
    await page.goto(`${url}/w/${workspace.slug}/scans/stale`);
    await page.getByText('trivy: old').waitFor();
    assert.equal(await page.getByRole('button', { name: /Retire/ }).count(), 0);
    assert.equal((await workspace.member.post(`${path}/retire`, {})).status, 403);
  });
});
