/**
 * Tests of the list of policies in the console: the violations of each, switched on after a review, and read-only for
 * people who may not change it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { succeeded } from '../../server/test/support/client.ts';
import { signInAs } from '../../server/test/support/session.ts';
import {
  assertFitsAndIsAccessible,
  assertTableFits,
  overflowOf,
  screenshot,
  setLook,
} from './support/console.ts';
import { createPolicyWorkspace, policiesOf } from './support/policy-workspace.ts';

const workspace = await createPolicyWorkspace();
const { server, userIds, violations, visit, askWorkspace } = workspace;
const policies = policiesOf(await signInAs(server, userIds.admin));

test('the list shows what each policy finds, and a builtin policy is switched on after a dry run', async () => {
  const page = await visit('admin', 'policies');
  const table = page.getByRole('region', { name: 'Policies' });
  const unresolved = await violations({ policy: 'critical', status: 'open' });
  const row = table.getByRole('row', { name: /Nothing critical/ });
  await row.getByRole('link', { name: `${unresolved.length} violation` }).waitFor();
  await row.getByText(`${unresolved.length} blocking`).waitFor();
  await assertFitsAndIsAccessible(page, 'policies');
  await setLook(page, { width: 1440, colorScheme: 'light' });
  await assertTableFits(page, 'Policies');
  await setLook(page, { width: 390, colorScheme: 'light' });
  for (const name of await page.locator('tbody th a').all()) {
    assert.equal(await overflowOf(name), 0, `${await name.innerText()} is cut`);
  }
  await screenshot(page, 'policies');
  await setLook(page, { width: 1280, colorScheme: 'light' });

  const builtin = await policies.find('high-severity');
  assert.equal(builtin?.status, 'disabled');
  await page.getByRole('button', { name: 'Switch on High severity', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch on “High severity”' });
  // A workspace has one dry run at a time, so wait until the dialog's own is done.
  await dialog.getByText('It would match', { exact: false }).waitFor();
  const expected = await policies.dryRun({
    key: 'x',
    target_type: 'vulnerability',
    enforcement_mode: builtin.enforcement_mode,
    condition: builtin.condition,
  });
  await dialog
    .getByText(
      `It would match ${expected.matches} vulnerabilities in ${expected.repositories} repository, and would block nothing now.`,
    )
    .waitFor();
  await screenshot(page, 'policies-switch-on');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('“High severity” is on. It is being evaluated.').waitFor();
  assert.equal((await policies.find('high-severity'))?.status, 'active');
  const on = table.getByRole('row', { name: /high-severity/ });
  await on.getByText('Evaluating:', { exact: false }).waitFor();
  await askWorkspace();
  // The page reloads the number by itself.
  await on.getByRole('link', { name: `${expected.matches} violations` }).waitFor();

  // Its own page shows the same, and switches it off again.
  await on.getByRole('link', { name: 'High severity', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'High severity' }).waitFor();
  const finds = page.getByRole('link', { name: `${expected.matches} violations` });
  await finds.waitFor();
  assert.match((await finds.getAttribute('href')) ?? '', /\/violations\?.*policy=high-severity/);
  assert.equal(await page.getByRole('button', { name: 'Switch on' }).count(), 0);
  await screenshot(page, 'policy-page-active');
  await page.getByRole('button', { name: 'Switch off' }).click();
  const leaving = page.getByRole('dialog', { name: 'Switch off “High severity”' });
  await leaving.getByText('Its violations are resolved', { exact: false }).waitFor();
  await assertFitsAndIsAccessible(page, 'policies-switch-off');
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await leaving.waitFor({ state: 'detached' });
  assert.equal((await policies.find('high-severity'))?.status, 'active');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await leaving.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('“High severity” is off. It is being evaluated.').waitFor();
  assert.equal((await policies.find('high-severity'))?.status, 'disabled');
  await askWorkspace();
  assert.equal((await violations({ policy: 'high-severity', status: 'open' })).length, 0);
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  // The editor has the new status, and does not report a change by somebody else.
  assert.equal(await page.getByLabel('Status', { exact: true }).inputValue(), 'disabled');
  assert.equal(await page.getByText('Somebody has changed this policy').count(), 0);
});

test('a policy with unsaved changes cannot be switched on or off', async () => {
  const page = await visit('admin', 'policies/critical', { width: 390 });
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  await screenshot(page, 'policy-page');
  await page.getByLabel('Name', { exact: true }).first().fill('Mine');
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Switch/ }).count(), 0);
});

test('viewers and members see policies without fields and buttons, and the server refuses their calls', async () => {
  for (const who of ['viewer', 'member'] as const) {
    const list = await visit(who, 'policies');
    await list.getByRole('region', { name: 'Policies' }).getByRole('row').nth(1).waitFor();
    assert.equal(await list.getByRole('button', { name: /Switch on/ }).count(), 0);
    assert.equal(await list.getByRole('link', { name: 'New policy' }).count(), 0);
    const page = await visit(who, 'policies/denied-license');
    await page.getByText('is one of', { exact: false }).waitFor();
    await page.getByRole('region', { name: 'Policy as YAML' }).getByText('key: denied-license').waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    assert.equal(await page.getByRole('button', { name: /Save|Make|Switch/ }).count(), 0);
    if (who === 'viewer') {
      await assertFitsAndIsAccessible(page, 'policy-view');
    }
    const made = await visit(who, 'policies/new');
    await made.getByText('You have no access').waitFor();
    const session = await signInAs(server, userIds[who]);
    const body = {
      target_type: 'vulnerability',
      enforcement_mode: 'warn',
      condition: { all: [{ fact: 'triaged', operator: '==', value: true }] },
    };
    assert.equal((await session.put(`${policies.path}/by-${who}`, body)).status, 403);
    assert.equal((await session.post(`${policies.path}/dry-run`, { key: 'x', ...body })).status, 403);
    assert.equal(await policies.find(`by-${who}`), null);
  }
});

test('switching a policy on keeps what somebody else changed after the page was loaded', async () => {
  const page = await visit('admin', 'policies/denied-license');
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  const before = await policies.find('denied-license');
  assert.equal(before?.enforcement_mode, 'warn');
  const { name, target_type, condition } = before;
  const admin = await signInAs(server, userIds.admin);
  const theirs = { name, target_type, condition, status: 'disabled', enforcement_mode: 'monitor' };
  succeeded(await admin.put(`${policies.path}/denied-license`, theirs));
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('It is being evaluated.', { exact: false }).first().waitFor();
  const after = await policies.find('denied-license');
  assert.deepEqual([after?.status, after?.enforcement_mode], ['active', 'monitor']);
});
