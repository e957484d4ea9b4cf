/** Tests of a tag that has the name of a branch: its links, filters and uploads are about the tag. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId, nilId } from '../../server/src/domain/ids.ts';
import { clientOf } from '../../server/test/support/client.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import { fileOf, results, startScanConsole } from './support/scan-workspaces.ts';

const { server, createScanWorkspace, openAs } = await startScanConsole();
const workspace = await createScanWorkspace('tags');
const tag = 'refs/tags/v1';
const [, , scan] = await importAll(server, 'tags', [
  reportInput(trivy(results(0, 5))),
  reportInput(trivy(results(0, 2)), { ref: 'v1' }),
  reportInput(trivy(results(0, 3)), { ref: tag }),
]);
const client = clientOf(server.app, workspace.people.viewer.key);

const shown = (page: Page, text: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByText(text).waitFor();

test('each reference of a repository links to its own vulnerabilities', async () => {
  const { body } = await client.get<{ items: { id: string }[] }>('/api/v1/tags/repositories');
  const page = await openAs(workspace, 'viewer', `/repositories/${body.items[0]?.id}?tab=references`);
  for (const [type, open] of [
    ['Branch', 2],
    ['Tag', 3],
  ] as const) {
    const row = page
      .getByRole('region', { name: 'References' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: type, exact: true }) })
      .filter({ has: page.getByRole('link', { name: 'v1', exact: true }) });
    await row.getByRole('cell', { name: String(open), exact: true }).waitFor();
    await row.getByRole('link', { name: 'v1', exact: true }).click();
    await shown(page, `${open} of ${open}`);
    await page.goBack();
  }
});

test('the filter by reference offers the tag and the branch', async () => {
  const page = await openAs(workspace, 'viewer', '/vulnerabilities?repo=acme/shop&ref=v1');
  await shown(page, '2 of 2');
  await page.getByRole('button', { name: 'Reference', exact: true }).click();
  await page.getByRole('radio', { name: tag }).click();
  await shown(page, '3 of 3');
});

test('another report after the scan of a tag is uploaded for the tag', async () => {
  const page = await openAs(workspace, 'member', `/scans/${formatId('scan', scan?.id ?? nilId)}`);
  await page.getByRole('link', { name: 'Upload another' }).click();
  const reference = page.getByRole('combobox', { name: 'Branch, tag or pull request' });
  await reference.waitFor();
  assert.equal(await reference.inputValue(), tag);
  await page.getByLabel('Report files').setInputFiles([fileOf('again.json', trivy(results(0, 4)))]);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const row = page.getByRole('list', { name: 'Chosen reports' }).getByRole('listitem');
  await row.getByText('Waiting').waitFor();
  const { body } = await client.get<{ items: object[] }>(
    `/api/v1/tags/scans?repo=acme/shop&ref=${encodeURIComponent(tag)}`,
  );
  assert.equal(body.items.length, 2);
});
