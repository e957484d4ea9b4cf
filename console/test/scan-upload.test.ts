/** Tests of uploads in a browser: by file, by drop, by keyboard; their results, and refused reports. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FileChooser, Page } from 'playwright-core';
import { fieldOf } from '../../server/test/support/fields.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { until } from '../../server/test/support/until.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, screenshot } from './support/console.ts';
import { fileOf, results, startScanConsole } from './support/scan-workspaces.ts';

const { server, url, createScanWorkspace, openAs } = await startScanConsole();

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../server/test/fixtures/${path}`, import.meta.url));

const field = (page: Page, name: string) =>
  page.getByRole('combobox', { name, exact: true }).or(page.getByRole('textbox', { name, exact: true }));

async function upload(
  page: Page,
  files: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0],
  target: Record<string, string>,
) {
  await page.getByLabel('Report files').setInputFiles(files);
  for (const [label, value] of Object.entries(target)) await field(page, label).fill(value);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Upload/ }).click();
}

/** Holds the uploads of the page until `letGo` is called, and counts them. */
async function holdUploads(page: Page) {
  const held = Promise.withResolvers<void>();
  let count = 0;
  await page.route('**/manage/v1/upload/scans?*', async (route) => {
    count++;
    await held.promise;
    await route.continue();
  });
  return { letGo: () => held.resolve(), sent: () => count };
}

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Chosen reports' }).getByRole('listitem');

describe('upload in the browser', async () => {
  const workspace = await createScanWorkspace('upload');

  test('a workspace without scans shows the command to copy and a link to the upload', async () => {
    const page = await openAs(workspace, 'member', '/scans');
    await page.getByText('Nothing has been scanned yet').waitFor();
    const command = await page.getByRole('region', { name: 'Command' }).textContent();
    assert.match(command ?? '', /--data-binary @report\.json[\s\S]*\/ingest\/v1\/upload\/scans\?repo=/);
    await assertFitsAndIsAccessible(page, 'scans-empty');
    await page.getByRole('link', { name: 'Upload reports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Upload reports' }).waitFor();
    await assertFitsAndIsAccessible(page, 'scans-upload');
  });

  test('a real report is taken and processed, and its new vulnerabilities are counted and shown', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    await upload(page, fixture('semgrep/before.json'), {
      Repository: 'acme/shop',
      'Branch, tag or pull request': 'main',
      Commit: 'c0ffee0123456789abcdef0123456789abcdef01',
    });
    const row = rowsOf(page);
    await row.getByText('Waiting').waitFor();
    assert.deepEqual(await row.getByRole('status').allInnerTexts(), ['Queued'], 'progress is not read out');
    await screenshot(page, 'scans-upload-waiting');
    await workspace.process('acme/shop');
    await row.getByText('Completed').waitFor();
    const { rows } = await server.owner.query<{ title: string }>(
      'select title from vulnerability where tenant_id = $1',
      [workspace.tenant.id],
    );
    assert.ok(rows.length > 1);
    await row
      .getByRole('status')
      .getByText(`${rows.length} new, 0 fixed, 0 unchanged, 2 unreadable.`)
      .waitFor();
    await page.getByText('No policy is active, so nothing is checked.').waitFor();
    await screenshot(page, 'scans-upload-done');
    await row.getByRole('link', { name: 'Show the new vulnerabilities' }).click();
    const list = page.getByRole('region', { name: 'New vulnerabilities' }).getByRole('table');
    await list.waitFor();
    for (const { title } of rows) await list.getByRole('link', { name: title }).first().waitFor();
    await assertFitsAndIsAccessible(page, 'scans-detail');
  });

  test('the same file again shows its earlier scan, and for another commit it changes nothing', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload?repo=acme/shop&ref=main');
    assert.equal(await field(page, 'Repository').inputValue(), 'acme/shop');
    await upload(page, fixture('semgrep/before.json'), {
      Commit: 'c0ffee0123456789abcdef0123456789abcdef01',
    });
    await rowsOf(page).getByText('nothing is done twice').waitFor();
    await rowsOf(page).getByText('5 new, 0 fixed, 0 unchanged').waitFor();
    await page.getByRole('button', { name: 'Remove before.json from this list' }).click();
    assert.equal(await rowsOf(page).count(), 0);
    await page.reload();
    await upload(page, fixture('semgrep/before.json'), { Commit: 'c0ffee1' });
    await rowsOf(page).getByText('Waiting').waitFor();
    await workspace.process('acme/shop');
    await rowsOf(page).getByText('0 new, 0 fixed, 5 unchanged').waitFor();
    assert.equal(await rowsOf(page).getByText('nothing is done twice').count(), 0);
    const { rows } = await server.owner.query('select 1 from scan where tenant_id = $1', [
      workspace.tenant.id,
    ]);
    assert.equal(rows.length, 2);
  });

  test('a dry run of several files counts the valid one, says what is wrong with the others, and keeps nothing', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    const broken = JSON.stringify(trivy(results(0, 400)), null, 1).slice(0, -300);
    await page.getByLabel('Dry run').check();
    await upload(
      page,
      [
        fileOf('notes.txt', 'Nothing that a scanner wrote.'),
        fileOf('broken.json', broken),
        fileOf('large.json', JSON.stringify(trivy([])).padEnd(1_500_000)),
        fileOf('good.json', trivy(results(0, 3))),
      ],
      { Repository: 'acme/several', 'Branch, tag or pull request': 'main' },
    );
    const row = (name: string) => rowsOf(page).filter({ hasText: name });
    await row('good.json').getByText('Waiting', { exact: true }).waitFor();
    await row('notes.txt')
      .getByText(/Refused: .*format/)
      .waitFor();
    await row('large.json')
      .getByText('Refused: it is larger than this server accepts. The limit is 1.0 MB, as sent.')
      .waitFor();
    await workspace.process('acme/several');
    await row('good.json').getByText('3 new, 0 fixed, 0 unchanged.').waitFor();
    await row('good.json').getByText('Dry run').waitFor();
    await row('broken.json').getByText('The report is damaged.').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-upload-several');
    await row('broken.json').getByRole('link', { name: 'Problem' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'The report is damaged' });
    await failure.getByText(/Where: line \d/).waitFor();
    await failure.getByText('Nothing of it has been kept.').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-failed');
    const { rows } = await server.owner.query(
      `select 1 from vulnerability v join repository r on r.id = v.repository_id where r.full_name = 'acme/several'`,
    );
    assert.equal(rows.length, 0);
  });

  test('a wrong value is shown at its field, and the next reports wait until it is corrected', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    await upload(page, [fileOf('one.json', trivy([])), fileOf('two.json', trivy([]))], {
      Repository: 'shop',
      'Branch, tag or pull request': 'main..',
    });
    await rowsOf(page).getByText('Refused: see the problem below.').waitFor();
    await page.getByText('Must be org/name.').waitFor();
    assert.equal(await rowsOf(page).getByText('Refused').count(), 1);
    await screenshot(page, 'scans-upload-wrong');
    await field(page, 'Repository').fill('acme/fields');
    await field(page, 'Branch, tag or pull request').fill('main');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Upload 2 reports' }).click();
    await rowsOf(page).getByText('Waiting').nth(1).waitFor();
  });

  test('a report is uploaded by keyboard alone', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    const button = page.getByRole('button', { name: 'Choose files' });
    // Another render of the page can take the focus back.
    const choose = async (): Promise<FileChooser> => {
      const chosen = page.waitForEvent('filechooser', { timeout: 3_000 });
      await button.press('Enter');
      return chosen.catch(choose);
    };
    const chooser = await choose();
    assert.equal(chooser.isMultiple(), true);
    await chooser.setFiles(fileOf('keys.json', trivy(results(0, 1))));
    await rowsOf(page).getByText('keys.json').waitFor();
    await button.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await field(page, 'Repository').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('acme/keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('main');
    await page.keyboard.press('Tab');
    await field(page, 'Commit').and(page.locator(':focus')).waitFor();
    assert.equal(await field(page, 'Repository').inputValue(), 'acme/keys');
    assert.equal(await field(page, 'Branch, tag or pull request').inputValue(), 'main');
    await page.keyboard.press('Enter');
    await rowsOf(page).getByText('Waiting').waitFor();
  });

  test('the reference is main for a new repository, and the default branch of a known one', async () => {
    const trunk = await createScanWorkspace('trunk');
    const page = await openAs(trunk, 'member', '/scans/upload');
    const reference = field(page, 'Branch, tag or pull request');
    await until(async () => (await reference.inputValue()) === 'main', 'the usual branch');
    await upload(page, fileOf('new.json', trivy(results(0, 1))), { Repository: 'acme/new' });
    await rowsOf(page).getByText('Waiting').waitFor();
    await importAll(server, 'trunk', [
      reportInput(trivy(results(0, 1)), { repository: 'acme/old', ref: 'trunk' }),
    ]);
    const again = await openAs(trunk, 'member', '/scans/upload?repo=acme/old');
    const shown = field(again, 'Branch, tag or pull request');
    await until(async () => (await shown.inputValue()) === 'trunk', 'the default branch');
    await upload(again, fileOf('old.json', trivy(results(0, 2))), {});
    await rowsOf(again).getByText('Waiting').waitFor();
    const { rows } = await server.owner.query<{ ref: string }>(
      `select r.full_name || ' ' || f.full_ref as ref from scan s
         join reference f on f.tenant_id = $1 and f.id = s.reference_id
         join repository r on r.tenant_id = $1 and r.id = s.repository_id
        where s.tenant_id = $1 order by s.id`,
      [trunk.tenant.id],
    );
    assert.deepEqual(fieldOf(rows, 'ref'), [
      'acme/new refs/heads/main',
      'acme/old refs/heads/trunk',
      'acme/old refs/heads/trunk',
    ]);
  });

  test('the reference of a known repository is empty until its default branch is known', async () => {
    const slow = await createScanWorkspace('slow');
    await importAll(server, 'slow', [
      reportInput(trivy(results(0, 1)), { repository: 'acme/old', ref: 'trunk' }),
    ]);
    const page = await openAs(slow, 'member', '/scans');
    const names = Promise.withResolvers<void>();
    await page.route('**/api/v1/slow/repositories?*', async (route) => {
      await names.promise;
      await route.continue();
    });
    await page.route('**/api/v1/slow/references?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`${url}/w/slow/scans/upload?repo=acme/old`);
    const reference = field(page, 'Branch, tag or pull request');
    assert.equal(await reference.inputValue(), '');
    const asked = page.waitForResponse('**/api/v1/slow/references?*');
    names.resolve();
    await asked;
    assert.equal(await reference.inputValue(), '');
    await reference.fill('side');
    assert.equal(await reference.inputValue(), 'side');
  });

  test('a compressed report that is dropped on the page is processed', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    const content = gzipSync(JSON.stringify(trivy(results(0, 2)))).toString('base64');
    await page.getByText('Drop reports here').waitFor();
    const dropped = await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob('${content}'), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], 'dropped.json.gz'));
      return transfer;
    })()`);
    await page.getByText('Drop reports here').dispatchEvent('drop', { dataTransfer: dropped });
    await rowsOf(page).getByText('dropped.json.gz').waitFor();
    await field(page, 'Repository').fill('acme/dropped');
    await field(page, 'Branch, tag or pull request').fill('main');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await rowsOf(page).getByText('Waiting').waitFor();
    await workspace.process('acme/dropped');
    await rowsOf(page).getByText('2 new, 0 fixed').waitFor();
  });

  test('leaving the page while a report is being sent asks first', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    const { letGo } = await holdUploads(page);
    await upload(page, fileOf('slow.json', trivy(results(0, 1))), {
      Repository: 'acme/slow',
      'Branch, tag or pull request': 'main',
    });
    const links = page.getByRole('navigation', { name: 'Workspace' });
    await links.getByRole('link', { name: 'Scans' }).click();
    const question = page.getByRole('dialog', { name: 'Leave this page?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    letGo();
    await rowsOf(page).getByText('Waiting').waitFor();
    await links.getByRole('link', { name: 'Scans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor();
  });

  test('a report that is removed while another is being sent is not sent', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    const { letGo, sent } = await holdUploads(page);
    await upload(page, [fileOf('first.json', trivy([])), fileOf('second.json', trivy(results(0, 1)))], {
      Repository: 'acme/removed',
      'Branch, tag or pull request': 'main',
    });
    await page.getByRole('button', { name: 'Remove second.json from this list' }).click();
    letGo();
    await rowsOf(page).getByText('Waiting').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await rowsOf(page).count(), 1);
    assert.equal(sent(), 1);
  });
});

describe('hostile text', async () => {
  const workspace = await createScanWorkspace('nasty');
  const image = '<img src=x onerror="globalThis.wasRun = true">';
  const arabic = 'تقرير';
  const sarif = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: `${image}${arabic}`, rules: [{ id: image, name: image }] } },
        results: [
          {
            ruleId: image,
            message: { text: `${image} ${'very '.repeat(60)}long` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: `${'deep/'.repeat(40)}a.ts` },
                  region: { startLine: 1 },
                },
              },
            ],
          },
          'no row',
        ],
      },
      ...Array.from({ length: 24 }, (_, n) => `tool-${n}`).map((name) => ({
        tool: { driver: { name } },
        results: [],
      })),
    ],
  };
  const branch = `${'long-'.repeat(30)}<b>${arabic}`;
  const name = `${image} ${arabic} ${'x'.repeat(120)}.sarif`;

  test('in a report is shown as plain text in the list, on the page of the scan and in the upload', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    await upload(page, fileOf(name, sarif), {
      Repository: `acme/${'service-'.repeat(12)}x`,
      'Branch, tag or pull request': branch,
      Category: image,
    });
    await rowsOf(page).getByText('Waiting').waitFor();
    const { rows } = await server.owner.query<{ full_name: string }>(
      'select full_name from repository where tenant_id = $1',
      [workspace.tenant.id],
    );
    await workspace.process(rows[0]?.full_name ?? '');
    await rowsOf(page).getByText('1 new, 0 fixed, 0 unchanged, 1 unreadable.').waitFor();
    await screenshot(page, 'scans-nasty-upload');
    await rowsOf(page).getByRole('link', { name: 'Show the new vulnerabilities' }).click();
    await page
      .getByRole('region', { name: 'New vulnerabilities' })
      .getByRole('link', { name: '<img src=x' })
      .waitFor();
    await page.getByRole('region', { name: 'Report' }).getByText(image).first().waitFor();
    await page.getByRole('region', { name: 'Could not be read' }).getByText('/runs/0/results/1').waitFor();
    await page.getByRole('heading', { level: 1 }).getByText('and 22 more').waitFor();
    await page.getByRole('region', { name: 'Report' }).getByText('and 5 more').waitFor();
    await assertFitsAndIsAccessible(page, 'scans-nasty-detail');
    await page.goto(`${url}/w/${workspace.slug}/scans`);
    const table = page.getByRole('region', { name: 'Scans' }).getByRole('table');
    await table.getByText(branch).waitFor();
    await screenshot(page, 'scans-nasty-list');
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal(await page.evaluate(() => 'wasRun' in globalThis), false);
  });

  test('in a file name loses the character that turns the direction of text', async () => {
    const page = await openAs(workspace, 'member', '/scans/upload');
    await upload(page, fileOf('report\u202enosj.exe', trivy([])), {
      Repository: 'acme/turned',
      'Branch, tag or pull request': 'main',
    });
    await rowsOf(page).getByText('Waiting').waitFor();
    const { rows } = await server.owner.query(
      'select file_name from scan where tenant_id = $1 order by id desc limit 1',
      [workspace.tenant.id],
    );
    assert.equal(rows[0]?.file_name, 'reportnosj.exe');
  });
});
