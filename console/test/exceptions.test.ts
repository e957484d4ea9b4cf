/**
 * Tests of exceptions in the console: waiting ones come first; another admin approves or refuses; a requester withdraws
 * but cannot approve.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { signInAs } from '../../server/test/support/session.ts';
import { assertFitsAndIsAccessible, assertTableFits, looks, screenshot, setLook } from './support/console.ts';
import {
  createPolicyWorkspace,
  dayIn,
  nasty,
  slug,
  storefront,
  turning,
} from './support/policy-workspace.ts';

const workspace = await createPolicyWorkspace();
const { server, userIds, scan, violations, verdict, visit, askWorkspace } = workspace;
const manage = `/manage/v1/${slug}/exceptions`;

const sessions = {
  viewer: await signInAs(server, userIds.viewer),
  member: await signInAs(server, userIds.member),
  admin: await signInAs(server, userIds.admin),
};

let repositories = 0;

interface RequestedException {
  repo: string;
  violation: string;
  title: string;
  exception: string;
}

/** A blocking violation in its own repository, and a request for an exception. */
async function createRequest(who: 'member' | 'admin', reason: string): Promise<RequestedException> {
  repositories++;
  const repo = `acme/requested-${repositories}`;
  await scan(repo, [
    {
      id: `CVE-2032-${1000 + repositories}`,
      name: `lib-${repositories}`,
      version: '1.0.0',
      severity: 'CRITICAL',
    },
  ]);
  const [found] = await violations({ repo });
  assert.ok(found?.target.title);
  const answer = await sessions[who].post<{ items: { id: string }[] }>(manage, {
    violations: [found.id],
    reason,
  });
  assert.equal(answer.status, 200, answer.text);
  return { repo, violation: found.id, title: found.target.title, exception: answer.body.items[0]?.id ?? '' };
}

const statusOf = async ({ repo }: RequestedException) => (await violations({ repo }))[0]?.status;

async function exceptionOf({ exception, violation }: RequestedException) {
  const answer = await sessions.admin.get<{
    items: { id: string; status: string; review_reason: string | null }[];
  }>(`${manage}?violation=${violation}`);
  return answer.body.items.find((item) => item.id === exception);
}

const card = (page: Page, { title }: RequestedException): Locator =>
  page.getByRole('region', { name: 'Waiting for a review' }).getByRole('article', { name: title });

/** The facts that the dialog shows, by name. */
async function factsOf(dialog: Locator): Promise<Map<string, string>> {
  await dialog.getByRole('term').filter({ hasText: 'Reference' }).waitFor();
  const names = await dialog.getByRole('term').allInnerTexts();
  const values = await dialog.getByRole('definition').allInnerTexts();
  return new Map(names.map((name, index) => [name, values[index] ?? '']));
}

test('a member’s request that an admin approves waives the violation until it is withdrawn', async () => {
  const requested = await createRequest('member', 'Not reachable from outside.');
  assert.equal(await verdict(requested.repo), 'block');
  const page = await visit('admin', 'exceptions');
  await card(page, requested).getByText('Not reachable from outside.').waitFor();
  await card(page, requested).getByText(`Nothing critical in ${requested.repo}`).waitFor();
  await card(page, requested).getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve the exception' });
  await dialog.getByText('The violation is waived until somebody withdraws this.').waitFor();
  const [packageName = '', advisory = ''] = requested.title.split(': ');
  const installed = `pkg:npm/${packageName}@1.0.0`;
  await dialog.getByText(installed).waitFor();
  const { 'Requested by': askedBy, ...facts } = Object.fromEntries(await factsOf(dialog));
  assert.match(askedBy ?? '', /^member of kestrel, /);
  assert.deepEqual(facts, {
    Subject: requested.title,
    Policy: `Nothing critical in ${requested.repo}`,
    Effect: 'Exempt',
    Until: 'No end',
    Reason: 'Not reachable from outside.',
    Severity: 'Critical',
    Advisory: advisory,
    Package: installed,
    'Fixed in': 'No fix is known',
    Reference: 'main',
    'Still blocked by': 'No other policy',
  });
  const link = dialog.getByRole('link', { name: requested.title });
  assert.match((await link.getAttribute('href')) ?? '', /\/w\/kestrel\/vulnerabilities\?.*v=vc_/);
  await assertFitsAndIsAccessible(page, 'exceptions-approve');
  await dialog.getByLabel('Reason (optional)').fill('Checked with the network team.');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved.', { exact: true }).waitFor();
  assert.equal(await statusOf(requested), 'waived');
  assert.equal(await verdict(requested.repo), 'pass');
  // The exception has moved from the waiting to the reviewed exceptions.
  const row = page.getByRole('region', { name: 'Exceptions' }).getByRole('row', { name: requested.title });
  await row.getByText('Approved', { exact: true }).waitFor();
  await row.getByText('Checked with the network team.', { exact: false }).waitFor();
  assert.equal(await card(page, requested).count(), 0);

  // After the withdrawal the violation is open again.
  await row.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawing = page.getByRole('dialog', { name: 'Withdraw the exception' });
  await withdrawing.getByText('is open again, with its old due date', { exact: false }).waitFor();
  await withdrawing.getByRole('button', { name: 'Withdraw' }).click();
  await row.getByText('Withdrawn', { exact: true }).waitFor();
  assert.equal(await statusOf(requested), 'open');
  assert.equal(await verdict(requested.repo), 'block');
});

test('the approval dialog names another policy that still blocks', async () => {
  const requested = await createRequest('member', 'For this policy alone.');
  const other = await sessions.admin.put(`/manage/v1/${slug}/policies/second-look`, {
    name: 'A second look',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    condition: { all: [{ fact: 'severity', operator: '==', value: 'critical' }] },
    rules: [{ type: 'repo', id: requested.repo }],
  });
  assert.ok(other.status < 300, other.text);
  await askWorkspace();
  const page = await visit('admin', 'exceptions');
  await card(page, requested).getByRole('button', { name: 'Refuse' }).click();
  const refusing = page.getByRole('dialog', { name: 'Refuse the exception' });
  assert.equal((await factsOf(refusing)).has('Still blocked by'), false, 'refused, it blocks anyway');
  await refusing.getByRole('button', { name: 'Cancel' }).click();
  await card(page, requested).getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve the exception' });
  assert.equal((await factsOf(dialog)).get('Still blocked by'), 'A second look');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved.', { exact: true }).waitFor();
  assert.equal(await verdict(requested.repo), 'block');
});

test('a refusal without a reason is not sent, and one with a reason is stored', async () => {
  const requested = await createRequest('member', 'We have no time.');
  const page = await visit('admin', 'exceptions');
  await card(page, requested).getByRole('button', { name: 'Refuse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refuse the exception' });
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await dialog.getByText('Enter a reason.').waitFor();
  assert.equal((await exceptionOf(requested))?.status, 'requested', 'the field is required');
  await dialog.getByLabel('Reason').fill('A fixed version is there.');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('Refused.', { exact: true }).waitFor();
  const refused = await exceptionOf(requested);
  assert.equal(refused?.status, 'refused');
  assert.equal(refused?.review_reason, 'A fixed version is there.');
  assert.equal(await verdict(requested.repo), 'block');
});

test('an admin cannot approve their own request, in the page or by the API, but can withdraw it', async () => {
  const requested = await createRequest('admin', 'I need this.');
  const page = await visit('admin', 'exceptions');
  await card(page, requested)
    .getByText('Your own request: another administrator has to approve it.')
    .waitFor();
  assert.equal(await card(page, requested).getByRole('button', { name: 'Approve' }).count(), 0);
  const refused = await sessions.admin.post(`${manage}/${requested.exception}/review`, {
    decision: 'approve',
  });
  assert.equal(refused.status, 403);
  await card(page, requested).getByRole('button', { name: 'Withdraw' }).click();
  await page
    .getByRole('dialog', { name: 'Withdraw the exception' })
    .getByRole('button', { name: 'Withdraw' })
    .click();
  await page.getByText('Withdrawn.', { exact: true }).waitFor();
  assert.equal((await exceptionOf(requested))?.status, 'withdrawn');
});

test('an admin cannot approve the request of a workspace key that they made, and the page says why', async () => {
  repositories++;
  const repo = `acme/requested-${repositories}`;
  await scan(repo, [{ id: 'CVE-2032-1990', name: 'lib-key', version: '1.0.0', severity: 'CRITICAL' }]);
  const made = await sessions.admin.post<{ value: string }>(`/manage/v1/${slug}/keys`, {
    name: 'ci',
    scopes: ['policy-violations:read', 'policy-violations:write'],
    expires: '30d',
    role: 'member',
  });
  assert.ok(made.status < 300, made.text);
  const [found] = await violations({ repo });
  const answer = await server.app.inject({
    method: 'POST',
    url: manage,
    headers: { authorization: `Bearer ${made.body.value}` },
    payload: { violations: [found?.id], reason: 'By a machine.' },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  const page = await visit('admin', 'exceptions');
  const waiting = page.getByRole('article', { name: found?.target.title ?? '' });
  await waiting.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve the exception' });
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog
    .getByText('Another administrator must approve a request by you or by one of your keys.')
    .waitFor();
  assert.equal((await violations({ repo }))[0]?.status, 'pending_review');
});

test('a request for all violations of a policy in a repository waives all of them once approved', async () => {
  const page = await visit('member', 'exceptions');
  await page.getByRole('button', { name: 'Request an exception' }).click();
  const choosing = page.getByRole('dialog', { name: 'Request an exception' });
  await choosing.getByRole('button', { name: 'Go on' }).click();
  await choosing.getByText('Choose a policy.').waitFor();
  await choosing.getByText('Choose a repository.').waitFor();
  await choosing.getByLabel('Policy').selectOption({ label: 'High severity on main' });
  await choosing.getByLabel('Repository').fill(`${storefront}s`);
  await page.keyboard.press('Escape');
  await choosing.getByRole('button', { name: 'Go on' }).click();
  await choosing.getByText('There is no repository of this name.').waitFor();
  await choosing.getByLabel('Repository').fill(storefront);
  await page.keyboard.press('Escape');
  await choosing.getByRole('button', { name: 'Go on' }).click();
  await choosing.getByLabel('Reason').fill('It is rewritten.');
  assert.equal(await choosing.getByLabel('Ends with').inputValue(), dayIn(30));
  await choosing.getByLabel('Ends with').fill(dayIn(20));
  await choosing.getByRole('button', { name: 'Request an exception' }).click();
  const waiting = page.getByRole('article', { name: `All of High severity on main in ${storefront}` });
  await waiting.getByText('It is rewritten.').waitFor();
  await waiting.getByText('Exempt until', { exact: false }).waitFor();
  const pending = await violations({ repo: storefront, policy: 'high', status: 'pending_review' });
  assert.ok(pending.length > 1, 'all of them wait');

  const admin = await visit('admin', `exceptions?repo=${storefront}`);
  await admin.getByRole('article').getByRole('button', { name: 'Approve' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await admin.getByText('Approved.', { exact: true }).waitFor();
  const waived = await violations({ repo: storefront, policy: 'high', status: 'waived' });
  assert.equal(waived.length, pending.length);
});

test('a closed request for a repository returns the focus to its button, also from the second step', async () => {
  const page = await visit('member', 'exceptions');
  const button = page.getByRole('button', { name: 'Request an exception' });
  await button.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Request an exception' });
  await dialog.getByLabel('Policy').selectOption({ label: 'High severity on main' });
  await dialog.getByLabel('Repository').fill(storefront);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await button.and(page.locator(':focus')).waitFor();
});

test('filters in the address select the exceptions that are shown', async () => {
  const requested = await createRequest('member', 'Only here.');
  const page = await visit('viewer', `exceptions?status=requested&repo=${requested.repo}`);
  const region = page.getByRole('region', { name: 'Exceptions' });
  await region.getByText('Only here.').waitFor();
  assert.equal(await region.getByRole('row').count(), 2);
  assert.equal(await page.getByRole('region', { name: 'Waiting for a review' }).count(), 0);
  await page.getByRole('button', { name: 'Remove the filter Status: Requested' }).click();
  await page.getByRole('region', { name: 'Waiting for a review' }).getByText('Only here.').waitFor();
  const nothing = await visit('viewer', 'exceptions?status=ended');
  await nothing.getByText('No exception matches').waitFor();
});

test('the exceptions of one violation are shown, with a chip that removes the filter', async () => {
  const requested = await createRequest('member', 'Of this one.');
  await createRequest('member', 'Of another one.');
  const page = await visit('viewer', `exceptions?violation=${requested.violation}`);
  const waiting = page.getByRole('region', { name: 'Waiting for a review' });
  await waiting.getByText('Of this one.').waitFor();
  assert.equal(await waiting.getByRole('article').count(), 1);
  await page.getByRole('button', { name: `Remove the filter Violation: ${requested.title}` }).click();
  await waiting.getByText('Of another one.').waitFor();
});

test('an admin refuses a request by keyboard alone', async () => {
  const requested = await createRequest('member', 'By keyboard.');
  const page = await visit('admin', `exceptions?repo=${requested.repo}`);
  await card(page, requested).waitFor();
  await card(page, requested).getByRole('link').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Refuse the exception' });
  await dialog.getByLabel('Reason').waitFor();
  await page.waitForFunction('document.activeElement.tagName === "TEXTAREA"');
  await page.keyboard.type('No.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Refused.', { exact: true }).waitFor();
  assert.equal((await exceptionOf(requested))?.status, 'refused');
});

test('viewers and members have no buttons to review, and the server refuses their calls', async () => {
  const requested = await createRequest('admin', 'Of the admin.');
  for (const who of ['viewer', 'member'] as const) {
    const page = await visit(who, 'exceptions');
    await card(page, requested).waitFor();
    assert.equal(await card(page, requested).getByRole('button').count(), 0);
    const answer = await sessions[who].post(`${manage}/${requested.exception}/review`, {
      decision: 'approve',
    });
    assert.equal(answer.status, 403);
    const withdrawn = await sessions[who].post(`${manage}/${requested.exception}/withdraw`, {});
    assert.equal(withdrawn.status, 403);
    if (who === 'viewer') {
      assert.equal(await page.getByRole('button', { name: 'Request an exception' }).count(), 0);
      const refused = await sessions.viewer.post(manage, {
        violations: [requested.violation],
        reason: 'No.',
      });
      assert.equal(refused.status, 403);
    }
  }
  assert.equal(await statusOf(requested), 'pending_review');
});

test('hostile text is shown as plain text, and the page fits in light, in dark and on a phone', async () => {
  const approved = await createRequest('member', `${nasty} ${'and a long reason '.repeat(10)}`);
  const decision = await sessions.admin.post(`${manage}/${approved.exception}/review`, {
    decision: 'approve',
    reason: 'A long reason of the review. '.repeat(8),
  });
  assert.equal(decision.status, 200, decision.text);
  await createRequest('member', nasty);
  await createRequest('member', 'A second one, so that there are two beside each other.');
  const page = await visit('admin', 'exceptions');
  await setLook(page, { width: 1440, colorScheme: 'light' });
  await page.getByRole('region', { name: 'Exceptions' }).getByText('Withdraw').first().waitFor();
  await assertTableFits(page, 'Exceptions');
  await screenshot(page, 'exceptions-wide');
  for (const look of looks) {
    await setLook(page, look);
    await page.getByRole('article').getByText('<img src=x', { exact: false }).waitFor();
    await page.getByRole('region', { name: 'Exceptions' }).getByRole('row').nth(1).waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.doesNotMatch(await page.getByRole('main').innerText(), turning);
    await assertFitsAndIsAccessible(page, 'exceptions');
    const waiting = page.getByRole('article').filter({ hasText: '<img src=x' });
    await waiting.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve the exception' });
    await factsOf(dialog);
    await assertFitsAndIsAccessible(page, 'exceptions-approve');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
});
