/**
 * Tests of the settings in the console: the name of the workspace, the limits of the server, and the age of the feeds.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importIntel } from '../../server/src/actions/intel/service.ts';
import { installTx } from '../../server/src/db/database.ts';
import type { UserId } from '../../server/src/domain/ids.ts';
import { importAll } from '../../server/test/support/import.ts';
import { loadOsv, osvRecord } from '../../server/test/support/osv.ts';
import { osvScanner } from '../../server/test/support/scanner-reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  screenshot,
  startConsole,
} from './support/console.ts';

const { server, open } = await startConsole({
  MERLON_RATE_LIMIT_PER_MINUTE: '90',
  MERLON_MAX_UPLOAD_MB: '33',
  MERLON_KEEP_REPORTS_DAYS: '12',
});
const { db } = server;
const acme = await createTestWorkspace(server, 'acme');
const { admin, member, viewer } = acme.people;

async function openSettings(userId: UserId) {
  const page = await open({ userId, path: '/w/acme/settings' });
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  return page;
}

const nameNow = async () =>
  (
    await installTx(db, (tx) =>
      tx.query<{ name: string }>('select name from tenant where slug = $1', ['acme']),
    )
  )[0]?.name;

const storedMatching = async () =>
  (
    await installTx(db, (tx) =>
      tx.query<{ stored: string | null }>(
        "select settings->>'advisory_matching' as stored from tenant where slug = $1",
        ['acme'],
      ),
    )
  )[0]?.stored;

test('a new name of the workspace is shown at once, and a name that turns the direction of text is refused', async () => {
  const page = await openSettings(admin.user.id);
  const name = page.getByRole('textbox', { name: 'Name' });
  assert.equal(await name.inputValue(), 'Workspace acme');
  const rename = page.getByRole('button', { name: 'Rename' });
  await rename.click();
  await page.getByText('The workspace already has this name.').waitFor();
  const nasty = `<img src=x onerror="document.title='pwned'"> Acme`;
  await name.fill(`  ${nasty} `);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Workspace ${nasty}: change` }).waitFor();
  assert.equal(await nameNow(), nasty);
  assert.match(await page.title(), /^Settings · <img/);
  await page.getByRole('textbox', { name: 'Name' }).fill('turned \u202e around');
  await rename.click();
  await page
    .getByText('Must not contain control characters, or characters that change the direction of text.')
    .waitFor();
  assert.equal(await nameNow(), nasty);
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme Ltd');
  await rename.click();
  await page.getByText('The workspace is now called Acme Ltd.').waitFor();
  assert.equal(await nameNow(), 'Acme Ltd');
});

test('an admin chooses which repositories a report may create, and which environments are exposed', async () => {
  const page = await openSettings(admin.user.id);
  const choice = page.getByLabel('New repositories', { exact: true });
  assert.equal(await choice.inputValue(), 'any');
  const save = page.getByRole('button', { name: 'Save: New repositories' });
  await choice.selectOption('A report cannot create a repository');
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await choice.waitFor();
  assert.equal(await choice.inputValue(), 'never');
  await choice.selectOption('any');
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.getByLabel('Exposed environments').fill('edge');
  await page.keyboard.press('Enter');
  await page.getByText('The exposed environments are saved.').waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Workspace' }).getByText('edge', { exact: true }).waitFor();
});

test('an arrow key stores no setting, and Save stores it and keeps the focus', async () => {
  const page = await openSettings(admin.user.id);
  const choice = page.getByLabel('Advisories', { exact: true });
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await choice.inputValue(), 'off');
  await page.keyboard.press('Tab');
  const save = page.getByRole('button', { name: 'Save: Advisories' }).and(page.locator(':focus'));
  await save.waitFor();
  await screenshot(page, 'settings-draft');
  assert.equal(await storedMatching(), null);
  await page.keyboard.press('Enter');
  await page.getByText('Saved. It takes effect within a minute.').waitFor();
  assert.equal(await storedMatching(), 'off');
  assert.equal(await save.count(), 1);
});

test('the limits of the server are shown, and missing or old feeds come with the command to load them', async () => {
  const page = await openSettings(admin.user.id);
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByText('90 a minute for each key').waitFor();
  await limits.getByText(/^33 MB as sent/).waitFor();
  await page
    .getByRole('region', { name: 'Sign-in' })
    .getByText('None: people sign in with a password')
    .waitFor();
  await page
    .getByRole('region', { name: 'Retention' })
    .getByText('Kept for 12 days after their scan')
    .waitFor();
  const intel = page.getByRole('region', { name: 'Intelligence' });
  assert.equal(await intel.getByText('Never loaded').count(), 4);
  const command = intel.getByRole('region', { name: 'Commands' });
  assert.match(
    (await command.textContent()) ?? '',
    /merlond intel import --kev \S+\.json --epss \S+\.csv\.gz/,
  );
  await assertFitsInEachLook(page, 'settings');

  const kev = join(process.env.TEST_DIRECTORY ?? '', 'console-settings-kev.json');
  const load = async (released: Date) => {
    await writeFile(
      kev,
      JSON.stringify({
        title: 'CISA Catalog of Known Exploited Vulnerabilities',
        catalogVersion: released.toISOString().slice(0, 10).replaceAll('-', '.'),
        dateReleased: released.toISOString(),
        count: 1,
        vulnerabilities: [
          {
            cveID: 'CVE-2021-44228',
            vendorProject: 'Apache',
            product: 'Log4j2',
            vulnerabilityName: 'Log4Shell',
            dateAdded: '2021-12-10',
            shortDescription: 'Remote code execution.',
            requiredAction: 'Update.',
            dueDate: '2021-12-24',
            knownRansomwareCampaignUse: 'Known',
            notes: '',
          },
        ],
      }),
    );
    await importIntel(db, { kev, epss: null, force: true }, new Date());
  };
  await load(new Date(Date.now() - 20 * 86_400_000));
  await page.reload();
  await intel.getByText('Old', { exact: true }).waitFor();
  await intel.getByText(/published .*2 weeks ago.*loaded .*: 1 known exploited/).waitFor();
  assert.equal(await intel.getByText('Never loaded').count(), 3);

  await load(new Date());
  const epss = join(process.env.TEST_DIRECTORY ?? '', 'console-settings-epss.csv');
  const day = `${new Date().toISOString().slice(0, 10)}T00:00:00+0000`;
  await writeFile(
    epss,
    `#model_version:v2026.01.01,score_date:${day}\ncve,epss,percentile\nCVE-2021-44228,0.94,0.99\nCVE-2020-0001,0.1,0.5\n`,
  );
  await importIntel(db, { kev: null, epss, force: false }, new Date());
  const modified = new Date().toISOString();
  await loadOsv(server, acme.tenant.id, [osvRecord('GHSA-2222-3333-4444', { ranges: [['0']], modified })]);
  await page.reload();
  await intel.getByText(/: 1 advisories, version/).waitFor();
  await intel.getByText(/: 2 scores, version v2026/).waitFor();
  assert.equal(await intel.getByText('Old', { exact: true }).count(), 0);
  assert.equal(await command.count(), 0);
});

test('a learned advisory name shows its sender, is forgotten after a confirmation, and can be restored', async () => {
  await importAll(server, 'acme', [
    reportInput(
      osvScanner([
        { id: 'CVE-2030-4001', aliases: ['GHSA-aaaa-bbbb-cccc'], package: 'leaky', version: '1.0.0' },
      ]),
    ),
  ]);
  const page = await openSettings(admin.user.id);
  const names = page.getByRole('region', { name: 'Names of advisories' }).first();
  await names.getByText('GHSA-aaaa-bbbb-cccc is another name of CVE-2030-4001').waitFor();
  await names.getByText(/^The operator/).waitFor();
  await screenshot(page, 'settings-names');
  await names.getByRole('button', { name: 'Forget GHSA-aaaa-bbbb-cccc' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.getByText('GHSA-aaaa-bbbb-cccc is forgotten.').waitFor();
  await names.getByText('GHSA-aaaa-bbbb-cccc is forgotten as a name of CVE-2030-4001').waitFor();
  await names.getByRole('button', { name: 'Restore GHSA-aaaa-bbbb-cccc' }).click();
  await names.getByText('GHSA-aaaa-bbbb-cccc is another name of CVE-2030-4001').waitFor();
  await assertFitsAndIsAccessible(page, 'settings-names-restored');
});

test('members and viewers may not see the settings', async () => {
  for (const person of [member, viewer]) {
    const page = await openSettings(person.user.id);
    await page.getByText('You have no access').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).count(), 0);
  }
});
