/**
 * Tests of issues in the console: an admin creates a tracker, a member creates an issue, and the page shows its state.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pollMs } from '../../server/src/notifications/issues/sync-issues.ts';
import { syncScheduler } from '../../server/src/notifications/issues/sync-loop.ts';
import { networksOf } from '../../server/src/notifications/outbound/public-address.ts';
import { importAll } from '../../server/test/support/import.ts';
import { startTracker } from '../../server/test/support/issue-tracker-server.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, assertFitsInEachLook, startConsole } from './support/console.ts';

const { server, open } = await startConsole({ MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8' });
const { people } = await createTestWorkspace(server, 'acme');
const tracker = await startTracker('jira');
after(() => tracker.close());
const found = [1, 2, 3].map((i) => ({
  id: `CVE-2038-${i}`,
  name: 'alpha',
  version: '1.0.0',
  fixed: '1.2.0',
}));
await importAll(server, 'acme', [reportInput(trivy(found))]);

let clock = Date.now();
async function sync(ms = 1_000): Promise<void> {
  clock = Math.max(clock, Date.now()) + ms;
  const { db, secret } = server;
  const post = { allowed: networksOf(['127.0.0.0/8']), usesSystemNames: true };
  const scheduler = syncScheduler({
    db,
    secret,
    post,
    publicUrl: null,
    failed: assert.fail,
    now: () => new Date(clock),
  });
  await scheduler.poll();
  await scheduler.idle();
}

test('an admin creates a tracker, sees why it is disabled, and repairs it', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/settings' });
  const section = page.getByRole('region', { name: 'Issue trackers' });
  await section.getByText('There is no issue tracker yet.').waitFor();
  await section.getByRole('button', { name: 'New tracker' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue tracker' });
  await dialog.getByText('Jira', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Shop team');
  await dialog.getByLabel('Address').fill('https://10.0.0.1');
  await dialog.getByLabel('Key of the project').fill('SHOP');
  await dialog.getByLabel(/^Token/).fill('wrong');
  await dialog.getByLabel('Make issues by itself').check();
  await dialog.getByLabel('Least severity').selectOption('High or higher');
  await assertFitsAndIsAccessible(page, 'tracker-form');
  await dialog.getByRole('button', { name: 'Create tracker' }).click();
  await dialog.getByText(/Must be a public address, which 10\.0\.0\.1 is not\./).waitFor();
  await dialog.getByLabel('Address').fill(tracker.url);
  await dialog.getByRole('button', { name: 'Create tracker' }).click();
  const row = section.getByRole('row', { name: /Shop team/ });
  await row.getByText('High or higher').waitFor();
  await sync();
  await page.reload();
  await row.getByText('The token is wrong, has ended, or was revoked (HTTP 401).').waitFor();
  await assertFitsInEachLook(page, 'trackers');
  await row.getByRole('button', { name: 'Actions of Shop team' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change the issue tracker' });
  await change.getByLabel('Token', { exact: true }).fill(tracker.token);
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await row.getByRole('button', { name: 'Actions of Shop team' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await row.getByText('Active').waitFor();
});

test('a member creates an issue for a package and sees its state in the tracker', async () => {
  const page = await open({ userId: people.member.user.id, path: '/w/acme/vulnerabilities' });
  await page
    .getByRole('row', { name: /CVE-2038-1/ })
    .first()
    .click();
  const section = page.getByRole('region', { name: 'Issues' });
  await section.getByText('It has no issue.').waitFor();
  await section.getByRole('button', { name: 'Create issue' }).click();
  await page.getByRole('menuitem', { name: 'For the whole package in Shop team' }).click();
  await section.getByText('Waiting').waitFor();
  await sync();
  await section.getByRole('link', { name: 'Shop team SHOP-1' }).waitFor();
  assert.equal(tracker.issues.length, 1);
  tracker.act(tracker.issues[0], { status: 'In Progress', assignee: 'Kim' });
  await sync(pollMs);
  await page.reload();
  await section.getByText('In Progress').waitFor();
  await section.getByText('3 of 3 of the package are open').waitFor();
  await assertFitsAndIsAccessible(page, 'issue-of-vulnerability');
  await section.getByRole('button', { name: 'Unlink the issue in Shop team' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await section.getByText('It has no issue.').waitFor();
});
