/**
 * Tests of the overview: every number equals that of the API and of the list behind it, also in the chart and by
 * keyboard.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { clientOf, queryOf, type Schemas } from '../../server/test/support/client.ts';
import { importAll } from '../../server/test/support/import.ts';
import { markKevLoaded } from '../../server/test/support/kev.ts';
import { passMidnight } from '../../server/test/support/midnight.ts';
import { applyAndEvaluate, policiesOf, policyOf } from '../../server/test/support/policies.ts';
import { sarif, trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, setLook, startConsole } from './support/console.ts';

type Overview = Schemas['Overview'];

type TrendDay = Schemas['Trend']['days'][number];

interface TrendWeek {
  from: string;
  new: number;
  fixed: number;
}

const dayMs = 24 * 3600_000;
await passMidnight();
const daysAgo = (days: number): Date =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + 3600_000);
const found = (name: string, severity: string) => ({
  id: `CVE-2030-${1000 + name.charCodeAt(0)}`,
  name,
  version: '1.0.0',
  severity,
});
const many = (first: number, count: number, severity: string) =>
  Array.from({ length: count }, (_, i) => found(String.fromCharCode(first + i), severity));
const report = (days: number, packages: ReturnType<typeof found>[], repository = 'acme/shop') =>
  reportInput(trivy(packages), { repository, scannedAt: daysAgo(days) });

const { server, url, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const empty = await createTestWorkspace(server, 'empty');
await applyAndEvaluate(
  server,
  tenant.id,
  policiesOf(
    policyOf('severe', "{fact: severity, operator: '>=', value: critical}", { window: '12d' }),
    policyOf('some', "{fact: severity, operator: '==', value: medium}", { mode: 'warn', window: '8d' }),
    policyOf('any', "{fact: type, operator: '==', value: dependency}", { mode: 'monitor' }),
  ),
);
// Some of them are known to be exploited.
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) select v, '2026-01-01', 'v', 'p', 'n'
     from unnest(array['CVE-2030-1098', 'CVE-2030-1101']) v`,
);
await importAll(server, 'acme', [
  report(40, [found('a', 'CRITICAL'), found('b', 'HIGH'), found('c', 'LOW'), ...many(300, 60, 'HIGH')]),
  report(30, [found('a', 'CRITICAL'), found('b', 'CRITICAL'), found('d', 'HIGH'), ...many(300, 55, 'HIGH')]),
  report(20, [found('b', 'CRITICAL'), found('d', 'HIGH'), ...many(300, 55, 'HIGH')]),
  report(10, [found('a', 'CRITICAL'), found('b', 'CRITICAL'), found('d', 'HIGH'), ...many(300, 50, 'HIGH')]),
  report(5, [found('e', 'MEDIUM'), found('f', 'UNKNOWN'), found('g', 'INFO')], 'acme/api'),
  // The week of the overview begins at midnight of UTC, which is later than that of the browser.
  reportInput(trivy([found('h', 'LOW')]), {
    repository: 'acme/night',
    scannedAt: new Date(daysAgo(6).getTime() - 1.25 * 3600_000),
  }),
  // The newest scan of this code is 40 days old.
  reportInput(sarif([]), { scannedAt: daysAgo(40) }),
  // The second scan shows too little, so its closing is held.
  report(4, many(200, 24, 'LOW'), 'acme/many'),
  report(3, [], 'acme/many'),
  reportInput('{"no": "report"}', { repository: 'acme/api' }),
]);

const client = clientOf(server.app, people.viewer.key);
const { body: overview } = await client.get<Overview>('/api/v1/acme/overview');

async function visit(role: 'admin' | 'viewer') {
  const page = await open({ userId: people[role].user.id, path: '/w/acme' });
  await page.getByRole('region', { name: 'At a glance' }).waitFor();
  return page;
}

const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

/** The total number of rows of the list. */
async function totalOf(page: Page): Promise<number> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const nothing = page.getByText(/^Nothing matches|^No violation|^No closing|^No series/);
  await pages.or(nothing).first().waitFor();
  if ((await nothing.count()) > 0) return 0;
  return numberIn(/of [\d,]+/.exec(await pages.innerText())?.[0] ?? '');
}

async function rowsOf(page: Page, table: string): Promise<number> {
  const rows = page.getByRole('region', { name: table }).getByRole('rowheader');
  await rows.first().waitFor();
  return rows.count();
}

test('each number at a glance equals the API and the length of the linked list', async () => {
  const page = await visit('viewer');
  const glance = page.getByRole('region', { name: 'At a glance' });
  const stats: [label: string, expected: number, behind: (page: Page) => Promise<number>][] = [
    ['Open vulnerabilities', overview.open.total, totalOf],
    ['New in seven days', overview.week.new, totalOf],
    ['Exploitable', overview.exploitable, totalOf],
    ['Blocking violations', overview.violations.blocking, totalOf],
    ['Overdue violations', overview.violations.overdue, totalOf],
    ['Due soon', overview.violations.due_soon, totalOf],
    ['Open violations', overview.violations.open, totalOf],
    ['Closures to review', overview.scans.held_closures, (list) => rowsOf(list, 'Closures to review')],
    ['Stale series', overview.scans.stale_series, (list) => rowsOf(list, 'Stale series')],
  ];
  for (const [label, expected, behind] of stats) {
    assert.ok(expected > 0, label);
    const link = glance.getByRole('link', { name: new RegExp(`^${label}`) });
    assert.equal(numberIn((await link.innerText()).slice(label.length)), expected, label);
    await link.click();
    await page.waitForURL((address) => address.pathname !== '/w/acme');
    assert.equal(await behind(page), expected, `the list behind ${label}`);
    await page.goBack();
    await glance.waitFor();
  }
});

test('without the catalogue of exploited vulnerabilities, the number of exploitable ones says so', async () => {
  const page = await visit('viewer');
  const link = page.getByRole('link', { name: /^Exploitable/ });
  await link.getByText('the KEV catalogue is not loaded').waitFor();
  await setLook(page, { width: 390, colorScheme: 'light' });
  await assertFitsAndIsAccessible(page, 'overview-not-loaded');
  await markKevLoaded(server);
  await page.reload();
  await link.getByText('on tracked references').waitFor();
});

test('the SLA in per cent is that of the API, and says what it counts to the keyboard too', async () => {
  const { percent, kept, resolved } = overview.sla;
  assert.ok(resolved > 0);
  const page = await visit('viewer');
  const link = page.getByRole('link', { name: /^SLA met/ });
  assert.match(await link.innerText(), new RegExp(`${percent} %\\s+${kept} of ${resolved} in time`));
  await link.focus();
  await page.getByRole('tooltip').getByText('resolved by their due date').waitFor();
});

test('the last scan says whether scans failed this week, and links to them', async () => {
  assert.equal(overview.scans.failed_week, 1);
  const page = await visit('viewer');
  const link = page.getByRole('link', { name: /^Last scan/ });
  assert.match(await link.innerText(), /some failed this week/);
  assert.match(
    (await link.locator('time').getAttribute('title')) ?? '',
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
  );
  await link.click();
  assert.equal(await rowsOf(page, 'Scans'), 1);
  await page.getByRole('list', { name: 'Active filters' }).getByText('Status: Failed').waitFor();
});

test('each severity of the open vulnerabilities links to a list of the same length', async () => {
  const page = await visit('viewer');
  const parts = page.getByRole('region', { name: 'Open by severity' });
  let sum = 0;
  for (const severity of ['Critical', 'High', 'Medium', 'Low', 'Info', 'Unknown']) {
    const expected = overview.open.by_severity[severity.toLowerCase()] ?? 0;
    sum += expected;
    await parts.getByRole('link', { name: `${severity}: ${expected} open`, exact: true }).click();
    await page.waitForURL(/vulnerabilities/);
    assert.equal(await totalOf(page), expected, severity);
    await page.goBack();
    await parts.waitFor();
  }
  assert.equal(sum, overview.open.total);
});

test('repositories by risk have the order of the API, and each links to its page and its list', async () => {
  const page = await visit('viewer');
  const rows = page.getByRole('region', { name: 'Repositories by risk' }).getByRole('row');
  assert.equal(await rows.count(), overview.repositories.length + 1);
  for (const [index, { full_name: name, open: count }] of overview.repositories.entries()) {
    const row = rows.nth(index + 1);
    assert.equal((await row.getByRole('rowheader').innerText()).trim(), name);
    await row.getByRole('link', { name: `${count} open in ${name}` }).click();
    assert.equal(await totalOf(page), count, name);
    await page.goBack();
    await row.waitFor();
  }
  await rows.nth(1).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: overview.repositories[0]?.full_name ?? '' }).waitFor();
});

test('the trend can be shown as a table by keyboard, with the numbers of the API', async () => {
  const page = await visit('viewer');
  const { body } = await client.get<{ since: string; days: TrendDay[]; weeks: TrendWeek[] }>(
    '/api/v1/acme/trend',
  );
  const days = body.days.filter(({ date }) => date >= body.since).toReversed();
  const weeks = body.weeks.toReversed();
  assert.equal(days.length, 41);
  assert.equal(days[0]?.open, overview.open.total);
  await page.getByRole('img', { name: `${overview.open.total} are open today` }).waitFor();
  const sum = (of: (day: TrendDay) => number): number => days.reduce((total, day) => total + of(day), 0);
  await page
    .getByRole('img', { name: `${sum((day) => day.new)} new and ${sum((day) => day.fixed)} fixed` })
    .waitFor();
  const shown = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];
  const charts: [title: string, rows: (string | number)[][]][] = [
    [
      'Open over the last 41 days',
      days.map((day) => [
        day.date,
        day.open,
        ...shown.map((severity) => day.open_by_severity[severity] ?? 0),
      ]),
    ],
    ['New and fixed by week', weeks.map((week) => [week.from, week.new, week.fixed])],
  ];
  for (const [title, expected] of charts) {
    const choice = page.getByRole('radiogroup', { name: `${title}: show as` });
    await choice.getByRole('radio', { name: 'Chart' }).focus();
    await page.keyboard.press('ArrowRight');
    const rows = page.getByRole('region', { name: title }).getByRole('row');
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    assert.deepEqual(
      texts.slice(1).map((text) => text.split(/\s+/)),
      expected.map((row) => row.map(String)),
      title,
    );
  }
  await assertFitsAndIsAccessible(page, 'overview-tables');
});

test('the mean time to fix equals the API, and a severity links to its fixed vulnerabilities', async () => {
  const page = await visit('viewer');
  const rows = page.getByRole('region', { name: 'Mean time to fix' }).getByRole('row');
  const shown = (await rows.allInnerTexts()).slice(1).map((text) => text.split(/\t|\n/).filter(Boolean));
  const words = (seconds: number | null): string => {
    if (seconds === null) return '–';
    const days = seconds / 86_400;
    return `${days < 10 ? days.toFixed(1) : Math.round(days)} days`;
  };
  assert.deepEqual(
    shown.map(([severity, mean, fixed]) => [severity?.toLowerCase(), mean, fixed]),
    overview.fix_time.map(({ severity, fixed, mean_seconds: mean }) => [
      severity,
      words(mean),
      String(fixed),
    ]),
  );
  assert.ok(overview.fix_time.some(({ fixed }) => fixed > 0));
  await rows.getByRole('link', { name: 'High' }).click();
  const behind = await client.get<{ summary: { total: number } }>(
    `/api/v1/acme/vulnerabilities${queryOf({ state: 'fixed', severity: 'high' })}`,
  );
  assert.equal(await totalOf(page), behind.body.summary.total);
});

test('the first number opens its list by keyboard, and a shortcut leads back', async () => {
  const page = await visit('viewer');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).focus();
  // The link to the report and the choice of the scope come before the numbers.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const focused = await page.evaluate<string>('document.activeElement.textContent');
  assert.match(focused, /^Open vulnerabilities/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Vulnerabilities' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('another scope shows no numbers of the previous one while its own are read', async () => {
  const page = await visit('viewer');
  const answer = Promise.withResolvers<void>();
  await page.route('**/overview?scope=all', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByRole('radiogroup').getByText('Everywhere').click();
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.waitFor({ state: 'detached' });
  answer.resolve();
  await glance.getByText('on any active reference').first().waitFor();
});

test('a workspace without scans says what to do, with the command to copy', async () => {
  const page = await open({ userId: empty.people.member.user.id, path: '/w/empty' });
  await page.getByText('Nothing has been scanned yet').waitFor();
  const command = page.getByRole('region', { name: 'Command' });
  const text = (await command.textContent()) ?? '';
  assert.ok(text.includes(`${url}/ingest/v1/empty/scans`), text);
  await page.getByRole('button', { name: 'Copy: command' }).waitFor();
  await assertFitsAndIsAccessible(page, 'overview-empty');
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'upload one here' }).waitFor();
  await main.getByRole('link', { name: 'API key' }).click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();

  const looking = await open({ userId: empty.people.viewer.user.id, path: '/w/empty' });
  await looking.getByText('A member of the workspace').waitFor();
  assert.equal(await looking.getByRole('main').getByRole('link').count(), 0);
});

test('the overview is accessible and fits, light and dark, wide and narrow', async () => {
  const page = await visit('admin');
  for (const look of looks) {
    await setLook(page, look);
    for (const said of ['are open today', 'fixed within the last 41 days']) {
      await page.getByRole('img', { name: said }).locator('svg').first().waitFor();
    }
    await assertFitsAndIsAccessible(page, 'overview');
  }
});
