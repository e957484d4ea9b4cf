/** Links to the files of repositories at public forges, and at those that an admin names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importAll } from '../../server/test/support/import.ts';
import { sarif } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import {
  type Forge,
  type ForgeFile,
  fileAddress,
  forgeOf,
} from '../src/pages/vulnerabilities/panel/file-address.ts';
import { assertAccessible, screenshot, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { people } = await createTestWorkspace(server, 'acme');
const sha = 'a3f1c0de'.repeat(5);
await importAll(server, 'acme', [
  reportInput(sarif([{ rule: 'sqli', path: 'src/a b.ts', line: 3 }]), { repository: 'acme/shop', sha }),
]);

test('an admin names a forge, a viewer follows the link of a line to it, and without it there is none', async () => {
  const page = await open({ userId: people.admin.user.id });
  await page.goto(`${url}/w/acme/settings`);
  const section = page.getByRole('region', { name: 'Forges' });
  await section.getByLabel('Address').fill('https://user@git.example.com');
  await section.getByRole('button', { name: 'Add' }).click();
  await section.getByText('must be addresses such as https://git.example.com').waitFor();
  await section.getByLabel('Address').fill('https://git.example.com');
  await section.getByLabel('Kind').selectOption('Gitea or Forgejo');
  await section.getByLabel('Organization').fill('acme');
  await section.getByRole('button', { name: 'Add' }).click();
  await section.getByRole('rowheader', { name: 'https://git.example.com' }).waitFor();
  await assertAccessible(page);
  await screenshot(page, 'settings-forges');

  const viewer = await open({ userId: people.viewer.user.id, width: 390 });
  await viewer.goto(`${url}/w/acme/vulnerabilities`);
  await viewer.getByRole('link', { name: /sqli/ }).first().click();
  const link = viewer
    .getByRole('dialog')
    .getByRole('link', { name: /src\/a b\.ts/ })
    .first();
  assert.equal(
    await link.getAttribute('href'),
    `https://git.example.com/acme/shop/src/commit/${sha}/src/a%20b.ts#L3`,
  );

  await page.setViewportSize({ width: 390, height: 844 });
  await screenshot(page, 'settings-forges-390');
  await section.getByRole('button', { name: 'Remove https://git.example.com' }).click();
  await section.getByRole('rowheader').waitFor({ state: 'detached' });
  await viewer.reload();
  await viewer.getByText('src/a b.ts').first().waitFor();
  assert.equal(await viewer.getByRole('link', { name: /src\/a b\.ts/ }).count(), 0);
});

test('the nearest organization names the forge, a kind fits its sources, and github.com stays itself', () => {
  const forge = (kind: string, host: string, organization: string | null = null): Forge => ({
    kind,
    url: `https://${host}`,
    organization,
  });
  const forges = [
    forge('gitlab', 'all'),
    forge('gitlab', 'near', 'Acme/Web'),
    forge('gitlab', 'acme', 'acme'),
    forge('github', 'ghe'),
    forge('gitea', 'gitea', 'tools'),
  ];
  for (const [source, organization, host] of [
    ['gitlab', 'other', 'all'],
    ['gitlab', 'acme', 'acme'],
    ['gitlab', 'ACME/web/shop', 'near'],
    ['gitlab', 'acme/website', 'acme'],
    ['gitlab', 'acmeplus', 'all'],
    ['ghe', 'acme', 'ghe'],
    ['ghc', 'acme', 'github.com'],
    ['local', 'tools', 'gitea'],
    ['bitbucket', 'acme', 'bitbucket.org'],
  ] as const) {
    assert.equal(forgeOf(source, organization, forges)?.url, `https://${host}`, `${source} ${organization}`);
  }
  assert.equal(forgeOf('local', 'acme', []), null);
  assert.equal(forgeOf('ghe', 'acme', [forge('gitlab', 'all')]), null);
});

test('a file leads to its line at each kind of forge, and nowhere if a part is odd', () => {
  const site = (kind: string, address = 'https://git.example.com/base') => ({ kind, url: address });
  const file: ForgeFile = {
    forge: site('github', 'https://github.com'),
    fullName: 'acme/shop',
    sha,
    ref: 'main',
    refType: 'branch',
    path: 'src/a b#c?.js',
    line: 3,
  };
  const encoded = 'src/a%20b%23c%3F.js';
  const branch = { sha: null, ref: 'release/1' };
  const base = 'https://git.example.com/base';
  for (const [change, address] of [
    [{}, `https://github.com/acme/shop/blob/${sha}/${encoded}#L3`],
    [{ ...branch, line: null }, `https://github.com/acme/shop/blob/release/1/${encoded}`],
    [{ forge: site('gitlab'), fullName: 'a/b/c' }, `${base}/a/b/c/-/blob/${sha}/${encoded}#L3`],
    [{ forge: site('bitbucket') }, `${base}/acme/shop/src/${sha}/${encoded}#lines-3`],
    [
      { forge: site('bitbucket_data_center') },
      `${base}/projects/acme/repos/shop/browse/${encoded}?at=${sha}#3`,
    ],
    [
      { forge: site('bitbucket_data_center'), ...branch, line: null },
      `${base}/projects/acme/repos/shop/browse/${encoded}?at=refs%2Fheads%2Frelease%2F1`,
    ],
    [{ forge: site('gitea') }, `${base}/acme/shop/src/commit/${sha}/${encoded}#L3`],
    [{ forge: site('gitea'), ...branch }, `${base}/acme/shop/src/branch/release/1/${encoded}#L3`],
    [
      { forge: site('azure_devops', 'https://dev.azure.com'), fullName: 'acme/web/shop', ...branch },
      'https://dev.azure.com/acme/web/_git/shop?path=%2Fsrc%2Fa%20b%23c%3F.js&version=GBrelease%2F1&line=3&lineEnd=4&lineStartColumn=1&lineEndColumn=1',
    ],
    [{ forge: site('azure_devops') }, null],
    [{ forge: site('gitea'), fullName: 'a/b/c' }, null],
    [{ sha: null, refType: 'pull_request', ref: 'refs/pull/1/head' }, null],
    [{ path: '../../evil' }, null],
    [{ path: '/etc/passwd' }, null],
    [{ fullName: '../evil' }, null],
    [{ forge: site('bitbucket_data_center'), fullName: '../evil' }, null],
  ] as const) {
    assert.equal(fileAddress({ ...file, ...change }), address);
  }
});
