/**
 * Tests of repositories, one repository, organizations and applications: the pages show the API's data, and only admins
 * change it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { applyInventory } from '../../server/src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import type { Role } from '../../server/src/http/principal.ts';
import { sweepViolations } from '../../server/src/policies/evaluation/sweep.ts';
import { clientOf, queryOf, succeeded } from '../../server/test/support/client.ts';
import { fieldOf } from '../../server/test/support/fields.ts';
import { importAll } from '../../server/test/support/import.ts';
import { applyAndEvaluate } from '../../server/test/support/policies.ts';
import { sarif, trivy } from '../../server/test/support/reports.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, screenshot, setLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const empty = await createTestWorkspace(server, 'empty');
const client = clientOf(server.app, people.viewer.key);

// A name has no blank. Markup that the page would interpret becomes visible.
const nastyName = `acme/<img/src=x/onerror=document.title=1>${'-long'.repeat(30)}`;
const hebrew = 'מחסן/שער-ראשי';
const nastyApplication = '<img src=x onerror="document.title=1"> قاعدة <b>bold</b>';

await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    organizations: [
      { full_path: 'acme', name: 'Acme Inc.', type: 'github_org' },
      { full_path: 'acme/team', name: 'Team', parent: 'acme', type: 'gitlab_group' },
      { full_path: 'gone', orphaned: true },
    ],
    repositories: [
      { full_name: 'acme/shop', source: 'ghc', default_branch: 'main', is_private: false },
      { full_name: 'acme/team/api', source: 'gitlab' },
      { full_name: 'acme/quiet', is_archived: true },
      { full_name: nastyName },
      { full_name: hebrew },
    ],
    applications: [{ name: 'Storefront', description: 'What customers see', repositories: ['acme/shop'] }],
  }),
);
const packages = (count: number, severity: string) =>
  Array.from({ length: count }, (_, i) => ({
    id: `CVE-2030-${severity.length}${100 + i}`,
    name: `${severity.toLowerCase()}-${i}`,
    version: '1.0.0',
    severity,
  }));
const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3600_000);
const code = (count: number) =>
  sarif(
    Array.from({ length: count }, (_, i) => ({
      rule: `rule-${i}`,
      path: `src/${i}.ts`,
      line: 1,
      code: `call${i}()`,
    })),
    { category: 'nightly' },
  );
await importAll(server, 'acme', [
  reportInput(trivy([...packages(3, 'CRITICAL'), ...packages(5, 'HIGH')]), { scannedAt: daysAgo(9) }),
  reportInput(trivy([...packages(2, 'CRITICAL'), ...packages(5, 'HIGH')]), { scannedAt: daysAgo(2) }),
  reportInput(trivy(packages(4, 'HIGH')), { ref: 'feature/cart' }),
  reportInput(code(2), { scannedAt: daysAgo(40) }),
  reportInput(trivy([...packages(1, 'CRITICAL'), ...packages(2, 'LOW')]), { repository: 'acme/team/api' }),
  reportInput(trivy(packages(1, 'MEDIUM')), { repository: nastyName }),
]);
await applyAndEvaluate(
  server,
  tenant.id,
  `
policies:
  - key: nothing-critical
    name: Nothing critical
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
  - key: shop-high
    name: Storefront is careful
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
    rules: [{type: application, id: Storefront, enforcement_mode: block}]
  - key: not-here
    name: Not in the shop
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
    rules: [{type: repo, id: acme/shop, action: exclude}]
`,
);

const get = async <T>(path: string): Promise<T> => {
  return succeeded(await client.get<T>(path));
};
interface Named {
  id: string;
  full_name: string;
}
const repositories = (await get<{ items: Named[] }>('/api/v1/acme/repositories')).items;
const idOf = (name: string): string =>
  repositories.find(({ full_name }) => full_name === name)?.id ?? assert.fail(name);
const openIn = async (query: Record<string, string>): Promise<number> =>
  (
    await get<{ summary: { total: number } }>(
      `/api/v1/acme/vulnerabilities${queryOf({ state: 'open', ...query })}`,
    )
  ).summary.total;
const violationsIn = async (query: Record<string, string>): Promise<number> =>
  (
    await get<{ summary: { total: number } }>(
      `/api/v1/acme/policy-violations/all${queryOf({ status: 'open,pending_review', ...query })}`,
    )
  ).summary.total;

async function visit(role: Role, path: string): Promise<Page> {
  const page = await open({ userId: people[role].user.id, path: `/w/acme/${path}` });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowOf = (page: Page, tableName: string, name: string) =>
  table(page, tableName)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader').getByText(name, { exact: true }) });

async function totalOf(page: Page): Promise<number> {
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const nothing = page.getByText(/^Nothing matches|^No violation/);
  await pages.or(nothing).first().waitFor();
  if ((await nothing.count()) > 0) return 0;
  return Number(/of ([\d,]+)/.exec(await pages.innerText())?.[1]?.replaceAll(',', ''));
}

test('each repository shows how many vulnerabilities are open in it, with a link to just these', async () => {
  const page = await visit('viewer', 'repositories');
  await rowOf(page, 'Repositories', 'acme/shop').waitFor();
  const names = await table(page, 'Repositories').getByRole('rowheader').allInnerTexts();
  assert.deepEqual(
    names.map((name) => name.trim()),
    fieldOf(repositories, 'full_name'),
  );
  for (const { full_name: name } of repositories) {
    const expected = await openIn({ repo: name });
    const link = rowOf(page, 'Repositories', name).getByRole('link', { name: `${expected} open in ${name}` });
    await link.waitFor();
    assert.equal(await link.innerText(), String(expected));
  }
  // The bars of a page have one scale, so only the repository with the highest number fills its bar.
  const bars = await table(page, 'Repositories')
    .locator('.severity-bar')
    .evaluateAll((all) =>
      all.map((bar) => [...bar.children].reduce((sum, part) => sum + parseFloat(part.style.width), 0)),
    );
  assert.equal(bars.filter((width) => Math.round(width) === 100).length, 1);
  assert.ok(bars.length > 1);
  await rowOf(page, 'Repositories', 'acme/shop').getByText('Block', { exact: true }).waitFor();
  await rowOf(page, 'Repositories', 'acme/quiet').getByText('No verdict').waitFor();
  await rowOf(page, 'Repositories', nastyName)
    .getByRole('link', { name: /open in/ })
    .click();
  assert.equal(await totalOf(page), 1);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await chips.getByText(`Repository: ${nastyName}`).waitFor();
  assert.notEqual(await page.title(), '1');
  await page.goBack();
  await rowOf(page, 'Repositories', 'acme/shop').getByText('Public').waitFor();
  await rowOf(page, 'Repositories', 'acme/quiet').getByText('Archived').waitFor();
});

test('the key / goes to the search of each list, which finds a part of a name', async () => {
  for (const [path, label, typed, found] of [
    ['repositories', 'Repositories', 'api', 'acme/team/api'],
    ['organizations', 'Organizations', 'team', 'acme/team'],
    ['applications', 'Applications', 'store', 'Storefront'],
  ] as const) {
    const page = await visit('viewer', path);
    await rowOf(page, label, found).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(typed);
    await page.waitForURL(new RegExp(`q=${typed}$`));
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await rowOf(page, label, found).waitFor();
  }
});

test('a repository is not shown as never scanned while its last scan is read', async () => {
  const page = await open({ userId: people.viewer.user.id });
  const answer = Promise.withResolvers<void>();
  await page.route('**/repository-scans?*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto(`${url}/w/acme/repositories`);
  const row = rowOf(page, 'Repositories', 'acme/quiet');
  await row.getByText('…').first().waitFor();
  assert.equal(await page.getByText('never', { exact: true }).count(), 0);
  answer.resolve();
  await row.getByText('never', { exact: true }).waitFor();
});

test('repositories are filtered by organization and source, by keyboard and by the address', async () => {
  const page = await visit('viewer', 'repositories');
  await rowOf(page, 'Repositories', 'acme/shop').waitFor();
  await page.getByRole('button', { name: 'Organization' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Find in Organization' }).waitFor();
  await page.keyboard.type('team');
  await page.getByRole('radio', { name: 'acme/team' }).focus();
  await page.keyboard.press('Space');
  await rowOf(page, 'Repositories', 'acme/shop').waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '?org=acme/team');
  await rowOf(page, 'Repositories', 'acme/team/api').waitFor();

  await page.goto(`${url}/w/acme/repositories?source=ghc,gitlab`);
  await rowOf(page, 'Repositories', 'acme/team/api').waitFor();
  assert.equal(await table(page, 'Repositories').getByRole('rowheader').count(), 2);
  await page.goto(`${url}/w/acme/repositories?source=azure_devops`);
  await page.getByText('No repository matches these filters').waitFor();
  await page
    .getByRole('button', { name: 'Clear the filters' })
    .or(page.getByRole('link', { name: 'Clear the filters' }))
    .click();
  await rowOf(page, 'Repositories', 'acme/shop').waitFor();
  assert.equal(new URL(page.url()).search, '');
});

test('a repository shows severities, references with verdicts, tools and facts', async () => {
  const page = await visit('viewer', 'repositories');
  await rowOf(page, 'Repositories', 'acme/shop')
    .getByRole('link', { name: 'acme/shop', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'acme/shop' }).waitFor();
  const bySeverity = page.getByRole('region', { name: 'Open by severity' });
  const critical = await openIn({ repo: 'acme/shop', severity: 'critical' });
  assert.ok(critical > 0);
  await bySeverity.getByRole('link', { name: `Critical: ${critical} open` }).click();
  assert.equal(await totalOf(page), critical);
  await page.goBack();
  const all = await openIn({ repo: 'acme/shop' });
  await page.getByRole('img', { name: `${all} are open today` }).waitFor();

  const tab = (name: string) => page.getByRole('tab', { name }).click();
  await tab('References');
  await page.waitForURL(/\?tab=references$/);
  const { items } = await get<{
    items: { ref: string; verdict: string; open_by_severity: Record<string, number> }[];
  }>(`/api/v1/acme/references?repo=${idOf('acme/shop')}`);
  assert.deepEqual(fieldOf(items, 'ref'), ['main', 'feature/cart']);
  for (const { ref, verdict, open_by_severity: counts } of items) {
    const row = table(page, 'References').getByRole('row').filter({ hasText: ref });
    await row.getByText(new RegExp(`^${verdict}$`, 'i')).waitFor();
    const here = Object.values(counts).reduce((sum, n) => sum + n, 0);
    assert.equal(here, await openIn({ repo: 'acme/shop', ref }), ref);
    await row.getByRole('cell', { name: String(here), exact: true }).waitFor();
    await row.getByRole('link', { name: ref, exact: true }).click();
    assert.equal(await totalOf(page), here, ref);
    await page.goBack();
    await row.waitFor();
  }

  await tab('Scans');
  await page.getByRole('link', { name: 'All scans here' }).click();
  await page.getByRole('button', { name: 'Remove the filter Repository: acme/shop' }).waitFor();
  await page.goBack();
  const stale = table(page, 'Tools').getByRole('row').filter({ hasText: 'nightly' });
  await stale.getByText('Stale').waitFor();
  const fresh = table(page, 'Tools').getByRole('row').filter({ hasText: 'feature/cart' });
  await fresh.getByText('Fresh').waitFor();
  await fresh.getByRole('link', { name: /trivy on feature\/cart/ }).click();
  await page.waitForURL(/\/scans\/scan_/);
  await page.goBack();
  // The address holds the tab, so that the browser's back button returns to it.
  await fresh.waitFor();
  await tab('Overview');
  assert.equal(new URL(page.url()).search, '');
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByText('GitHub', { exact: true }).waitFor();
  await facts.getByRole('link', { name: 'acme', exact: true }).click();
  await page.waitForURL(/repositories\?org=acme$/);
});

test('an admin changes the default branch after a confirmation, once by a double click, and changes it back', async () => {
  const page = await visit('admin', 'repositories');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent++;
  });
  await rowOf(page, 'Repositories', 'acme/shop')
    .getByRole('link', { name: 'acme/shop', exact: true })
    .click();
  await page.getByRole('tab', { name: 'References' }).click();
  const references = table(page, 'References');
  for (const [branch, other] of [
    ['feature/cart', 'main'],
    ['main', 'feature/cart'],
  ] as const) {
    await references.getByRole('button', { name: `Make ${branch} the default branch` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make it the default' }).dblclick();
    await page.getByText(`${branch} is the default branch now.`).waitFor();
    await references.getByRole('button', { name: `Make ${other} the default branch` }).waitFor();
    await references.getByRole('row').nth(1).getByText('Default', { exact: true }).waitFor();
    assert.match((await references.getByRole('row').nth(1).textContent()) ?? '', new RegExp(branch));
  }
  assert.equal(sent, 2);
  await screenshot(page, 'repository-default-branch');
});

test('an admin sets tracked branches of a repository and takes them back, and an error of that is shown', async () => {
  const page = await visit('admin', `repositories/${idOf('acme/shop')}?tab=references`);
  const branch = table(page, 'References').getByRole('row').filter({ hasText: 'feature/cart' });
  await branch.getByText('Active', { exact: true }).waitFor();
  const section = page.getByRole('region', { name: 'Tracked branches' });
  await section.getByRole('button', { name: 'Change' }).click();
  await section.getByRole('combobox', { name: 'Tracked branches' }).fill('feature/*');
  await page.keyboard.press('Enter');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Names of this repository.').waitFor();
  await branch.getByText('Tracked', { exact: true }).waitFor();

  await section.getByRole('button', { name: 'Change' }).click();
  const reset = section.getByRole('button', { name: 'Use those of the workspace' });
  await page.route('**/tracked-branches', (route) => route.fulfill({ status: 500 }), { times: 1 });
  await reset.click();
  await page.getByRole('alert').filter({ hasText: 'The action failed' }).waitFor();
  await reset.click();
  await section.getByText('The names of the workspace.').waitFor();
  await branch.getByText('Active', { exact: true }).waitFor();
});

test('an admin sets after a confirmation whether a repository is exposed, and a viewer only reads it', async () => {
  const path = `repositories/${idOf('acme/shop')}`;
  const page = await visit('admin', path);
  const facts = page.getByRole('region', { name: 'Facts' });
  for (const [button, now] of [
    ['Set exposed', 'Yes: people outside can reach it'],
    ['Set not exposed', 'No'],
    ['Set exposed', 'Yes: people outside can reach it'],
  ] as const) {
    await facts.getByRole('button', { name: 'Change whether it is exposed' }).click();
    await screenshot(page, `repository-${button.toLowerCase().replaceAll(' ', '-')}`);
    await page.getByRole('dialog').getByRole('button', { name: button }).click();
    await facts.getByText('Exposed').locator('xpath=..').getByText(now).waitFor();
  }
  await screenshot(page, 'repository-exposed');
  const viewed = await visit('viewer', path);
  const read = viewed.getByRole('region', { name: 'Facts' });
  await read.getByText('Yes: people outside can reach it').waitFor();
  assert.equal(await read.getByRole('button', { name: 'Change whether it is exposed' }).count(), 0);
});

test('an admin sets the code owners of a repository, sees what its names mean, and lets uploads bring it again', async () => {
  const path = `repositories/${idOf('acme/shop')}`;
  const page = await visit('admin', path);
  const section = page.getByRole('region', { name: 'Code owners' });
  await section.getByText('No CODEOWNERS file has been uploaded yet.').waitFor();
  await section.getByRole('button', { name: 'Set a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set the code owners' });
  await dialog
    .getByLabel('CODEOWNERS')
    .fill(`* ${people.member.user.email}\n/pay/ @acme/payments\n[a-z].md @acme/docs`);
  await assertFitsAndIsAccessible(page, 'code-owners-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await section.getByText('set by an admin').waitFor();
  const row = (name: string | RegExp) => section.getByRole('row', { name });
  await row(people.member.user.email).getByText(people.member.user.name).waitFor();
  await row(/@acme\/payments/)
    .getByText('Nobody')
    .waitFor();
  await section.getByText('Line 3: The pattern is not supported, so the line is left out.').waitFor();
  await section.scrollIntoViewIfNeeded();
  await assertFitsAndIsAccessible(page, 'code-owners');
  await section.getByRole('button', { name: 'Take it from uploads again' }).click();
  await section.getByText('replaced by uploads').waitFor();
  const viewed = await visit('viewer', path);
  await viewed.getByRole('region', { name: 'Facts' }).waitFor();
  assert.equal(await viewed.getByRole('region', { name: 'Code owners' }).count(), 0);
});

test('a repository shows its policies with rule, mode and the same counts as the linked lists', async () => {
  const page = await visit('viewer', `repositories/${idOf('acme/shop')}?tab=policies`);
  const applying = page.getByRole('region', { name: 'Policies that apply here' });
  await applying.waitFor();
  const headers = (await applying.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n'));
  assert.deepEqual(headers, [
    ['Nothing critical', 'applies everywhere'],
    ['Storefront is careful', 'by its rule for the application Storefront'],
  ]);
  for (const [key, name] of [
    ['nothing-critical', 'Nothing critical'],
    ['shop-high', 'Storefront is careful'],
  ] as const) {
    const row = applying.getByRole('row').filter({ hasText: name });
    await row.getByText('Block', { exact: true }).waitFor();
    const query = { repo: 'acme/shop', policy: key };
    for (const [word, expected] of [
      ['unresolved', await violationsIn(query)],
      ['blocking', await violationsIn({ ...query, blocking: 'yes' })],
    ] as const) {
      assert.ok(expected > 0);
      await row.getByRole('link', { name: `${expected} ${word} of ${name}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Policy violations' }).waitFor();
      assert.equal(await totalOf(page), expected);
      await page.goBack();
      await row.waitFor();
    }
  }
  await applying.getByRole('link', { name: 'Storefront is careful', exact: true }).click();
  await page.waitForURL(/\/policies\//);
  await page.getByRole('heading', { level: 1, name: 'Storefront is careful' }).waitFor();
});

test('a repository is found by its name, one without scans says so, and an unknown one is not found', async () => {
  const page = await visit('viewer', `repositories/${encodeURIComponent('acme/shop')}`);
  await page.getByRole('heading', { level: 1, name: 'acme/shop' }).waitFor();
  await page.getByRole('region', { name: 'Open by severity' }).getByRole('link').first().waitFor();
  await page.goto(`${url}/w/acme/repositories/${idOf('acme/quiet')}`);
  await page.getByText('It has not been scanned yet').waitFor();
  const command = await page.getByRole('region', { name: 'Command' }).textContent();
  assert.match(command ?? '', /\/ingest\/v1\/acme\/scans\?repo=acme\/quiet&ref=main/);
  await page.getByText('Not known yet').waitFor();
  await page.getByRole('tab', { name: 'Scans' }).click();
  await page.getByText('No tool has scanned it yet').waitFor();
  await page.goto(`${url}/w/acme/repositories/repo_00000000000000000000000000`);
  const alert = page.getByRole('main').getByRole('alert').first();
  await alert.getByText('Not found').waitFor();
  await alert.getByRole('button', { name: 'Copy the request id' }).waitFor();
  await alert.getByRole('button', { name: 'Try again' }).waitFor();
});

test('organizations show type, parent, orphaned state and the same count as the linked list', async () => {
  const page = await visit('viewer', 'organizations');
  const organizations = (
    await get<{ items: { full_path: string; repositories_count: number }[] }>('/api/v1/acme/organizations')
  ).items;
  for (const { full_path: path, repositories_count: count } of organizations) {
    const row = rowOf(page, 'Organizations', path);
    await row.getByRole('link', { name: `${count} repositories of ${path}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Repositories' }).waitFor();
    const none = page.getByText('No repository matches these filters');
    const headers = table(page, 'Repositories').getByRole('rowheader');
    await none.or(headers.first()).waitFor();
    assert.equal(await headers.count(), count, path);
    await page.goBack();
    await row.waitFor();
  }
  const team = rowOf(page, 'Organizations', 'acme/team');
  await team.getByText('GitLab group').waitFor();
  await team.getByRole('link', { name: 'acme', exact: true }).waitFor();
  await rowOf(page, 'Organizations', 'gone').getByText('Orphaned').waitFor();
  assert.equal(await page.getByText('Orphaned').count(), 1);
});

test('an admin creates an application by keyboard, and its policy follows the chosen repositories', async () => {
  const page = await visit('admin', 'applications');
  await page.getByRole('button', { name: 'New application' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'New application' });
  await form.getByLabel('Name').waitFor();
  await page.keyboard.type('storefront');
  await page.keyboard.press('Enter');
  await form.getByText('There is already an application storefront.').waitFor();
  await form.getByLabel('Name').fill('Back office');
  await form.getByLabel('Description').fill('Plans and bills\nfor everybody');
  const owner = form.getByRole('combobox', { name: 'Owner' });
  await owner.fill('Somebody else');
  await page.getByText('No member has this name').waitFor();
  await page.keyboard.press('Enter');
  await owner.fill(people.member.user.name);
  await page.getByRole('option', { name: people.member.user.name }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await assertFitsAndIsAccessible(page, 'application-form');
  await form.getByRole('button', { name: 'Create application' }).focus();
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /Back office/ })
    .getByText(people.member.user.name)
    .waitFor();

  const panel = page.getByRole('dialog', { name: 'Back office' });
  await panel.getByText('It has no repository yet.').waitFor();
  await panel.getByRole('button', { name: 'Choose repositories' }).focus();
  await page.keyboard.press('Enter');
  const choosing = page.getByRole('dialog', { name: 'Repositories of Back office' });
  await choosing.getByRole('checkbox', { name: 'acme/shop' }).waitFor();
  await page.keyboard.type('TEAM');
  await choosing.getByRole('checkbox', { name: 'acme/shop' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await choosing.getByText('1 repository chosen').waitFor();
  await choosing.getByLabel('Find repositories').fill('שער');
  await choosing.getByRole('checkbox', { name: hebrew }).check();
  await choosing.getByLabel('Find repositories').fill('img');
  await choosing.getByRole('checkbox', { name: nastyName }).check();
  await assertFitsAndIsAccessible(page, 'application-group');
  await choosing.getByRole('button', { name: 'Save' }).click();
  await choosing.waitFor({ state: 'detached' });
  await panel.getByRole('heading', { name: '3 repositories' }).waitFor();
  await panel.getByRole('link', { name: '3 open in acme/team/api' }).waitFor();
  assert.notEqual(await page.title(), '1');
  await screenshot(page, 'application-panel');

  const { items } = await get<{ items: { id: string; name: string }[] }>('/api/v1/acme/applications');
  const id = items.find(({ name }) => name === 'Back office')?.id ?? '';
  const stored = await get<{ description: string; repositories: Named[] }>(`/api/v1/acme/applications/${id}`);
  assert.equal(stored.description, 'Plans and bills\nfor everybody');
  assert.deepEqual(
    stored.repositories.map(({ full_name }) => full_name).toSorted(),
    ['acme/team/api', hebrew, nastyName].toSorted(),
  );

  // The panel shows a policy with a rule for the application, and the policy follows its repositories.
  await applyAndEvaluate(
    server,
    tenant.id,
    `
policies:
  - key: office-low
    name: Not even low ones
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '>=', value: low}]}
    rules: [{type: application, id: ${id}}]
`,
  );
  const found = { policy: 'office-low', blocking: 'yes' };
  const before = await violationsIn(found);
  assert.equal(before, 3 + 1);
  await page.reload();
  await panel.getByRole('link', { name: 'Not even low ones' }).waitFor();
  await panel.getByRole('button', { name: 'Choose repositories' }).click();
  await choosing.getByRole('checkbox', { name: 'acme/team/api' }).uncheck();
  await choosing.getByRole('checkbox', { name: 'acme/shop' }).check();
  await choosing.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Policies are evaluated again in the next minutes.').waitFor();
  await panel.getByRole('link', { name: 'acme/shop', exact: true }).waitFor();
  await sweepViolations(server.db, tenant.id, new Date());
  assert.equal(await violationsIn({ ...found, repo: 'acme/team/api' }), 0);
  assert.ok((await violationsIn({ ...found, repo: 'acme/shop' })) > 0);
  await panel.getByRole('link', { name: 'acme/shop', exact: true }).click();
  await page.getByRole('tab', { name: 'Policies' }).click();
  const applying = page.getByRole('region', { name: 'Policies that apply here' });
  await applying.getByRole('link', { name: 'Not even low ones', exact: true }).waitFor();
  await applying.getByText('by its rule for the application Back office').waitFor();
});

test('an application is deleted once its name is typed, but not while a policy has a rule for it', async () => {
  const page = await visit('admin', 'applications');
  await rowOf(page, 'Applications', 'Storefront').getByRole('link').click();
  const panel = page.getByRole('dialog').first();
  await panel.getByText('What customers see').waitFor();
  assert.match(new URL(page.url()).search, /^\?app=app_/);
  await panel.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the application' });
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' });
  await confirm.click();
  await dialog.getByText('Type it exactly as it is shown above.').waitFor();
  await dialog.getByLabel(/Type Storefront/).fill('Storefront');
  await assertFitsAndIsAccessible(page, 'application-delete');
  await confirm.click();
  await page
    .getByText('Policies have rules for the application: shop-high. Change these policies first.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${url}/w/acme/applications`);
  await page.getByRole('button', { name: 'New application' }).click();
  const form = page.getByRole('dialog', { name: 'New application' });
  await form.getByLabel('Name').fill('Short-lived');
  await form.getByRole('button', { name: 'Create application' }).click();
  const shown = page.getByRole('dialog', { name: 'Short-lived' });
  await shown.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the application' });
  assert.equal(await edit.getByLabel('Name').inputValue(), 'Short-lived');
  await edit.getByLabel('Name').fill(nastyApplication);
  await edit.getByLabel('Description').fill(`${nastyApplication}\n${'word '.repeat(200)}`);
  await edit.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('dialog', { name: nastyApplication });
  await renamed.waitFor();
  // Escape closes the dialog on top, so the other one must be gone.
  await edit.waitFor({ state: 'detached' });
  await screenshot(page, 'application-nasty');
  await page.keyboard.press('Escape');
  await renamed.waitFor({ state: 'detached' });
  const row = rowOf(page, 'Applications', nastyApplication);
  await row.waitFor();
  assert.notEqual(await page.title(), '1');
  await screenshot(page, 'applications');
  await row.getByRole('link').click();
  await renamed.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').fill(nastyApplication);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await row.waitFor({ state: 'detached' });
  const { items } = await get<{ items: { name: string }[] }>('/api/v1/acme/applications');
  assert.ok(items.every(({ name }) => name !== nastyApplication));
  const admin = await signInAs(server, people.admin.user.id);
  const audit = await admin.get<{ items: { action: string }[] }>('/manage/v1/acme/audit?per_page=200');
  const actions = new Set(audit.body.items.map(({ action }) => action));
  for (const action of ['create', 'change', 'repositories', 'delete']) {
    assert.ok(actions.has(`application.${action}`), action);
  }
});

test('viewers and members have no buttons to change applications, and the server refuses their calls', async () => {
  for (const role of ['viewer', 'member'] as const) {
    const page = await visit(role, 'applications');
    await rowOf(page, 'Applications', 'Storefront').getByRole('link').click();
    const panel = page.getByRole('dialog', { name: 'Storefront' });
    await panel.getByRole('link', { name: 'acme/shop', exact: true }).waitFor();
    for (const name of ['New application', 'Choose repositories', 'Edit', 'Delete']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, `${role}: ${name}`);
    }
    const id = new URL(page.url()).searchParams.get('app') ?? '';
    const session = await signInAs(server, people[role].user.id);
    const base = '/manage/v1/acme/applications';
    const answers = [
      await session.post(base, { name: 'Mine' }),
      await session.patch(`${base}/${id}`, { name: 'Mine' }),
      await session.put(`${base}/${id}/repositories`, { repositories: [] }),
      await session.delete(`${base}/${id}`),
    ];
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [403, 'TOKEN_ABILITY_DENIED'], role);
    }
  }
});

test('each page of an empty workspace says what to do next', async () => {
  const page = await open({ userId: empty.people.admin.user.id });
  for (const [path, title, command] of [
    ['repositories', 'There is no repository yet', '/ingest/v1/empty/scans'],
    ['organizations', 'There is no organization yet', '/ingest/v1/empty/scans'],
    [
      'applications',
      'There is no application yet',
      'merlond inventory apply inventory.yaml --workspace empty',
    ],
  ] as const) {
    await page.goto(`${url}/w/empty/${path}`);
    await page.getByText(title).waitFor();
    const text = await page.getByRole('region', { name: 'Command' }).textContent();
    assert.ok(text?.includes(command), text ?? '');
  }
  await assertFitsAndIsAccessible(page, 'applications-none');
});

test('every inventory page is accessible and fits, light and dark, wide and narrow', async () => {
  const pages: [name: string, path: string, row: string][] = [
    ['repositories', 'repositories', 'Repositories'],
    ['repository', `repositories/${idOf('acme/shop')}?tab=references`, 'References'],
    ['repository-scans', `repositories/${idOf('acme/shop')}?tab=scans`, 'Tools'],
    ['repository-nasty', `repositories/${idOf(nastyName)}?tab=scans`, 'Tools'],
    ['organizations', 'organizations', 'Organizations'],
    ['applications', 'applications', 'Applications'],
  ];
  const page = await open({ userId: people.admin.user.id });
  for (const [name, path, row] of pages) {
    await page.goto(`${url}/w/acme/${path}`);
    await table(page, row).getByRole('rowheader').first().waitFor();
    for (const look of looks) {
      await setLook(page, look);
      await assertFitsAndIsAccessible(page, name);
      if (look.width >= 768) continue;
      // A cell without a value shows no heading either.
      const cells = page.locator('[data-cards="labelled"] td[data-column="traits"]:visible');
      for (const text of await cells.allInnerTexts()) assert.match(text, /Public|Archived/, name);
    }
  }
});
