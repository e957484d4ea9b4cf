/**
 * Tests of two workspaces, with one person of each in a separate browser: neither sees a name, an id, a count or a
 * suggestion of the other, on any page, in any menu, in any answer that the page receives.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { addMember } from '../../server/src/access/members/service.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import type { Side } from '../../server/src/doctor/isolation/canaries.ts';
import { leaksIn, ownUuids } from '../../server/src/doctor/isolation/leaks.ts';
import { createWorld } from '../../server/test/support/world.ts';
import { consoleOf } from './support/console.ts';

const { server, home, foreign } = await createWorld();
const { url, open } = await consoleOf(server);
const quietMs = 100;

function pathsOf(side: Side): string[] {
  return [
    '',
    '/vulnerabilities?state=open',
    `/vulnerabilities?v=${side.vulnerability}`,
    '/violations',
    '/exceptions',
    '/repositories',
    `/repositories/${side.repository}`,
    '/organizations',
    '/applications',
    '/scans',
    `/scans/${side.scan}`,
    '/scans/held',
    '/scans/stale',
    '/scans/replaced',
    '/policies',
    `/policies/${side.policy}`,
    '/keys',
    '/members',
    '/notifications',
    '/audit',
    '/settings',
  ];
}

interface Watched {
  /** All answers that the page has received. */
  answers: string[];
  /** Waits until the page shows its heading and expects no answer any more. An event stream stays open. */
  settle(): Promise<void>;
}

function watchAnswers(page: Page): Watched {
  const answers: string[] = [];
  const open = new Set<Request>();
  let lastChange = 0;
  const close = (request: Request): void => {
    if (open.delete(request)) lastChange = Date.now();
  };
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') return;
    open.add(request);
    lastChange = Date.now();
  });
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  page.on('response', async (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/event-stream/.test(type)) close(response.request());
    if (!/json|html/.test(type)) return;
    answers.push(`${response.url()} ${await response.text().catch(() => '')}`);
  });
  return {
    answers,
    settle: async () => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The page sends further requests within a few frames of an answer.
      while (open.size > 0 || Date.now() - lastChange < quietMs) await page.waitForTimeout(20);
    },
  };
}

/** The text of the page, with each of its filters opened in turn, including those behind "+ Filter". */
async function textWithMenus(page: Page, settle: () => Promise<void>): Promise<string> {
  const texts = [await page.locator('body').innerText()];
  const bar = page.getByRole('search');
  const more = bar.getByRole('button', { name: 'Filter', exact: true });
  const readOpened = async (): Promise<void> => {
    await page.getByRole('dialog').first().waitFor();
    await settle();
    texts.push(await page.locator('body').innerText());
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  };
  const menus = bar.getByRole('button', { expanded: false });
  for (let i = 0; i < (await menus.count()); i++) {
    if ((await menus.nth(i).innerText()).trim() === 'Filter') continue;
    await menus.nth(i).click();
    await readOpened();
  }
  const items = page.getByRole('menu').getByRole('menuitem');
  for (let i = 0, count = 1; i < count && (await more.count()) > 0; i++) {
    await more.click();
    await items.first().waitFor();
    count = await items.count();
    await items.nth(i).click();
    await readOpened();
  }
  return texts.join('\n');
}

for (const [own, other] of [
  [home, foreign],
  [foreign, home],
] as const) {
  test(`an admin of ${own.slug} sees nothing of ${other.slug}`, async () => {
    const theirs = await ownUuids(server, other, own);
    const page = await open({ userId: own.people.admin.user.id });
    const { answers, settle } = watchAnswers(page);
    for (const path of pathsOf(own)) {
      await page.goto(`${url}/w/${own.slug}${path}`);
      await settle();
      const text = path.includes('?v=')
        ? await page.locator('body').innerText()
        : await textWithMenus(page, settle);
      assert.deepEqual(leaksIn(text, theirs, other), [], path);
    }
    await page.goto(url);
    await settle();
    assert.deepEqual(leaksIn(await page.locator('body').innerText(), theirs, other), []);
    assert.ok(answers.length > 40, `${answers.length} answers`);
    assert.ok(answers.some((answer) => answer.includes(own.mark)));
    assert.deepEqual(leaksIn(answers.join('\n'), theirs, other), []);
  });
}

test('addresses with ids of the other workspace are not found and show nothing of it', async () => {
  const theirs = await ownUuids(server, foreign, home);
  const page = await open({ userId: home.people.admin.user.id });
  const { answers } = watchAnswers(page);
  for (const path of [
    `/w/${foreign.slug}`,
    `/w/${foreign.slug}/vulnerabilities`,
    `/w/${home.slug}/vulnerabilities?v=${foreign.vulnerability}`,
    `/w/${home.slug}/repositories/${foreign.repository}`,
    `/w/${home.slug}/scans/${foreign.scan}`,
    `/w/${home.slug}/policies/${foreign.policy}`,
  ]) {
    await page.goto(`${url}${path}`);
    await page
      .getByText(/not found|is no|there is nothing|no longer/i)
      .first()
      .waitFor();
    const foreignIds = [foreign.vulnerability, foreign.repository, foreign.scan, foreign.policy];
    const shown = foreignIds.reduce(
      (text, id) => text.replaceAll(id, ''),
      await page.locator('body').innerText(),
    );
    assert.deepEqual(leaksIn(shown, theirs, { ...foreign, slug: 'nothing' }), [], path);
  }
  const bodies = answers.map((answer) => answer.slice(answer.indexOf(' ')));
  assert.deepEqual(leaksIn(bodies.join('\n'), theirs, foreign), []);
});

test('a removed member is refused at the next click, and the page no longer shows workspace data', async () => {
  const { user } = home.people.viewer;
  const page = await open({ userId: user.id });
  const { settle } = watchAnswers(page);
  await page.goto(`${url}/w/${home.slug}/vulnerabilities`);
  await page.getByRole('table').waitFor();
  // An open request of the page would show the removal before the click, so wait until none is left.
  await settle();
  await tenantTx(server.db, home.tenant.id, (tx) =>
    tx.query('delete from member where tenant_id = $1 and user_id = $2', [home.tenant.id, user.id]),
  );
  try {
    await page
      .getByRole('navigation', { name: 'Workspace' })
      .getByRole('link', { name: 'Violations' })
      .click();
    await page
      .getByText(/not a member|no longer|not found/i)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('row').count(), 0);
    await page.goBack();
    await page
      .getByText(/not a member|no longer|not found/i)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('row').count(), 0);
  } finally {
    await tenantTx(server.db, home.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  }
});
