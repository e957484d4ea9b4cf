/**
 * Tests of links to files, commits and references of repositories at public forges, and at those that an admin names.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { applyInventory } from '../../server/src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { formatId, nilId } from '../../server/src/domain/ids.ts';
import { importAll } from '../../server/test/support/import.ts';
import { sarif } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import {
  type Forge,
  type ForgeSite,
  type ForgeTarget,
  forgeAddress,
  forgeOf,
} from '../src/components/forge-addresses.ts';
import { assertFitsInEachLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const sha = 'a3f1c0de'.repeat(5);
await importAll(server, 'acme', [
  reportInput(sarif([{ rule: 'sqli', path: 'src/a b.ts', line: 3 }]), { repository: 'acme/shop', sha }),
]);

test('an admin adds a forge, and a viewer follows the link of a line to it; without the forge there is no link', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/settings' });
  const section = page.getByRole('region', { name: 'Forges' });
  await section.getByLabel('Address').fill('https://user@git.example.com');
  await section.getByRole('button', { name: 'Add' }).click();
  await section.getByText('must be addresses such as https://git.example.com').waitFor();
  await section.getByLabel('Address').fill('https://git.example.com');
  await section.getByLabel('Kind').selectOption('Gitea or Forgejo');
  await section.getByLabel('Organization').fill('acme');
  await section.getByRole('button', { name: 'Add' }).click();
  await section.getByRole('rowheader', { name: 'https://git.example.com' }).waitFor();
  await assertFitsInEachLook(page, 'settings-forges');

  const viewer = await open({ userId: people.viewer.user.id, width: 390, path: '/w/acme/vulnerabilities' });
  await viewer.getByRole('link', { name: /sqli/ }).first().click();
  const link = viewer
    .getByRole('dialog')
    .getByRole('link', { name: /src\/a b\.ts/ })
    .first();
  assert.equal(
    await link.getAttribute('href'),
    `https://git.example.com/acme/shop/src/commit/${sha}/src/a%20b.ts#L3`,
  );

  await section.getByRole('button', { name: 'Remove https://git.example.com' }).click();
  await section.getByRole('rowheader').waitFor({ state: 'detached' });
  await viewer.reload();
  await viewer.getByText('src/a b.ts').first().waitFor();
  assert.equal(await viewer.getByRole('link', { name: /src\/a b\.ts/ }).count(), 0);
});

test('the page of a scan, the list of scans, the references and the panel lead to the commit, branch, tag and pull request', async () => {
  await tenantTx(server.db, tenant.id, (tx) =>
    applyInventory(tx, {
      organizations: [{ full_path: 'store', name: 'Store', type: 'github_org' }],
      repositories: [{ full_name: 'store/web', source: 'ghc', default_branch: 'main', is_private: false }],
    }),
  );
  const report = sarif([{ rule: 'sqli', path: 'src/a.ts', line: 3 }]);
  const input = { repository: 'store/web', sha };
  const [, , pullRequest] = await importAll(server, 'acme', [
    reportInput(report, input),
    reportInput(report, { ...input, ref: 'refs/tags/v1.0' }),
    reportInput(report, { ...input, ref: 'refs/pull/7/head' }),
  ]);
  const forge = 'https://github.com/store/web';
  const pageOfCommit = `Open the commit ${sha} at GitHub`;
  const pages = {
    'Open the branch main at GitHub': `${forge}/tree/main`,
    'Open the tag v1.0 at GitHub': `${forge}/releases/tag/v1.0`,
    'Open the pull request 7 at GitHub': `${forge}/pull/7`,
    [pageOfCommit]: `${forge}/commit/${sha}`,
  };
  const page = await open({ userId: people.viewer.user.id });
  const assertLinks = async (picture: string, within: Pick<Page, 'getByRole'>, names: string[]) => {
    for (const name of names) {
      const link = within.getByRole('link', { name, exact: true }).first();
      assert.equal(await link.getAttribute('href'), pages[name]);
      assert.equal(await link.getAttribute('target'), '_blank');
      assert.equal(await link.getAttribute('rel'), 'noreferrer noopener');
    }
    await assertFitsInEachLook(page, `forges-${picture}`);
  };
  await page.goto(`${url}/w/acme/scans/${formatId('scan', pullRequest?.id ?? nilId)}`);
  await assertLinks('scan', page, ['Open the pull request 7 at GitHub', pageOfCommit]);
  await page.goto(`${url}/w/acme/scans`);
  await assertLinks('scans', page, [pageOfCommit]);
  const local = page.getByRole('row').filter({ hasText: 'acme/shop' });
  await local.getByText(sha.slice(0, 7)).waitFor();
  assert.equal(await local.getByRole('link', { name: /at GitHub/ }).count(), 0);
  await page.goto(`${url}/w/acme/repositories/store%2Fweb?tab=references`);
  await assertLinks('references', page, Object.keys(pages));
  await page.getByRole('link', { name: 'v1.0', exact: true }).click();
  await page.waitForURL(/vulnerabilities\?.*ref=refs\/tags\/v1\.0/);
  await page.getByRole('link', { name: /sqli/ }).first().click();
  await assertLinks('panel', page.getByRole('dialog'), ['Open the branch main at GitHub']);
});

test('the forge of the nearest organization is used, only for its sources, and never in place of github.com', () => {
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

const base = 'https://git.example.com/base';
const hostile = 'src/a b#c?%2e/..x/"><script>@\u202e.js';
const encoded = 'src/a%20b%23c%3F%252e/..x/%22%3E%3Cscript%3E@%E2%80%AE.js';
const inQuery = encoded.replaceAll('/', '%2F');
const file = (from: Partial<Extract<ForgeTarget, { type: 'file' }>> = {}): ForgeTarget => ({
  type: 'file',
  path: hostile,
  line: 3,
  sha,
  reference: { type: 'branch', ref: hostile },
  ...from,
});
const commit: ForgeTarget = { type: 'commit', sha };
const reference = (type: string, ref: string): ForgeTarget => ({
  type: 'reference',
  reference: { type, ref },
});
const branch = reference('branch', hostile);
const tag = reference('tag', hostile);
const onBranch = file({ sha: null, line: null });
const onTag = file({ sha: null, reference: { type: 'tag', ref: hostile } });
const pull = reference('pull_request', 'refs/pull/7/head');

test('a file, commit, branch, tag and pull request lead to their pages at each kind of forge', () => {
  const lines = '&line=3&lineEnd=4&lineStartColumn=1&lineEndColumn=1';
  const pages: Record<string, [fullName: string, repository: string, [ForgeTarget, page: string][]]> = {
    github: [
      'acme/shop',
      'acme/shop',
      [
        [file(), `/blob/${sha}/${encoded}#L3`],
        [onBranch, `/blob/${encoded}/${encoded}`],
        [onTag, `/blob/${encoded}/${encoded}#L3`],
        [commit, `/commit/${sha}`],
        [branch, `/tree/${encoded}`],
        [tag, `/releases/tag/${encoded}`],
        [pull, '/pull/7'],
        [reference('pull_request', 'refs/pull/7/merge'), '/pull/7'],
      ],
    ],
    gitlab: [
      'a/b/c',
      'a/b/c',
      [
        [file(), `/-/blob/${sha}/${encoded}#L3`],
        [onBranch, `/-/blob/${encoded}/${encoded}`],
        [commit, `/-/commit/${sha}`],
        [branch, `/-/tree/${encoded}`],
        [tag, `/-/tags/${encoded}`],
        [reference('pull_request', 'refs/merge-requests/7/head'), '/-/merge_requests/7'],
        [pull, '/-/merge_requests/7'],
      ],
    ],
    bitbucket: [
      'acme/shop',
      'acme/shop',
      [
        [file(), `/src/${sha}/${encoded}#lines-3`],
        [onBranch, `/src/${encoded}/${encoded}`],
        [commit, `/commits/${sha}`],
        [branch, `/branch/${encoded}`],
        [tag, `/commits/tag/${encoded}`],
        [pull, '/pull-requests/7'],
      ],
    ],
    bitbucket_data_center: [
      'ACME/shop',
      'projects/ACME/repos/shop',
      [
        [file(), `/browse/${encoded}?at=${sha}#3`],
        [onBranch, `/browse/${encoded}?at=refs%2Fheads%2F${inQuery}`],
        [onTag, `/browse/${encoded}?at=refs%2Ftags%2F${inQuery}#3`],
        [commit, `/commits/${sha}`],
        [branch, `/browse?at=refs%2Fheads%2F${inQuery}`],
        [tag, `/browse?at=refs%2Ftags%2F${inQuery}`],
        [reference('pull_request', 'refs/pull-requests/7/from'), '/pull-requests/7'],
      ],
    ],
    azure_devops: [
      'acme/web/shop',
      'acme/web/_git/shop',
      [
        [file(), `?path=%2F${inQuery}&version=GC${sha}${lines}`],
        [onBranch, `?path=%2F${inQuery}&version=GB${inQuery}`],
        [onTag, `?path=%2F${inQuery}&version=GT${inQuery}${lines}`],
        [commit, `/commit/${sha}`],
        [branch, `?version=GB${inQuery}`],
        [tag, `?version=GT${inQuery}`],
        [pull, '/pullrequest/7'],
      ],
    ],
    gitea: [
      'acme/shop',
      'acme/shop',
      [
        [file(), `/src/commit/${sha}/${encoded}#L3`],
        [onBranch, `/src/branch/${encoded}/${encoded}`],
        [onTag, `/src/tag/${encoded}/${encoded}#L3`],
        [commit, `/commit/${sha}`],
        [branch, `/src/branch/${encoded}`],
        [tag, `/src/tag/${encoded}`],
        [pull, '/pulls/7'],
      ],
    ],
  };
  for (const [kind, [fullName, repository, targets]] of Object.entries(pages)) {
    for (const [target, page] of targets) {
      const address = forgeAddress({ kind, url: base }, fullName, target);
      assert.equal(address, `${base}/${repository}${page}`, `${kind} ${JSON.stringify(target)}`);
      assert.equal(new URL(address ?? '').href, address, 'a browser opens another address');
    }
  }
});

test('there is no link to plain http or an unknown forge, and none for an invalid name, commit or reference', () => {
  const site = { kind: 'github', url: base };
  for (const [forge, fullName, target] of [
    [{ ...site, url: 'http://git.example.com' }, 'acme/shop', commit],
    [{ ...site, url: 'javascript:alert(1)//' }, 'acme/shop', commit],
    [{ ...site, kind: 'sourcehut' }, 'acme/shop', commit],
    [site, 'a/b/c', commit],
    [site, '../evil', commit],
    [{ ...site, kind: 'bitbucket_data_center' }, '../evil', commit],
    [{ ...site, kind: 'azure_devops' }, 'acme/shop', commit],
    [{ ...site, kind: 'gitea' }, 'a/b/c', commit],
    [{ ...site, kind: 'gitlab' }, 'shop', commit],
    [site, 'acme/shop', { type: 'commit', sha: 'main' }],
    [site, 'acme/shop', { type: 'commit', sha: '../../evil' }],
    [site, 'acme/shop', file({ path: '../../evil' })],
    [site, 'acme/shop', file({ path: '/etc/passwd' })],
    [site, 'acme/shop', file({ sha: null, reference: { type: 'pull_request', ref: 'refs/pull/7/head' } })],
    [site, 'acme/shop', reference('branch', '../../../evil')],
    [site, 'acme/shop', reference('branch', 'a//b')],
    [site, 'acme/shop', reference('branch', '\ud800')],
    [site, 'acme/shop', reference('tag', '')],
    [site, 'acme/shop', reference('pull_request', 'refs/pull/7/../../head')],
    [site, 'acme/shop', reference('pull_request', 'refs/pull/evil/head')],
    [site, 'acme/shop', reference('snapshot', 'main')],
  ] as [ForgeSite, string, ForgeTarget][]) {
    assert.equal(forgeAddress(forge, fullName, target), null, `${fullName} ${JSON.stringify(target)}`);
  }
});
