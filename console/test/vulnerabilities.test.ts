/** Tests of the list of vulnerabilities: filters and their counts, the columns of a row, pages, and loading. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, screenshot, setLook, startConsole } from './support/console.ts';
import {
  axios,
  createVulnerabilityWorkspace,
  type ListBody,
  type Marked,
  type Measured,
  slug,
  storefront,
  viewOf,
} from './support/vulnerability-workspace.ts';

const started = await startConsole();
const { server, url, open } = started;
const { readApi, demo, openPage } = await createVulnerabilityWorkspace(started);

const table = (page: Page) => page.getByRole('region', { name: 'Vulnerabilities' }).getByRole('table');
const rowOf = (page: Page, title: string) => table(page).getByRole('row').filter({ hasText: title });

const linksOf = (page: Page) =>
  table(page)
    .getByRole('rowheader')
    .getByRole('link')
    .evaluateAll<string[], Marked>((found) => found.map((link) => link.getAttribute('href') ?? ''));

/** Waits until the list shows this total. */
async function expectTotal(page: Page, total: number): Promise<void> {
  const words = total === 1 ? '1 vulnerability' : `${total.toLocaleString('en-GB')} vulnerabilities`;
  await page.getByRole('status').filter({ hasText: words }).waitFor();
}

async function totalOf(query: string): Promise<number> {
  return (await readApi<ListBody>(`vulnerabilities?${viewOf(query)}`)).summary.total;
}

/** Opens the menu of a filter, from "+ Filter" if it is not in sight. */
async function openFacet(page: Page, name: string) {
  const button = page.getByRole('search').getByRole('button', { name, exact: true });
  if (await button.isVisible()) await button.click();
  else {
    await page.getByRole('search').getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  return page.getByRole('dialog', { name });
}

type Facets = Record<string, Record<string, number>>;

describe('filters', () => {
  test('each menu counts its choices, and a choice finds as many', async () => {
    const page = await openPage('admin');
    const facets = await readApi<Facets>('vulnerabilities/facets?scope=tracked&state=open');
    const cases = [
      ['Severity', 'severity', { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' }],
      ['Type', 'type', { dependency: 'Dependency', sast: 'Code (SAST)', secret: 'Secret' }],
      ['Source', 'source', { current: 'Current tree', git_history: 'Git history only' }],
      ['Triaged', 'triaged', { yes: 'Somebody has decided', no: 'Nobody has decided' }],
      ['Fix', 'fix', { yes: 'A version fixes it', no: 'No fix is known' }],
      ['Confirmed', 'confirmed', { yes: 'Verified as true', no: 'Not verified' }],
      ['Assignee', 'assignee', { unassigned: 'Nobody', assigned: 'Somebody', me: 'Me' }],
    ] as const;
    for (const [menu, parameter, options] of cases) {
      const dialog = await openFacet(page, menu);
      for (const [value, label] of Object.entries(options)) {
        const count = facets[parameter]?.[value] ?? Number.NaN;
        const words = `${label.replaceAll(/[()]/g, '\\$&')}\\s*${count}(?!\\d)`;
        await dialog.filter({ hasText: new RegExp(words) }).waitFor();
      }
      const [value, label] = Object.entries(options)[0] ?? [];
      await dialog.getByLabel(label ?? '', { exact: true }).click();
      await page.waitForURL(`**/*${parameter}=${value}*`);
      await page.keyboard.press('Escape');
      const total = await totalOf(`state=open&${parameter}=${value}`);
      assert.equal(total, facets[parameter]?.[value ?? ''], menu);
      if (total > 0) await expectTotal(page, total);
      else await page.getByText(/^Nothing matches/).waitFor();
      await page.getByRole('button', { name: `Remove the filter ${menu}: ${label}` }).click();
      await expectTotal(page, await totalOf('state=open'));
    }
  });

  test('the filter Exploitable finds only vulnerabilities that are known to be exploitable', async () => {
    const page = await openPage('admin');
    const dialog = await openFacet(page, 'Exploitable');
    await dialog.getByLabel('Known to be exploitable').click();
    await page.waitForURL('**/*exploitable=yes*');
    const total = await totalOf('state=open&exploitable=yes');
    assert.ok(total > 0 && total < (await totalOf('state=open')));
    await expectTotal(page, total);
    const badges = table(page)
      .getByRole('row')
      .filter({ hasText: /Exploitable|KEV/ });
    await badges.nth(total - 1).waitFor();
    assert.equal(await badges.count(), total);
  });

  test('the status is open by default and can be set to any', async () => {
    const page = await openPage('admin');
    assert.equal(new URL(page.url()).search, '');
    await expectTotal(page, await totalOf('state=open'));
    await page.getByRole('button', { name: 'Remove the filter Status: Open' }).click();
    await page.waitForURL('**/*state=any*');
    await expectTotal(page, await totalOf(''));
    await table(page).getByRole('columnheader', { name: 'Status' }).waitFor();
    const dialog = await openFacet(page, 'Status');
    await dialog.getByLabel('Fixed').click();
    await page.waitForURL('**/*state=fixed*');
    await expectTotal(page, await totalOf('state=fixed'));
    await page.goBack();
    await expectTotal(page, await totalOf(''));
  });

  test('repository and reference are chosen from lists, and title words and a commit are typed', async () => {
    const page = await openPage('admin');
    const repositories = await openFacet(page, 'Repository');
    await repositories.getByLabel('Find in Repository').fill('store');
    await repositories.getByLabel(storefront).click();
    await expectTotal(page, await totalOf(`state=open&repo=${storefront}`));
    const references = await openFacet(page, 'Reference');
    await references.getByLabel('refs/pull/214/head').click();
    await page.waitForURL('**/*ref=refs/pull/214/head*');
    const onReference = await totalOf(`state=open&repo=${storefront}&ref=refs/pull/214/head`);
    assert.notEqual(onReference, await totalOf(`state=open&repo=${storefront}`));
    await expectTotal(page, onReference);

    const search = page.getByRole('searchbox', { name: 'Title, package or CVE' });
    await page.keyboard.press('/');
    await search.and(page.locator(':focus')).waitFor();
    // A word is not searched while it is being typed.
    await page.keyboard.type('request fo');
    await page.waitForURL('**/*q=request*');
    await expectTotal(page, await totalOf(`state=open&repo=${storefront}&ref=refs/pull/214/head&q=request`));
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expectTotal(page, await totalOf(''));
    assert.equal(await search.inputValue(), '');

    const { sha } = await readApi<{ sha: string }>(`gate?repo=${storefront}&ref=refs/pull/214/head`);
    const commits = await openFacet(page, 'Commit');
    await commits.getByLabel('Commit').fill('not-a-commit');
    await page.keyboard.press('Enter');
    assert.ok(await commits.isVisible(), 'it is told in the field');
    await commits.getByLabel('Commit').fill(sha.slice(0, 10));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/*sha=${sha.slice(0, 10)}*`);
    await expectTotal(page, await totalOf(`sha=${sha.slice(0, 10)}`));
  });

  test('the search field keeps a letter that is typed while the address changes', async () => {
    const page = await openPage('viewer');
    const search = page.getByRole('searchbox', { name: 'Title, package or CVE' });
    // The letter arrives in the moment between the change of the address and the next drawing of the page.
    await page.evaluate(`{
      const replaceState = history.replaceState;
      history.replaceState = (...change) => {
        replaceState.apply(history, change);
        if (!location.search.endsWith('q=request')) return;
        history.replaceState = replaceState;
        document.execCommand('insertText', false, 's');
      };
    }`);
    await search.fill('request');
    await page.waitForURL('**/*q=requests');
    assert.equal(await search.inputValue(), 'requests');
  });

  test('an address sets filters and order, and a wrong value in it is named', async () => {
    const search = `?state=open&severity=high,medium&type=sast,dependency&sort=oldest&repo=${storefront}`;
    const page = await openPage('viewer', search);
    const { items, summary } = await readApi<ListBody>(`vulnerabilities${search}&scope=tracked`);
    await expectTotal(page, summary.total);
    for (const chip of [
      'Severity: High',
      'Severity: Medium',
      'Type: Code (SAST)',
      `Repository: ${storefront}`,
    ]) {
      await page.getByRole('button', { name: `Remove the filter ${chip}` }).waitFor();
    }
    // A row's link, opened elsewhere, has the same list beside its panel.
    assert.deepEqual(
      (await linksOf(page)).map((link) => Object.fromEntries(new URL(link, url).searchParams)),
      items.map(({ id }) => ({ ...Object.fromEntries(new URLSearchParams(search)), v: id })),
    );
    await page.goto(`${url}/w/${slug}/vulnerabilities?severity=terrible`);
    await page.getByRole('alert').filter({ hasText: 'terrible' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Severity: terrible' }).click();
    await expectTotal(page, await totalOf('state=open'));
  });
});

describe('rows', () => {
  test('show KEV, EPSS, exploitable, blocking, the fix, and by how much they are overdue', async () => {
    const { id } = await axios(readApi);
    await server.owner.query(
      `update policy_violation set due_at = now() - interval '3 days 2 hours'
        where target_id in (select id from vulnerability where title like 'axios%')`,
    );
    const page = await openPage('admin');
    const row = rowOf(page, 'axios: server-side request forgery');
    for (const words of ['KEV', 'EPSS 94%', 'Blocks', '1.7.4', '3 days overdue', 'Nobody']) {
      await row.getByText(words, { exact: true }).waitFor();
    }
    const choices = await openFacet(page, 'EPSS at least');
    await choices.getByLabel('90%').click();
    await page.waitForURL('**/*epss_min=0.9');
    await page.getByRole('button', { name: 'Remove the filter EPSS at least: 90%' }).waitFor();
    await expectTotal(page, await totalOf('scope=tracked&state=open&epss_min=0.9'));
    await row.waitFor();
    const { items } = await readApi<{ items: Record<string, unknown>[] }>(
      `vulnerabilities/signals?ids=${id}`,
    );
    const { kev, epss, exploitable, blocking, overdue } = items[0] ?? {};
    assert.deepEqual([kev, epss, exploitable, blocking, overdue], [true, 0.94321, true, true, true]);
  });

  test('say first what to do: the upgrade of a package, or the rule and the line in the code', async () => {
    const page = await openPage('viewer');
    await rowOf(page, 'axios: server')
      .getByRole('link', { name: 'axios 1.6.0 fixed in 1.7.4 · CVE-' })
      .waitFor();
    await openFacet(page, 'Type').then((dialog) => dialog.getByLabel('Code (SAST)').click());
    await page
      .getByRole('link', { name: /^detect-non-literal-regexp ?src\/search\/ ?port-search\.ts:\d+$/ })
      .waitFor();
  });

  test('are ordered by the headings of the columns', async () => {
    const page = await openPage('viewer', '', { width: 1440 });
    const heading = (name: string) => table(page).getByRole('columnheader', { name });
    assert.equal(await heading('Severity').getAttribute('aria-sort'), 'descending');
    for (const [sort, direction] of [
      ['newest', 'descending'],
      ['oldest', 'ascending'],
    ] as const) {
      await heading('First seen').getByRole('button').click();
      await page.waitForURL(`**/*sort=${sort}*`);
      await table(page).locator(`th[aria-sort="${direction}"]`, { hasText: 'First seen' }).waitFor();
      const { items } = await readApi<ListBody>(`vulnerabilities?${viewOf('state=open')}&sort=${sort}`);
      await table(page).locator(`tbody tr:first-child a[href$="v=${items[0]?.id}"]`).waitFor();
    }
    await heading('Severity').getByRole('button').click();
    await page.waitForURL((now) => !now.search.includes('sort'));
  });

  test('appear before their signals are loaded, and do not move when the signals arrive', async () => {
    const page = await open({ userId: demo.people.viewer.user.id });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/signals?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${url}/w/${slug}/vulnerabilities`);
    await rowOf(page, 'axios: server').waitFor();
    const locations = () =>
      table(page)
        .getByRole('row')
        .evaluateAll<number[][], Measured>((rows) =>
          rows.map((row) => [Math.round(row.getBoundingClientRect().top), row.clientHeight]),
        );
    const before = await locations();
    release();
    await rowOf(page, 'axios: server').getByText('KEV').waitFor();
    assert.deepEqual(await locations(), before);
  });

  test('have the chosen columns, also after a reload', async () => {
    const page = await openPage('viewer');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Tools' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Advisory' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Assignee' }).click();
    await page.keyboard.press('Escape');
    await rowOf(page, 'axios: server').getByText('trivy').waitFor();
    await rowOf(page, 'axios: server').getByRole('cell', { name: 'CVE-2024-39338', exact: true }).waitFor();
    await page.reload();
    await rowOf(page, 'axios: server').getByText('trivy').waitFor();
    assert.equal(await table(page).getByRole('columnheader', { name: 'Assignee' }).count(), 0);
  });

  test('come in pages, forward and back, and are as many as the API has', async () => {
    const page = await openPage('viewer', '?state=any');
    const total = await totalOf('');
    const seen = new Set<string>();
    const take = async () => {
      const links = await linksOf(page);
      for (const link of links) seen.add(link);
      return links;
    };
    const shown = page.getByRole('navigation', { name: 'Pages' }).getByRole('status');
    await shown.getByText(`1–50 of ${total}`, { exact: true }).waitFor();
    const first = await take();
    for (let shown = first.length; shown < total; shown = seen.size) {
      const before = page.url();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL((now) => now.href !== before);
      await page
        .getByRole('region', { name: 'Vulnerabilities', includeHidden: false })
        .and(page.locator('[aria-busy="false"]'))
        .waitFor();
      const links = await take();
      assert.ok(links.length > 0);
    }
    assert.equal(seen.size, total);
    const next = page.getByRole('button', { name: 'Next' });
    assert.ok(await next.isDisabled());
    assert.ok(await next.evaluate((button) => button.matches(':focus')));
    assert.match(await shown.innerText(), new RegExp(`^\\d+–${total} of ${total}$`));
    while (await page.getByRole('button', { name: 'Previous' }).isEnabled()) {
      await page.getByRole('button', { name: 'Previous' }).click();
    }
    await table(page).locator(`a[href="${first[0]}"]`).waitFor();
  });
});

test('a row that opens on a further page, another tab of its panel, and Escape keep the way back', async () => {
  const page = await openPage('viewer', '?state=any');
  const previous = page.getByRole('button', { name: 'Previous', exact: true });
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.waitForURL('**/*cursor=*');
  await page
    .locator('[aria-busy="false"]')
    .and(page.getByRole('region', { name: 'Vulnerabilities' }))
    .waitFor();
  await table(page).getByRole('rowheader').getByRole('link').first().click();
  await page.waitForURL('**/*v=vc_*');
  await page.getByRole('dialog').getByRole('tab', { name: 'Evidence' }).click();
  await page.waitForURL('**/*tab=evidence*');
  await page.keyboard.press('Escape');
  await page.waitForURL((now) => !now.search.includes('v='));
  await previous.click();
  await page.waitForURL((now) => !now.search.includes('cursor='));
  assert.ok(await previous.isDisabled());
});

test('the page loads with seven requests and sends none of them twice', async () => {
  const page = await open({ userId: demo.people.admin.user.id });
  const requests: string[] = [];
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (/^\/(console|manage)\//.test(path)) requests.push(path.replace(`/console/api/v1/${slug}`, ''));
  });
  await page.goto(`${url}/w/${slug}/vulnerabilities`);
  await rowOf(page, 'axios: server').getByText('KEV').waitFor();
  assert.deepEqual(requests.sort(), [
    '/console/session',
    '/console/workspaces',
    `/manage/v1/${slug}/saved-views`,
    // The navigation of every page sends this request.
    `/manage/v1/${slug}/waiting`,
    '/vulnerabilities',
    '/vulnerabilities/facets',
    '/vulnerabilities/signals',
  ]);
});

test('a workspace without vulnerabilities says how to upload the first report', async () => {
  const { people } = await createTestWorkspace(server, 'fresh');
  const page = await open({ userId: people.member.user.id, path: '/w/fresh/vulnerabilities' });
  await page.getByText('There is no vulnerability yet').waitFor();
  await page.getByText('--data-binary @report.json').waitFor();
  await page.getByRole('button', { name: 'Copy: command' }).waitFor();
  await assertFitsAndIsAccessible(page, 'vulnerabilities-none');
});

test('filters without a match can be cleared', async () => {
  const page = await openPage('viewer', '?state=open&severity=info&type=malware');
  await page.getByText('Nothing matches these filters').waitFor();
  await screenshot(page, 'vulnerabilities-no-match');
  await page.getByRole('link', { name: 'Clear the filters' }).click();
  await expectTotal(page, await totalOf('scope=all'));
});

test('a failed request is shown with its id and can be tried again', async () => {
  const page = await open({ userId: demo.people.viewer.user.id });
  await server.owner.query('alter table vulnerability_location rename to vulnerability_location_away');
  try {
    await page.goto(`${url}/w/${slug}/vulnerabilities`);
    await page.getByText('The server could not answer').waitFor();
    await page.getByRole('button', { name: 'Copy the request id' }).waitFor();
    await screenshot(page, 'vulnerabilities-failed');
  } finally {
    await server.owner.query('alter table vulnerability_location_away rename to vulnerability_location');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await rowOf(page, 'axios: server').waitFor();
});

test('a filter that is removed leaves the focus to the next one, and the last one to the search field', async () => {
  const page = await openPage('viewer', '?state=any&severity=critical,high');
  const focused = page.locator(':focus');
  const chip = (name: string) => page.getByRole('button', { name: `Remove the filter Severity: ${name}` });
  await chip('Critical').press('Enter');
  await chip('High').and(focused).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').and(focused).waitFor();
  await chip('High').waitFor({ state: 'detached' });
  await page.goBack();
  await chip('High').click();
  await page.getByRole('searchbox').and(focused).waitFor();
  await chip('High').waitFor({ state: 'detached' });
  const more = page.getByRole('button', { name: 'Filter', exact: true });
  await more.press('Enter');
  const facet = page.getByRole('menuitem').first();
  const label = (await facet.textContent()) ?? '';
  await facet.press('Enter');
  await page.getByRole('dialog', { name: label }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: label }).waitFor({ state: 'detached' });
  await more.and(focused).waitFor();
});

test('on a phone the controls of the headings are in sight while one of them has the focus', async () => {
  const page = await openPage('admin', '?state=any', { width: 390 });
  const selectAll = table(page).getByRole('checkbox', { name: /^Select all/ });
  const head = table(page).locator('thead');
  assert.equal((await head.boundingBox())?.height, 1);
  await selectAll.focus();
  await page.keyboard.press('Space');
  const box = await selectAll.boundingBox();
  const around = await head.boundingBox();
  assert.ok(box && around && box.y > around.y && box.y + box.height < around.y + around.height);
  await assertFitsAndIsAccessible(page, 'vulnerabilities-phone-headings');
  await page.keyboard.press('Tab');
  await table(page).getByRole('button', { name: 'Severity' }).and(page.locator(':focus')).waitFor();
  assert.ok(((await head.boundingBox())?.height ?? 0) > 30);
});

test('the list is accessible and fits at every width and in both colour schemes', async () => {
  const page = await openPage('admin', '?state=any');
  for (const look of looks) {
    await setLook(page, look);
    const { width } = look;
    await rowOf(page, 'axios: server').getByText('KEV').waitFor();
    await screenshot(page, 'vulnerabilities');
    const overflows = await table(page).evaluate<boolean, Measured>(
      (list) => list.clientWidth > (list.parentElement?.clientWidth ?? 0),
    );
    assert.equal(overflows, false, `the list is wider than its room at ${width} px`);
    if (width >= 768) {
      const toolbar = page.locator('.data-table-toolbar');
      const height = await toolbar.evaluate<number, Measured>((one) => one.clientHeight);
      assert.ok(height < 50, `what stands above the list takes more than one line at ${width} px`);
    }
    const clipped = await page
      .locator('.vuln-signals')
      .evaluateAll<number, Measured>((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    assert.equal(clipped, 0, `signals are clipped at ${width} px`);
    const filters = page.getByRole('button', { name: /^Filters/ });
    assert.equal(await filters.isVisible(), width < 768);
    if (width < 768) {
      // The list begins in the visible part of the page; all filters are one click away.
      const severity = page.getByRole('search').getByRole('button', { name: 'Severity', exact: true });
      assert.equal(await severity.isVisible(), false);
      const top = await table(page).evaluate<number, Measured>((list) => list.getBoundingClientRect().top);
      assert.ok(top < 422, `${top} px`);
      await filters.press('Enter');
      assert.equal(await filters.getAttribute('aria-expanded'), 'true');
      await severity.waitFor();
      await screenshot(page, 'vulnerabilities-filters');
    }
    const dialog = await openFacet(page, 'Severity');
    await dialog.getByLabel('Critical').waitFor();
    await assertFitsAndIsAccessible(page, 'vulnerabilities-facet');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    if (width < 768) await filters.press('Enter');
  }
});
