/**
 * Tests of policy violations in the console: listed, snoozed, woken, exempted; by mouse, by keyboard, and without
 * permission.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, screenshot, setLook } from './support/console.ts';
import {
  createPolicyWorkspace,
  dayIn,
  eventually,
  nasty,
  slug,
  storefront,
  turning,
} from './support/policy-workspace.ts';
import type { Measured } from './support/vulnerability-workspace.ts';

const workspace = await createPolicyWorkspace();
const { server, userIds, scan, violations, verdict, visit } = workspace;
const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Policy violations' });
const table = (page: Page) => page.getByRole('region', { name: 'Violations' });
const panel = (page: Page) => page.getByRole('dialog').first();

/** A repository of its own, with one blocking violation. */
let repositories = 0;
async function createBlocked(severity = 'CRITICAL'): Promise<{ repo: string; id: string; title: string }> {
  repositories++;
  // A long name must not make the list wider than its room.
  const repo = `acme/repository-with-a-name-that-is-long-${repositories}`;
  await scan(repo, [
    { id: `CVE-2031-${1000 + repositories}`, name: `lib-${repositories}`, version: '1.0.0', severity },
  ]);
  const [found] = await violations({ repo });
  assert.ok(found?.target.title);
  return { repo, id: found.id, title: found.target.title };
}

/** More packages than a page has rows, each with a violation that warns. */
const twoPages = Array.from({ length: 60 }, (_, n) => ({
  id: `CVE-2031-${3000 + n}`,
  name: `lib-many-${n}`,
  version: '1.0.0',
  severity: 'HIGH',
}));

const countText = (n: number): string => (n === 1 ? '1 violation' : `${n} violations`);
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement?.textContent');

async function assertFits(page: Page): Promise<void> {
  const overflow = await table(page).evaluate<number, Measured>(
    ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
  );
  assert.ok(overflow <= 0, `the table is ${overflow} px wider than its room`);
}

const byId = async (repo: string, id: string) => (await violations({ repo })).find((one) => one.id === id);

test('the list shows unresolved violations, soonest due first, and keeps its filters in the address', async () => {
  const page = await visit('admin', 'violations');
  await heading(page).waitFor();
  const all = await violations({ status: 'open,pending_review' });
  assert.ok(all.length > 5, 'the demo has something to show');
  await table(page).getByRole('row').nth(1).waitFor();
  const titles = await table(page).getByRole('rowheader').getByRole('link').allInnerTexts();
  assert.deepEqual(
    titles.map((text) => text.trim()),
    all.slice(0, titles.length).map(({ target }) => target.title?.trim()),
  );

  await page.getByRole('button', { name: 'Mode', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Block', exact: true }).check();
  await page.keyboard.press('Escape');
  const blocking = all.filter((one) => one.enforcement_mode === 'block');
  await page.getByText(countText(blocking.length), { exact: true }).waitFor();
  const address = new URL(page.url());
  assert.equal(address.searchParams.get('enforcement'), 'block');
  assert.equal(address.searchParams.get('status'), 'open,pending_review');

  // The address alone shows the same list.
  const linked = await visit('viewer', `violations${address.search}`);
  await linked.getByText(countText(blocking.length), { exact: true }).waitFor();
  const chips = linked.getByRole('list', { name: 'Active filters' });
  await chips.getByText('Mode: Block').waitFor();
  await chips.getByRole('button', { name: 'Remove the filter Mode: Block' }).click();
  await linked.getByText(countText(all.length), { exact: true }).waitFor();

  await assertFitsAndIsAccessible(page, 'violations');
  await assertFits(page);
});

test('filters without a match say so, and the policy filter shows the name of the policy', async () => {
  const page = await visit('viewer', 'violations?policy=critical&due=overdue');
  await page.getByText('No violation matches').waitFor();
  await page.getByText('Policy: Nothing critical').waitFor();
});

test('a status without a violation is a filter without a match while other violations are open', async () => {
  await createBlocked();
  const page = await visit('viewer', 'violations?status=waived');
  await page.getByText('No violation matches').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Status: Waived' }).click();
  await table(page).getByRole('row').nth(1).waitFor();
});

test('the panel shows policy, condition, rule and scan, and links to the vulnerability', async () => {
  const [shown] = await violations({ repo: storefront, policy: 'high' });
  assert.ok(shown);
  const page = await visit('viewer', `violations?v=${shown.id}`);
  const dialog = panel(page);
  await dialog.getByRole('heading', { name: shown.target.title ?? '' }).waitFor();
  await dialog.getByRole('link', { name: 'High severity on main' }).waitFor();
  await dialog.getByText('this does not hold:').waitFor();
  await dialog.getByText('Monitor, by the rule that applies here').waitFor();
  await dialog.getByText(`By the rule for the repository ${storefront}`).waitFor();
  await dialog.getByRole('link', { name: 'A scan of main' }).waitFor();
  const link = dialog.getByRole('link', { name: 'Open the vulnerability' });
  assert.match((await link.getAttribute('href')) ?? '', /\/w\/kestrel\/vulnerabilities\?.*v=vc_/);
  // A viewer may do nothing here.
  assert.equal(await dialog.getByRole('button', { name: /Snooze|Wake|Request/ }).count(), 0);
  await assertFitsAndIsAccessible(page, 'violations-panel');
});

test('the panel says that a violation fixed on the default branch is open on another branch', async () => {
  const { repo, id } = await createBlocked();
  const [found] = await violations({ repo });
  const [name = '', advisory = ''] = found?.target.title?.split(': ') ?? [];
  const report = trivy([{ id: advisory, name, version: '1.0.0', severity: 'CRITICAL' }]);
  await importAll(server, slug, [reportInput(report, { repository: repo, ref: 'feature/1' })]);
  const before = await visit('viewer', `violations?v=${id}`);
  await panel(before).getByRole('link', { name: 'Open the vulnerability' }).waitFor();
  assert.equal(await panel(before).getByText('Open on').count(), 0);
  await scan(repo, []);
  const page = await visit('viewer', `violations?v=${id}`);
  await panel(page).getByText('Open on feature/1').waitFor();
  assert.equal(await panel(page).getByText('Fixed', { exact: true }).count(), 0);
  await screenshot(page, 'violations-panel-still-there');
});

test('a snoozed violation shows its end and does not block until it is woken', async () => {
  const { repo, id, title } = await createBlocked();
  assert.equal(await verdict(repo), 'block');
  const page = await visit('admin', `violations?repo=${repo}`);
  await page.getByRole('checkbox', { name: `Select ${title} in ${repo}` }).check();
  const bar = page.getByRole('group', { name: 'Selected violations' });
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Snooze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Snooze the violation' });
  // The limits are those of the policy.
  await dialog.getByText('At most 30 days ahead and 2 times each.', { exact: false }).waitFor();
  await dialog.getByLabel('Until the end of').fill(dayIn(10));
  await dialog.getByLabel('Reason').fill('Next release.');
  await assertFitsAndIsAccessible(page, 'violations-snooze');
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByText('1 violation snoozed.').waitFor();
  const end = new Date(dayIn(10)).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  await table(page).getByText(`Snoozed until ${end}`).waitFor();
  await assertFits(page);
  const asleep = await byId(repo, id);
  // The day ends in UTC, whatever the zone of the browser.
  assert.equal(asleep?.snoozed_until, `${dayIn(10)}T23:59:59Z`);
  assert.equal(asleep?.blocking, false);
  assert.equal(await verdict(repo), 'warn');

  await table(page).getByRole('link', { name: title }).click();
  await panel(page).getByText('1 time so far').waitFor();
  await panel(page).getByRole('button', { name: 'Wake' }).click();
  const waking = page.getByRole('dialog', { name: 'Wake the violation' });
  await waking.getByLabel('Reason').fill('It is released.');
  await waking.getByRole('button', { name: 'Wake', exact: true }).click();
  await page.getByText('1 violation woken.').waitFor();
  assert.equal((await byId(repo, id))?.snoozed, false);
  assert.equal(await verdict(repo), 'block');
});

test('another filter empties the selection, and another page keeps it', async () => {
  const { repo, title } = await createBlocked();
  await scan(repo, [
    ...twoPages,
    {
      id: title.split(': ')[1] ?? '',
      name: title.split(': ')[0] ?? '',
      version: '1.0.0',
      severity: 'CRITICAL',
    },
  ]);
  const page = await visit('admin', `violations?repo=${repo}`);
  await page.getByRole('checkbox', { name: `Select ${title} in ${repo}` }).check();
  const bar = page.getByRole('group', { name: 'Selected violations' });
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.waitForURL('**/*cursor=*');
  await table(page).and(page.locator('[aria-busy="false"]')).waitFor();
  await bar.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Mode', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Warn', exact: true }).check();
  await page.getByText('60 violations', { exact: true }).waitFor();
  await bar.waitFor({ state: 'detached' });
});

test('a dialog keeps the selected violations if the filters change behind it', async () => {
  const { repo, id, title } = await createBlocked();
  const page = await visit('admin', `violations?repo=${repo}`);
  await page.getByRole('button', { name: 'Mode', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Block', exact: true }).check();
  await page.keyboard.press('Escape');
  const bar = page.getByRole('group', { name: 'Selected violations' });
  const open = async (button: string, dialog: string) => {
    await page.getByRole('checkbox', { name: `Select ${title} in ${repo}` }).check();
    await bar.getByRole('button', { name: button, exact: true }).click();
    const opened = page.getByRole('dialog', { name: dialog });
    await opened.getByLabel('Reason').fill('Next release.');
    return opened;
  };
  const request = await open('Request an exception', 'Request an exception');
  await page.goBack();
  await bar.waitFor({ state: 'detached' });
  await request.getByRole('button', { name: 'Request an exception' }).click();
  await page.getByText('1 exception requested.').waitFor();
  await page.goForward();
  await page.getByText('Mode: Block').waitFor();
  const snooze = await open('Snooze', 'Snooze the violation');
  await page.goBack();
  await bar.waitFor({ state: 'detached' });
  await snooze.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByText('1 violation snoozed.').waitFor();
  assert.equal((await byId(repo, id))?.snoozed, true);
});

test('a snooze is undone from its notification, and does not count', async () => {
  const { repo, id } = await createBlocked();
  const page = await visit('admin', `violations/${id}`);
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Snooze the violation' });
  await dialog.getByLabel('Reason').fill('The wrong one.');
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('button', { name: 'Wake' }).waitFor();
  assert.equal(await verdict(repo), 'warn');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await page.getByRole('button', { name: 'Snooze', exact: true }).waitFor();
  assert.equal(await page.getByText('1 time so far').count(), 0);
  assert.equal(await verdict(repo), 'block');
});

test('a snooze without a reason or a day is not sent, and a refusal is shown with the message of the server', async () => {
  const { repo, id, title } = await createBlocked();
  const session = await signInAs(server, userIds.admin);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  // The violation is snoozed as often as its policy allows.
  for (const action of ['snooze', 'wake', 'snooze', 'wake'] as const) {
    const decided = await session.post(`/manage/v1/${slug}/policy-violations/decisions`, {
      action,
      violations: [{ id }],
      reason: 'Again.',
      ...(action === 'snooze' ? { until } : {}),
    });
    assert.equal(decided.status, 200, decided.text);
  }
  const page = await visit('admin', `violations?repo=${repo}`);
  await table(page).getByRole('link', { name: title }).click();
  await panel(page).getByRole('button', { name: 'Snooze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Snooze the violation' });
  await dialog.getByLabel('Reason').fill('   ');
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await dialog.getByText('Enter a reason.').waitFor();
  assert.equal(await dialog.getByRole('alert').count(), 0, 'blanks are not sent');
  await dialog.getByLabel('Until the end of').fill('');
  await dialog.getByLabel('Reason').fill('Once more.');
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await dialog
    .getByRole('textbox', {
      name: 'Until the end of',
      description: 'Choose a day. The day ends at midnight in UTC.',
    })
    .waitFor();
  await screenshot(page, 'snooze-without-day');
  await dialog.getByRole('button', { name: '1 week' }).click();
  await dialog.getByText('Choose a day.').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await dialog
    .getByRole('alert')
    .getByText('was snoozed 2 times, and the limit is 2', { exact: false })
    .waitFor();
  assert.equal((await violations({ repo }))[0]?.snoozed, false);
});

test('a member’s snooze becomes a request where a policy blocks, and applies to the others', async () => {
  const first = await createBlocked();
  await scan(first.repo, [
    { id: 'CVE-2031-1900', name: 'lib-more', version: '1.0.0', severity: 'CRITICAL' },
    { id: 'CVE-2031-1901', name: 'lib-high', version: '1.0.0', severity: 'HIGH' },
  ]);
  const page = await visit('member', `violations?repo=${first.repo}`);
  const before = await violations({ repo: first.repo, status: 'open' });
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Snooze ${before.length} violations` });
  await dialog.getByText('If a policy blocks, this requests an exception instead').waitFor();
  await dialog.getByRole('button', { name: '2 weeks' }).click();
  await dialog.getByLabel('Reason').fill('We wait for upstream.');
  await dialog.getByRole('button', { name: 'Snooze or request' }).click();
  const blocking = before.filter((one) => one.policy.key === 'critical').length;
  const free = before.length - blocking;
  await page.getByText(`${free} violation snoozed. ${blocking} exception`, { exact: false }).waitFor();
  await table(page).getByText('Pending review').first().waitFor();
  const after = await violations({ repo: first.repo });
  assert.equal(after.filter((one) => one.status === 'pending_review').length, blocking);
  assert.equal(after.filter((one) => one.snoozed).length, free);
  assert.equal(await verdict(first.repo), 'block', 'asking opens no gate');
});

test('a member’s request that an admin approves waives the violation and changes the verdict', async () => {
  const { repo, id, title } = await createBlocked();
  const member = await visit('member', `violations?repo=${repo}&v=${id}`);
  await panel(member).getByRole('button', { name: 'Request an exception' }).click();
  const dialog = member.getByRole('dialog', { name: 'Request an exception' });
  await dialog.getByLabel('Reason').fill('Not reachable: behind the gateway.');
  await dialog.getByRole('button', { name: '30 days', pressed: true }).waitFor();
  await screenshot(member, 'violations-ask');
  await dialog.getByRole('button', { name: 'Request an exception' }).click();
  const exceptions = panel(member).getByRole('region', { name: 'Exceptions' });
  await exceptions.getByText('Not reachable: behind the gateway.').waitFor();
  await exceptions.getByText('Your own request: an administrator has to approve it.').waitFor();
  assert.equal(await exceptions.getByRole('button', { name: 'Approve' }).count(), 0);
  assert.equal((await byId(repo, id))?.status, 'pending_review');
  assert.equal(await verdict(repo), 'block');

  const admin = await visit('admin', `violations?v=${id}`);
  await panel(admin).getByRole('button', { name: 'Approve' }).click();
  const approving = admin.getByRole('dialog', { name: 'Approve the exception' });
  await approving.getByText('The violation is waived until').waitFor();
  for (const fact of [
    /^member of kestrel, /,
    title,
    `Nothing critical in ${repo}`,
    'Exempt',
    'Not reachable: behind the gateway.',
  ]) {
    await approving.getByRole('definition').filter({ hasText: fact }).first().waitFor();
  }
  await screenshot(admin, 'violations-approve');
  await approving.getByRole('button', { name: 'Approve' }).click();
  await panel(admin).getByText('Waived', { exact: true }).waitFor();
  assert.equal((await byId(repo, id))?.status, 'waived');
  assert.equal(await verdict(repo), 'pass');
});

test('a downgrade of a policy in a whole repository applies once another admin approves it', async () => {
  const { repo, id } = await createBlocked();
  const page = await visit('admin', `violations?v=${id}`);
  await panel(page).getByRole('button', { name: 'Request an exception' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request an exception' });
  await dialog.getByText('Another administrator must approve it').waitFor();
  await dialog.getByRole('radio', { name: /^All violations of “Nothing critical” in/ }).check();
  await dialog.getByLabel('Requested effect').selectOption('warn');
  await dialog.getByLabel('Reason').fill('A prototype.');
  await dialog.getByRole('button', { name: 'Request an exception' }).click();
  await panel(page).getByText('for all of this policy in the repository', { exact: false }).waitFor();
  // A requester cannot approve their own exception: there is no button, and the server refuses the call.
  assert.equal(await panel(page).getByRole('button', { name: 'Approve' }).count(), 0);
  const session = await signInAs(server, userIds.admin);
  const listed = await session.get<{ items: { id: string; status: string; violation_id: string | null }[] }>(
    `/manage/v1/${slug}/exceptions?violation=${id}`,
  );
  const [own] = listed.body.items;
  assert.equal(own?.violation_id, null);
  const refused = await session.post(`/manage/v1/${slug}/exceptions/${own?.id}/review`, {
    decision: 'approve',
  });
  assert.equal(refused.status, 403);

  const other = await visit('other', `violations?v=${id}`);
  await panel(other).getByRole('button', { name: 'Approve' }).click();
  await other
    .getByRole('dialog', { name: 'Approve the exception' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await panel(other).getByText('Warn, by an exception').waitFor();
  assert.equal(await verdict(repo), 'warn');
});

test('a violation is selected and snoozed by keyboard alone', async () => {
  const { repo, id } = await createBlocked('HIGH');
  const page = await visit('member', `violations?repo=${repo}`);
  await table(page).getByRole('rowheader').first().waitFor();
  await table(page).getByRole('link').first().focus();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  // Go back from the row to the bar above the table.
  for (let steps = 0; steps < 20; steps++) {
    await page.keyboard.press('Shift+Tab');
    if ((await focusedText(page)) === 'Snooze') break;
  }
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Snooze the violation' });
  await dialog.getByLabel('Reason').waitFor();
  await eventually(
    () => page.evaluate<string>('document.activeElement?.tagName'),
    (tag) => tag === 'TEXTAREA',
  );
  await page.keyboard.type('Later.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('1 violation snoozed.').waitFor();
  assert.equal((await byId(repo, id))?.snoozed, true);
  // The bar has gone with the selection.
  await page.locator('section[aria-label=Violations]:focus').waitFor();
  // Enter on the row's link opens the panel, Escape closes it.
  await table(page).getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Wake' }).waitFor();
  await page.keyboard.press('Escape');
  await eventually(
    () => page.getByRole('dialog').count(),
    (count) => count === 0,
  );
});

test('a viewer has no buttons, and the server refuses their calls', async () => {
  const { repo, id } = await createBlocked();
  const page = await visit('viewer', `violations?repo=${repo}`);
  await table(page).getByRole('rowheader').first().waitFor();
  assert.equal(await page.getByRole('checkbox').count(), 0);
  await table(page).getByRole('link').first().click();
  await panel(page).getByText('Policy', { exact: true }).first().waitFor();
  assert.equal(
    await panel(page)
      .getByRole('button', { name: /Snooze|Wake|Request/ })
      .count(),
    0,
  );
  const session = await signInAs(server, userIds.viewer);
  const snooze = await session.post(`/manage/v1/${slug}/policy-violations/decisions`, {
    action: 'snooze',
    violations: [{ id }],
    reason: 'No.',
    until: new Date(Date.now() + 3_600_000).toISOString(),
  });
  assert.equal(snooze.status, 403);
  const refused = await session.post(`/manage/v1/${slug}/exceptions`, { violations: [id], reason: 'No.' });
  assert.equal(refused.status, 403);
  assert.equal((await byId(repo, id))?.status, 'open');
});

test('hostile text is shown as plain text, and the page fits in dark and on a phone', async () => {
  const repo = 'acme/nasty';
  await scan(repo, [
    { id: nasty.slice(0, 200), name: nasty.slice(0, 100), version: '1.0.0', severity: 'CRITICAL' },
  ]);
  const [found] = await violations({ repo });
  assert.ok(found);
  const session = await signInAs(server, userIds.member);
  await session.post(`/manage/v1/${slug}/exceptions`, { violations: [found.id], reason: nasty });
  const page = await visit('admin', `violations?repo=${repo}`);
  for (const look of looks) {
    await setLook(page, look);
    await table(page).getByRole('rowheader').first().waitFor();
    await screenshot(page, 'violations-nasty');
    if (look.width >= 768) await assertFits(page);
    const filters = page.getByRole('button', { name: /^Filters/ });
    const status = page.getByRole('search').getByRole('button', { name: /^Status/ });
    if (look.width < 768) {
      // Open filters would push the list far down.
      assert.equal(await filters.textContent(), 'Filters (3)');
      assert.equal(await filters.getAttribute('aria-expanded'), 'false');
      assert.equal(await status.isVisible(), false);
      await filters.click();
      assert.equal(await filters.getAttribute('aria-expanded'), 'true');
      await status.waitFor();
      await page.getByRole('list', { name: 'Active filters' }).waitFor();
      await assertFitsAndIsAccessible(page, 'violations-filters');
      await filters.click();
    } else {
      await status.waitFor();
      assert.equal(await filters.isVisible(), false);
    }
    await table(page).getByRole('link').first().click();
    await panel(page).getByText('<img src=x', { exact: false }).first().waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    await panel(page).getByText('[U+202E]', { exact: false }).nth(1).waitFor();
    assert.doesNotMatch(await panel(page).innerText(), turning);
    await assertFitsAndIsAccessible(page, 'violations-panel-nasty');
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
  }
});

test('a row that opens on a further page and Escape keep the way back to the previous page', async () => {
  const repo = 'acme/many';
  await scan(repo, twoPages);
  const page = await visit('viewer', `violations?repo=${repo}`);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.waitForURL('**/*cursor=*');
  await table(page).and(page.locator('[aria-busy="false"]')).waitFor();
  await table(page).getByRole('link').first().click();
  await panel(page).getByText('Policy', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Previous', exact: true }).click();
  await page.waitForURL((now) => !now.search.includes('cursor='));
});

test('an unknown violation is shown as not found, with the id of the request', async () => {
  const page = await visit('viewer', 'violations?v=pvl_01m804rmekee5v2dmtg85gjwww');
  await panel(page).getByText('Not found').waitFor();
  await panel(page)
    .getByText(/^Request/)
    .waitFor();
});
