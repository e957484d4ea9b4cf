/**
 * Tests of the numbers in the navigation: the person's waiting tasks, their text for screen readers, and their links.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { reportInput } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, setLook } from './support/console.ts';
import { createPolicyWorkspace, slug } from './support/policy-workspace.ts';

const { server, client, people, userIds, violations, visit } = await createPolicyWorkspace();
const repo = 'acme/late';
const found = (id: string, name: string) => ({ id, name, version: '1.0.0', severity: 'CRITICAL' });
await importAll(server, slug, [
  reportInput(trivy([found('CVE-2031-1', 'one'), found('CVE-2031-2', 'two')]), {
    repository: repo,
    scannedAt: new Date(Date.now() - 30 * 86_400_000),
  }),
]);
const { body: listed } = await client.get<{ items: { id: string }[] }>(
  `/api/v1/${slug}/vulnerabilities?repo=${repo}`,
);
const assigned = await client.post(`/manage/v1/${slug}/vulnerabilities/assignments`, {
  assignee: people.admin.user.email,
  vulnerabilities: listed.items.map(({ id }) => ({ id })),
});
assert.equal(assigned.status, 200, assigned.text);
const member = await signInAs(server, userIds.member);
const [violation] = await violations({ repo });
const requested = await member.post(`/manage/v1/${slug}/exceptions`, {
  violations: [violation?.id],
  reason: 'Not reachable.',
});
assert.equal(requested.status, 200, requested.text);

const badge = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const toReview = '1 exception waits for your review';
const overdue = '2 vulnerabilities assigned to you are overdue';
const oneOverdue = '1 vulnerability assigned to you is overdue';

test('a number leads to the waiting exceptions, and is gone with the decision', async () => {
  const page = await visit('admin', 'policies');
  await badge(page, overdue).click();
  await page.getByRole('status').filter({ hasText: '2 ' }).first().waitFor();
  assert.equal(new URL(page.url()).search, '?assignee=me&due=overdue');
  await badge(page, toReview).click();
  await page.getByRole('article').getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await badge(page, toReview).waitFor({ state: 'detached' });
  // A violation that an exception waives is no longer due.
  await badge(page, oneOverdue).waitFor();
});

test('a person sees only the number of exceptions that they may review, and an unknown number is not shown', async () => {
  const page = await visit('member', 'exceptions');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await page.locator('.app-nav-waiting').count(), 0);
  const admin = await visit('admin', 'policies');
  await badge(admin, oneOverdue).waitFor();
  await admin.route('**/waiting', (route) => route.fulfill({ status: 500, body: '' }));
  await admin.reload();
  await admin.getByRole('heading', { level: 1 }).waitFor();
  await admin.waitForLoadState('networkidle');
  assert.equal(await admin.locator('.app-nav-waiting').count(), 0);
});

test('the numbers fit in light, in dark and in the drawer of a phone', async () => {
  const page = await visit('admin', 'policies');
  await page.route('**/waiting', (route) => route.fulfill({ json: { exceptions: 7, overdue: 100 } }));
  await page.reload();
  for (const look of looks) {
    await setLook(page, look);
    if (look.width < 768) await page.getByRole('button', { name: 'Navigation' }).click();
    // On a phone the side bar exists too, but is not visible.
    await badge(page, '7 exceptions wait for your review').last().waitFor();
    await badge(page, '99+ vulnerabilities assigned to you are overdue').last().waitFor();
    await assertFitsAndIsAccessible(page, 'waiting');
  }
});
