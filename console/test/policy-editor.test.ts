/** Tests of the editor of policies: fields and YAML, the dry run, and saving after a review of the difference. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { parse } from 'yaml';
import { setPassword } from '../../server/src/access/users/service.ts';
import { installTx } from '../../server/src/db/database.ts';
import { fieldsOf } from '../../server/test/support/fields.ts';
import { untilLockWaits } from '../../server/test/support/lock-waits.ts';
import { signInAs } from '../../server/test/support/session.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  looks,
  screenshot,
  setLook,
} from './support/console.ts';
import {
  createPolicyWorkspace,
  eventually,
  type PolicyItem,
  policiesOf,
  slug,
  storefront,
} from './support/policy-workspace.ts';

const workspace = await createPolicyWorkspace();
const { server, userIds, scan, violations, verdict, visit, askWorkspace } = workspace;
const admin = await signInAs(server, userIds.admin);
const policies = policiesOf(admin);

const yamlField = (page: Page) => page.getByRole('textbox', { name: 'YAML' });
const yamlOf = async (page: Page): Promise<Record<string, unknown>> =>
  parse(await yamlField(page).inputValue()) as Record<string, unknown>;
const clause = (page: Page, number: string): Locator =>
  page.getByRole('group', { name: `Clause ${number}`, exact: true });
const dryRunNote = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first();

test('a policy from the builder has the expected YAML and dry run, and finds violations once saved', async () => {
  const repo = 'acme/built';
  await scan(repo, [
    {
      id: 'CVE-2033-1',
      name: 'left',
      version: '1.0.0',
      severity: 'HIGH',
      fixed: '1.1.0',
      path: 'web/yarn.lock',
    },
    { id: 'CVE-2033-2', name: 'right', version: '1.0.0', severity: 'LOW', path: 'web/yarn.lock' },
    {
      id: 'CVE-2033-3',
      name: 'up',
      version: '1.0.0',
      severity: 'LOW',
      fixed: '2.0.0',
      path: 'api/yarn.lock',
    },
  ]);
  assert.notEqual(await verdict(repo), 'block');
  const page = await visit('admin', 'policies');
  await page.getByRole('link', { name: 'New policy' }).click();
  await page.getByRole('heading', { level: 1, name: 'New policy' }).waitFor();
  // The page sends and saves nothing until the policy has a key.
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 422) refused.push(response.url());
  });
  await dryRunNote(page, 'The matches are shown as soon as the policy has a name.').waitFor();
  await page.getByRole('button', { name: 'Create policy…' }).click();
  await page.getByRole('alert').getByText('Enter a name or a key first.').waitFor();
  await screenshot(page, 'policy-new');
  const keyField = page.getByRole('textbox', { name: 'Key', exact: true });
  // The key follows the name until somebody types another key.
  await page.getByLabel('Name', { exact: true }).first().fill('Wéb: what');
  assert.equal(await keyField.inputValue(), 'web-what');
  await keyField.fill('web-fixable');
  await page.getByLabel('Name', { exact: true }).first().fill('Web: what can be fixed');
  assert.equal(await keyField.inputValue(), 'web-fixable');
  await page.getByLabel('Mode', { exact: true }).selectOption('block');
  await clause(page, '1').getByLabel('Fact').selectOption('fix_available');
  await page.getByRole('button', { name: 'Add a clause' }).click();
  await clause(page, '2').getByLabel('Fact').selectOption('path');
  await clause(page, '2').getByLabel('Operator').selectOption('matches');
  await clause(page, '2').getByLabel('Value').fill('web/*');
  await page.getByRole('button', { name: 'Add a group' }).click();
  await clause(page, '3.1').getByLabel('Operator').selectOption('in');
  await page.getByRole('group', { name: 'Group 3' }).getByRole('button', { name: 'Add a clause' }).click();
  await clause(page, '3.2').getByLabel('Fact').selectOption('age_days');
  await clause(page, '3.2').getByLabel('Value').fill('14');
  await page.getByLabel('Time to fix', { exact: true }).fill('2');
  await page.getByLabel('Unit of the time to fix').selectOption('w');
  await page.getByLabel('Snooze: days at most').fill('10');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const rule = page.getByRole('group', { name: 'Rule 1' });
  await rule.getByLabel('Name').fill(repo);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Scope').selectOption('workspace');
  await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Effect').selectOption('exclude');

  const expected = {
    key: 'web-fixable',
    name: 'Web: what can be fixed',
    status: 'active',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    condition: {
      all: [
        { fact: 'fix_available', operator: '==', value: true },
        { fact: 'path', operator: 'matches', value: 'web/*' },
        {
          any: [
            { fact: 'severity', operator: 'in', value: ['high'] },
            { fact: 'age_days', operator: '>=', value: 14 },
          ],
        },
      ],
    },
    actions: { sla: { window: '2w' } },
    config: { snooze: { max_days: 10 } },
    rules: [
      { type: 'repo', id: repo },
      { type: 'workspace', action: 'exclude' },
    ],
  };
  assert.deepEqual(await yamlOf(page), expected);
  await dryRunNote(
    page,
    'It would match 1 vulnerability in 1 repository, and would block 1 reference now.',
  ).waitFor();
  const numbers = await policies.dryRun(expected);
  assert.deepEqual(numbers, {
    matches: 1,
    repositories: 1,
    blocked_references: 1,
    complete: true,
    items: [],
  });
  await page.getByText('Show the 1 vulnerability', { exact: true }).click();
  const match = page.getByRole('list', { name: 'Matches' }).getByRole('listitem');
  await match.getByRole('link', { name: /CVE-2033-1/ }).waitFor();
  await match.getByText(`${repo}, main`).waitFor();
  await match.getByText('Would block').waitFor();
  assert.deepEqual(refused, []);
  await assertFitsAndIsAccessible(page, 'policy-editor');

  await page.getByRole('button', { name: 'Create policy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create policy' });
  await dialog.getByText('Added: key: web-fixable', { exact: false }).waitFor();
  await assertFitsAndIsAccessible(page, 'policy-save');
  await dialog.getByRole('button', { name: 'Create policy' }).click();
  await page.getByText('Saved. It is being evaluated.').waitFor();
  await page.waitForURL(/\/policies\/web-fixable$/);
  const stored = await policies.find('web-fixable');
  assert.deepEqual(stored?.condition, expected.condition);
  assert.deepEqual(stored.config, expected.config);
  assert.deepEqual(stored.actions, expected.actions);
  assert.deepEqual(fieldsOf(stored.rules, 'type', 'name', 'action'), [
    ['repo', repo, 'include'],
    ['workspace', null, 'exclude'],
  ]);
  await page.getByText('This policy is being evaluated in the workspace:', { exact: false }).waitFor();
  await askWorkspace();
  const found = await violations({ policy: 'web-fixable' });
  assert.deepEqual(
    found.map((one) => [one.repository.full_name, one.target.title]),
    [[repo, 'left: CVE-2033-1']],
  );
  assert.equal(await verdict(repo), 'block');
  const list = await visit('viewer', 'violations?policy=web-fixable');
  await list.getByRole('link', { name: 'left: CVE-2033-1' }).waitFor();
});

test('the fields follow the YAML, and a mistake is shown at its line with the message of the server', async () => {
  const page = await visit('admin', 'policies/critical');
  await yamlField(page).waitFor();
  const before = await yamlField(page).inputValue();
  assert.match(before, /- \{fact: severity, operator: '?==?'?, value: critical\}/);
  await yamlField(page).fill(
    before.replace('fact: severity', 'fact: sevrity').replace('name: Nothing critical', 'name: Not any'),
  );
  assert.equal(await page.getByLabel('Name', { exact: true }).first().inputValue(), 'Not any');
  const mistakes = page.getByRole('list', { name: 'Mistakes' });
  const line = before.split('\n').findIndex((text) => text.includes('fact: severity')) + 1;
  const said = 'No fact "sevrity" of a vulnerability: did you mean severity?';
  await mistakes.getByText(said).waitFor();
  await mistakes.getByText('condition.all[0].fact').waitFor();
  await page.getByRole('group', { name: 'Clause 1', exact: true, description: said }).waitFor();
  await dryRunNote(page, '1 mistake').waitFor();
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('alert').getByText('Fix the mistake first', { exact: false }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await screenshot(page, 'policy-mistake');
  await mistakes.getByRole('button', { name: `Line ${line}` }).click();
  const selected = await page.evaluate<string>(
    'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
  );
  assert.match(selected, /sevrity/);

  // Text that is not YAML gives an error with its line, and the form fields are disabled.
  await yamlField(page).fill(`${before}\nname: [`);
  await mistakes.getByRole('button', { name: /^Line/ }).first().waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).first().isDisabled(), true);
  // With another key it would become another policy.
  await yamlField(page).fill(before.replace('key: critical', 'key: other'));
  await mistakes.getByText('Must stay critical', { exact: false }).waitFor();
  await yamlField(page).fill(`${before.replace('max_days: 30', 'max_days: 900')}\nrules: [{type: street}]\n`);
  await mistakes.getByText('config.snooze.max_days').waitFor();
  await page.getByRole('group', { name: 'Rule 1', description: /.+/ }).waitFor();
  await page.getByLabel('Snooze: days at most').and(page.locator('[aria-invalid=true]')).waitFor();
  await assertFitsAndIsAccessible(page, 'policy-mistakes');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await yamlField(page).inputValue(), before);
});

test('a change is shown as a difference, and changes the verdict once saved', async () => {
  const repo = 'acme/changed';
  await scan(repo, [{ id: 'CVE-2033-50', name: 'changed', version: '1.0.0', severity: 'CRITICAL' }]);
  assert.equal(await verdict(repo), 'block');
  const page = await visit('admin', 'policies/critical');
  await page.getByLabel('Mode', { exact: true }).selectOption('warn');
  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the changes' });
  const difference = dialog.getByRole('region', { name: 'Difference' });
  await difference.getByText('Removed: enforcement_mode: block', { exact: false }).waitFor();
  await difference.getByText('Added: enforcement_mode: warn', { exact: false }).waitFor();
  await screenshot(page, 'policy-difference');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. It is being evaluated.').waitFor();
  await askWorkspace();
  assert.equal((await policies.find('critical'))?.enforcement_mode, 'warn');
  assert.equal(await verdict(repo), 'warn');
  // There is nothing to save, so leaving the page needs no confirmation.
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('alert').getByText('There are no changes yet.').waitFor();
  await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
});

test('the dry run of a draft waits for another one of the workspace, and its result follows', async () => {
  const page = await visit('admin', 'policies/critical');
  await dryRunNote(page, 'It would match').waitFor();
  const lock = await server.owner.connect();
  await lock.query('begin; lock table vulnerability in access exclusive mode');
  const other = policies.dryRun(await yamlOf(page));
  await untilLockWaits(server.owner);
  const refused = page.waitForResponse(
    (answer) => answer.url().includes('dry-run') && answer.status() === 429,
  );
  await page.getByLabel('Name', { exact: true }).first().fill('Nothing critical, ever');
  await refused;
  await dryRunNote(page, 'Checking').waitFor();
  await lock.query('rollback');
  lock.release();
  await other;
  await dryRunNote(page, 'It would match').waitFor();
});

test('leaving with unsaved changes asks first, and a change by somebody else is shown before saving', async () => {
  const page = await visit('admin', 'policies/high');
  await page.getByLabel('Name', { exact: true }).first().fill('Mine');
  const other = await signInAs(server, userIds.other);
  const { key: _, id: __, ...stored } = (await policies.find('high')) as PolicyItem;
  const changed = await other.put(`${policies.path}/high`, {
    name: 'Theirs',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    condition: stored.condition,
  });
  assert.equal(changed.status, 200, changed.text);
  await page.getByRole('button', { name: 'Save…' }).click();
  const saving = page.getByRole('dialog', { name: 'Save the changes' });
  await saving.getByText('Saving puts yours in its place.', { exact: false }).waitFor();
  await saving.getByText('Removed: name: Theirs', { exact: false }).waitFor();
  await saving.getByText('Added: name: Mine', { exact: false }).waitFor();
  await saving.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Load the stored version' }).waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).first().inputValue(), 'Mine');
  await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving' });
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await eventually(
    () => page.getByRole('dialog').count(),
    (count) => count === 0,
  );
  await page.getByRole('button', { name: 'Load the stored version' }).click();
  await eventually(
    () => page.getByLabel('Name', { exact: true }).first().inputValue(),
    (name) => name === 'Theirs',
  );
});

test('a new policy with an existing key is not saved, and an invalid key is shown as a mistake', async () => {
  const page = await visit('admin', 'policies/new');
  const keyField = page.getByRole('textbox', { name: 'Key', exact: true });
  await keyField.fill('critical');
  await page
    .getByRole('list', { name: 'Mistakes' })
    .getByText('A policy with this key already exists.')
    .waitFor();
  await page.getByRole('button', { name: 'Create policy…' }).click();
  await page.getByRole('alert').getByText('Fix the mistake first', { exact: false }).waitFor();
  await keyField.fill('Not A Key');
  await page
    .getByRole('list', { name: 'Mistakes' })
    .getByText('Must be 1 to 64 lower-case letters and digits', { exact: false })
    .waitFor();
});

test('a new policy does not replace one that somebody has created with the same key in the meantime', async () => {
  const page = await visit('admin', 'policies/new');
  await page.getByLabel('Name', { exact: true }).first().fill('Twice');
  await dryRunNote(page, 'would').waitFor();
  await page.getByRole('button', { name: 'Create policy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create policy' });
  const create = dialog.getByRole('button', { name: 'Create policy' });
  await create.waitFor();
  await page.waitForLoadState('networkidle');
  const made = await admin.put(`${policies.path}/twice`, {
    name: 'Theirs',
    status: 'draft',
    target_type: 'vulnerability',
    enforcement_mode: 'monitor',
    condition: { all: [{ fact: 'severity', operator: '==', value: 'critical' }] },
  });
  assert.equal(made.status, 200, made.text);
  await create.click();
  await dialog
    .getByText('Somebody has created a policy with this key in the meantime.', { exact: false })
    .waitFor();
  await assertFitsAndIsAccessible(page, 'policy-key-taken');
  assert.equal((await policies.find('twice'))?.name, 'Theirs');
});

test('a policy is changed and saved by keyboard alone', async () => {
  const page = await visit('admin', 'policies/malware-package');
  await clause(page, '1').getByLabel('Operator').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  assert.equal(await clause(page, '1').getByLabel('Operator').inputValue(), '!=');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowUp');
  await page.getByLabel('Severity', { exact: true }).focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Save…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save the changes' });
  await dialog.getByText('Removed: severity: critical', { exact: false }).waitFor();
  await page.waitForFunction('document.activeElement.textContent === "Save"');
  await page.keyboard.press('Enter');
  await page.getByText('Saved. It is being evaluated.').waitFor();
  const stored = await admin.get<{ severity: string | null }>(`${policies.path}/malware-package`);
  assert.equal(stored.body.severity, null);
});

test('hostile text is shown as plain text, and a condition that fields cannot show stays as YAML', async () => {
  const name = '<img src=x onerror="document.title=1"> '.padEnd(250, 'long');
  const made = await admin.put(`${policies.path}/nasty`, {
    name,
    status: 'draft',
    target_type: 'package_version',
    enforcement_mode: 'monitor',
    condition: {
      not: {
        any: [
          { fact: 'name', operator: 'contains', value: name.slice(0, 200) },
          { not: { all: [{ fact: 'license', operator: 'not_in', value: ['MIT', 'x'.repeat(120)] }] } },
        ],
      },
    },
    rules: [{ type: 'repo', id: storefront, action: 'exclude' }],
  });
  assert.equal(made.status, 200, made.text);
  const requested = await admin.post(`/manage/v1/${slug}/exceptions`, {
    policy: 'nasty',
    repo: storefront,
    reason: name,
  });
  assert.equal(requested.status, 200, requested.text);
  const list = await visit('admin', 'policies');
  await list.getByRole('link', { name: '<img src=x', exact: false }).waitFor();
  await assertFitsInEachLook(list, 'policies');
  assert.equal(await list.locator('img[src="x"]').count(), 0);
  const page = await visit('admin', 'policies/nasty');
  for (const look of looks) {
    await setLook(page, look);
    await clause(page, '1.1').getByLabel('Fact').waitFor();
    await clause(page, '1.2.1.1').or(clause(page, '1.2.1')).first().waitFor();
    await page
      .getByRole('region', { name: 'Exceptions' })
      .getByText(`All violations in ${storefront}`)
      .waitFor();
    await dryRunNote(page, 'If it were active, it would match').waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    await assertFitsAndIsAccessible(page, 'policy-editor');
  }
  const text = await yamlField(page).inputValue();
  await yamlField(page).fill(text.replace('operator: contains', 'operator: contains, extra: 1'));
  await page.getByText('This part cannot be shown as fields.', { exact: false }).waitFor();
  await page
    .getByRole('list', { name: 'Mistakes' })
    .getByText('Is unknown: a clause has fact, operator and value.')
    .waitFor();
});

test('after the end of the session the page asks for the password, and keeps what was typed', async () => {
  const email = workspace.people.admin.user.email;
  await installTx(server.db, (tx) => setPassword(tx, userIds.admin, 'correct horse battery'));
  const endSessions = () =>
    server.owner.query('delete from user_session where user_id = $1', [userIds.admin]);
  const page = await visit('admin', 'policies/new');
  const name = page.getByLabel('Name', { exact: true }).first();
  await name.fill('Typed before');
  await dryRunNote(page, 'would').waitFor();
  await endSessions();
  await name.fill('Typed afterwards');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByText('Your session has ended.', { exact: false }).waitFor();
  await assertFitsAndIsAccessible(page, 'session-ended');
  // Escape and a click beside the dialog would lose the text.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await again.getByLabel(`Password of ${email}`).fill('correct horse battery');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), 'Typed afterwards');
  await page.getByRole('button', { name: 'Create policy…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create policy' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed afterwards' }).waitFor();

  // The page of the policy asks for its progress.
  await page.getByRole('link', { name: 'Exceptions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Exceptions' }).waitFor();
  await endSessions();
  await page.getByRole('link', { name: 'Applications' }).click();
  await again.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(/\/sign-in\?next=/);
});
