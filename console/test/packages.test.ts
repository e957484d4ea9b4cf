/** Tests of packages: usages, versions, licenses, and open vulnerabilities. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bom } from '../../server/test/support/boms.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, assertFitsInEachLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { people } = await createTestWorkspace(server, 'acme');
const empty = await createTestWorkspace(server, 'empty');

const openssl = (version: string) => ({ purl: `pkg:deb/debian/openssl@${version}`, license: 'OpenSSL' });
const nastyLicense = `<img src=x onerror="document.title=1"> ${'Long '.repeat(60)}`;
const many = Array.from({ length: 60 }, (_, i) => ({
  purl: `pkg:npm/part-${String(i).padStart(2, '0')}@1.0.0`,
  license: 'MIT',
}));
await importAll(server, 'acme', [
  reportInput(
    bom([
      openssl('1.1.1'),
      { purl: 'pkg:npm/lodash@4.17.20', license: 'MIT', direct: true },
      { purl: `pkg:maven/org.acme.${'deep.'.repeat(20)}x/core@1.0.0`, license: nastyLicense },
      ...many,
    ]),
  ),
  reportInput(bom([openssl('3.0.0')]), { repository: 'acme/api' }),
  reportInput(bom([openssl('3.0.0')]), { repository: 'acme/api', ref: 'feature/tls' }),
  reportInput(
    trivy([
      { id: 'CVE-2030-1001', name: 'lodash', version: '4.17.20', severity: 'CRITICAL', fixed: '4.17.21' },
      { id: 'CVE-2030-1002', name: 'lodash', version: '4.17.20', severity: 'LOW' },
    ]),
  ),
]);

async function visit(path: string, slug = 'acme', userId = people.viewer.user.id): Promise<Page> {
  const page = await open({ userId, path: `/w/${slug}${path}` });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cellsOf = async (page: Page, name: string): Promise<string[]> => {
  const rows = table(page, name).locator('tbody tr');
  await rows.first().waitFor();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join(' | ')),
  );
  return texts;
};

test('from the overview, two clicks and a search show who uses openssl, and in which versions', async () => {
  const page = await visit('');
  await page.getByRole('link', { name: 'Packages', exact: true }).click();
  await table(page, 'Packages').waitFor();
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('openssl');
  await page.waitForURL(/q=openssl/);
  await page.getByRole('link', { name: 'openssl', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'openssl' }).waitFor();
  const used = await cellsOf(page, 'Where it is used');
  assert.deepEqual(
    used.map((row) => row.split(' | ').slice(0, 3).join(' | ').trim()),
    ['acme/shop | 1.1.1 | main Default', 'acme/api | 3.0.0 | main Default', 'acme/api | 3.0.0 | feature/tls'],
  );
  await page.getByRole('link', { name: 'Where version 1.1.1 is used' }).click();
  await page.getByText('Only version 1.1.1.').waitFor();
  await table(page, 'Where it is used').getByText('acme/api').first().waitFor({ state: 'detached' });
  assert.equal((await cellsOf(page, 'Where it is used')).length, 1);
});

test('the list is filtered by vulnerable, ecosystem and license, and shown in pages', async () => {
  const page = await visit('/packages');
  await table(page, 'Packages').waitFor();
  await assertFitsAndIsAccessible(page, 'packages');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/cursor=/);
  await page.goto(`${url}/w/acme/packages?vulnerable=yes&ecosystem=npm&license=MIT`);
  const rows = await cellsOf(page, 'Packages');
  assert.equal(rows.length, 1);
  assert.match(rows[0] ?? '', /^lodash \| npm \| 1 \| 1 \| 2/);
  const link = table(page, 'Packages').getByRole('link', { name: '2 open' });
  assert.match((await link.getAttribute('href')) ?? '', /vulnerabilities\?.*package=pkg:npm\/lodash/);
  await page.goto(`${url}/w/acme/packages?ecosystem=cargo`);
  await page.getByText('No package matches these filters').waitFor();
});

test('a package shows its open vulnerabilities, the fix, and whether it is direct', async () => {
  const page = await visit('/packages?q=lodash');
  await page.getByRole('link', { name: 'lodash', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'Open vulnerabilities' }).waitFor();
  const advisories = await cellsOf(page, 'Open vulnerabilities');
  assert.match(advisories[0] ?? '', /CVE-2030-1001 \| Critical.*4\.17\.21 \| 1$/);
  assert.match((await cellsOf(page, 'Where it is used'))[0] ?? '', /Direct/);
  await assertFitsAndIsAccessible(page, 'package');
});

test('licenses are shown as plain text, and link to the packages that have them', async () => {
  const page = await visit('/packages/licenses');
  const rows = await cellsOf(page, 'Licenses');
  assert.equal(rows.length, 3);
  assert.match(rows[0] ?? '', /^<img src=x/);
  assert.match(rows[1] ?? '', /^MIT \| 61$/);
  await assertFitsAndIsAccessible(page, 'licenses');
  await table(page, 'Licenses').getByRole('link', { name: 'OpenSSL', exact: true }).click();
  await page.getByRole('link', { name: 'openssl', exact: true }).waitFor();
  assert.notEqual(await page.title(), '1');
});

test('the pages fit a phone and a wide screen, light and dark, and stay accessible', async () => {
  const page = await open({ userId: people.viewer.user.id });
  for (const [name, path] of [
    ['packages', '/packages'],
    ['licenses', '/packages/licenses'],
  ] as const) {
    await page.goto(`${url}/w/acme${path}`);
    await page.getByRole('table').waitFor();
    await assertFitsInEachLook(page, name);
  }
  await page.goto(`${url}/w/acme/packages?q=lodash`);
  await page.getByRole('link', { name: 'lodash', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'Facts' }).waitFor();
  await table(page, 'Where it is used').getByText('acme/shop').waitFor();
  await assertFitsInEachLook(page, 'package');
});

test('a workspace without package lists says what to upload', async () => {
  const page = await visit('/packages', 'empty', empty.people.viewer.user.id);
  await page.getByText('No report has listed packages yet').waitFor();
  await page.getByText('Upload an SBOM').waitFor();
  await assertFitsAndIsAccessible(page, 'packages-empty');
});
