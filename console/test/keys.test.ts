/**
 * Tests of API keys in the console: created, tested with the printed command, revoked. The value is shown once and
 * nowhere afterwards.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { addMember } from '../../server/src/access/members/service.ts';
import { setPassword } from '../../server/src/access/users/service.ts';
import { installTx, tenantTx } from '../../server/src/db/database.ts';
import type { UserId } from '../../server/src/domain/ids.ts';
import { signInAs } from '../../server/test/support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
} from '../../server/test/support/workspace.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  assertTableFits,
  screenshot,
  startConsole,
} from './support/console.ts';

const { server, url, open } = await startConsole();
const { db } = server;
const acme = await createTestWorkspace(server, 'acme');
const globex = await createTestWorkspace(server, 'globex');
const { admin, member, viewer } = acme.people;
// The admin of one workspace is a viewer in the other.
await tenantTx(db, globex.tenant.id, (tx) => addMember(tx, admin.user.id, 'viewer'));

const keysOf = (userId: string) =>
  installTx(db, (tx) =>
    tx.query<{
      id: string;
      name: string;
      scopes: string[];
      disabled_at: Date | null;
      expires_at: Date | null;
    }>(
      'select id, name, scopes, disabled_at, expires_at from api_key where user_id = $1 order by created_at desc, id desc',
      [userId],
    ),
  );

async function openKeys(userId: UserId, search = '') {
  const page = await open({ userId, path: `/w/acme/keys${search}` });
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  return page;
}

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').waitFor();
  return dialog;
}

async function choose(page: Page, dialog: Locator, label: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const shownDialog = (page: Page) => page.getByRole('dialog', { name: 'The key was created' });
const shownText = async (page: Page, label: string) =>
  ((await shownDialog(page).getByRole('region', { name: label }).textContent()) ?? '').trim();

/** Runs the line like a shell, and returns the server's answer. */
async function run(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], { timeout: 10_000 });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Every part of the page that can keep a text: its content, address, storage and caches. */
function everythingOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const inputs = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
    const root = document.getElementById('root');
    const container = root[Object.keys(root).find((key) => key.startsWith('__reactContainer'))];
    const waiting = [container.stateNode.current];
    let client;
    while (waiting.length > 0 && !client) {
      const fiber = waiting.pop();
      client = fiber.memoizedProps?.client;
      if (fiber.sibling) waiting.push(fiber.sibling);
      if (fiber.child) waiting.push(fiber.child);
    }
    const cached = [
      ...client.getQueryCache().getAll().map(({ queryKey, state }) => ({ queryKey, state })),
      ...client.getMutationCache().getAll().map(({ state }) => state),
    ];
    if (cached.length === 0) throw new Error('the cache of queries was not found');
    return JSON.stringify([
      document.documentElement.outerHTML, inputs, location.href, document.title, history.state,
      { ...localStorage }, { ...sessionStorage }, document.cookie, cached,
    ]);
  })()`);
}

test('a new key is shown once, works in the printed command, and is refused within a second of its revocation', async () => {
  const page = await openKeys(admin.user.id);
  const dialog = await openForm(page);
  await assertFitsAndIsAccessible(page, 'keys-form');
  await dialog.getByLabel('Name').fill('Nightly export');
  await dialog.getByRole('checkbox', { name: 'vulnerabilities:read' }).check();
  await dialog.getByRole('checkbox', { name: 'repositories:read' }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await shownDialog(page).waitFor();
  await assertFitsAndIsAccessible(page, 'keys-shown');

  const value = await shownText(page, 'Key');
  assert.match(value, /^mrl_pat_[0-9A-Za-z]{46}$/);
  const line = await shownText(page, 'Command');
  assert.ok(line.includes(value) && line.includes(`${url}/api/v1/acme/whoami`), line);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Copy the key');
  await page.evaluate('document.execCommand = () => false');
  await page.keyboard.press('Enter');
  await shownDialog(page).getByRole('status').getByText('Could not copy').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Enter');
  await shownDialog(page).getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), value);
  const said = await run(line);
  assert.deepEqual((said.token as { name: string; scopes: string[] }).scopes, [
    'vulnerabilities:read',
    'repositories:read',
  ]);
  assert.equal((said.actor as { email: string }).email, 'admin@acme.example');
  // Ninety days, unless another end is chosen.
  const days =
    (Date.parse(String((said.token as { expires_at: string }).expires_at)) - Date.now()) / 86_400_000;
  assert.ok(days > 89.9 && days < 90.1, String(days));

  // The value is in the page while it is shown, and nowhere afterwards.
  const whileShown = await everythingOf(page);
  assert.ok(whileShown.includes(value));
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  await shownDialog(page).waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Nightly export/ });
  await row.getByText('Active').waitFor();
  assert.ok(!(await everythingOf(page)).includes(value.slice(0, 20)), 'the value is still in the page');
  await page.reload();
  await row.waitFor();
  assert.ok(!(await everythingOf(page)).includes(value.slice(0, 20)));
  assert.match((await row.textContent()) ?? '', new RegExp(`mrl_pat_…${value.slice(-4)}`));

  await row.getByRole('button', { name: 'Revoke Nightly export' }).click();
  const revocation = page.getByRole('dialog', { name: 'Revoke the key' });
  const confirm = revocation.getByRole('button', { name: 'Revoke permanently' });
  const notIt = revocation.getByText('Type it exactly as it is shown above.');
  await confirm.click();
  await notIt.waitFor();
  await revocation.getByLabel(/Type Nightly export/).fill('nightly export');
  await notIt.waitFor({ state: 'detached' });
  await confirm.click();
  // A name in another case is another name.
  await notIt.waitFor();
  assert.equal((await keysOf(admin.user.id))[0]?.disabled_at, null);
  await revocation.getByLabel(/Type Nightly export/).fill('Nightly export');
  await assertFitsAndIsAccessible(page, 'keys-revoke');
  await confirm.click();
  await revocation.waitFor({ state: 'detached' });
  const revokedAt = Date.now();
  await row.getByText('Disabled').waitFor();
  let answer = await run(line);
  while (answer.code === undefined && Date.now() - revokedAt < 1_000) answer = await run(line);
  assert.equal(answer.code, 'AUTHENTICATION_REQUIRED');
  assert.equal(await row.getByRole('button', { name: /Revoke/ }).count(), 0, 'a revoked key has no way back');
  const [stored] = await keysOf(admin.user.id);
  assert.ok(stored?.name === 'Nightly export' && stored.disabled_at !== null);
});

test('the preset CI creates a key that can upload, by keyboard alone', async () => {
  const page = await openKeys(member.user.id);
  await page.getByRole('button', { name: 'New key' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').waitFor();
  await page.keyboard.type('Pipeline');
  const preset = dialog.getByRole('button', { name: 'CI', exact: true });
  assert.equal(await preset.getAttribute('aria-pressed'), 'false');
  await preset.focus();
  await page.keyboard.press('Enter');
  assert.equal(await preset.getAttribute('aria-pressed'), 'true');
  // A member cannot create keys of the workspace. Their own key may be for this workspace alone.
  assert.equal(await dialog.getByRole('radio', { name: 'Only chosen ones' }).isChecked(), true);
  await screenshot(page, 'keys-form-ci-member');
  assert.equal(await dialog.getByRole('checkbox', { name: 'scans:write' }).isChecked(), true);
  assert.equal(await dialog.getByRole('checkbox', { name: 'scans:read' }).isChecked(), true);
  await dialog.getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  await shownDialog(page).waitFor();
  const [stored] = await keysOf(member.user.id);
  assert.deepEqual(stored?.scopes, ['scans:read', 'scans:write']);
  assert.equal(await shownText(page, 'Variables'), `MERLON_URL=${url}\nMERLON_WORKSPACE=acme`);
  const value = await shownText(page, 'Key');
  const uploaded = await fetch(`${url}/ingest/v1/acme/scans?repo=acme/shop&ref=main`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: '2.1.0', runs: [] }),
  });
  assert.equal(uploaded.status, 202, await uploaded.text());
  await page.keyboard.press('Escape');
  await shownDialog(page).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Pipeline.*acme/ }).waitFor();
});

test('a key ends on the chosen date, and a key without an end is created after a warning', async () => {
  const page = await openKeys(viewer.user.id);
  const dialog = await openForm(page);
  await dialog.getByLabel('Name').fill('Until a day');
  await dialog.getByRole('button', { name: 'Read everything' }).click();
  await choose(page, dialog, 'Expires', 'On a date');
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel(/^Date/).fill(day);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('row', { name: /Until a day/ }).waitFor();
  assert.equal((await keysOf(viewer.user.id))[0]?.expires_at?.toISOString(), `${day}T23:59:59.000Z`);

  const again = await openForm(page);
  await again.getByLabel('Name').fill('For ever');
  await again.getByRole('button', { name: 'Read everything' }).click();
  assert.equal(await again.getByRole('status').count(), 0);
  await choose(page, again, 'Expires', 'Never');
  await again.getByRole('status').getByText('A key without an end').waitFor();
  await again.getByRole('button', { name: 'Create key' }).click();
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('row', { name: /For ever.*never.*never/ }).waitFor();
  assert.equal((await keysOf(viewer.user.id))[0]?.expires_at, null);
});

test('a restricted key opens only the chosen workspace', async () => {
  const page = await openKeys(admin.user.id);
  const dialog = await openForm(page);
  await dialog.getByLabel('Name').fill('Only Globex');
  await dialog.getByRole('radio', { name: 'Only chosen ones' }).check();
  const workspaces = dialog.getByRole('group', { name: 'Chosen workspaces' });
  await workspaces.getByRole('checkbox', { name: /globex/ }).check();
  // A viewer cannot get a key that writes, so this choice disappears with the other workspace.
  await dialog.getByRole('checkbox', { name: 'scans:read' }).check();
  await dialog.getByRole('checkbox', { name: 'scans:write' }).check();
  await workspaces.getByRole('checkbox', { name: /acme/ }).uncheck();
  const write = dialog.getByRole('checkbox', { name: 'scans:write' });
  assert.equal(await write.isDisabled(), true);
  assert.equal(await write.isChecked(), false);
  await dialog.getByText('Needs the role member; yours is viewer.').first().waitFor();
  await screenshot(page, 'keys-form-restricted');
  await workspaces.getByRole('checkbox', { name: /globex/ }).uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Choose at least one.').waitFor();
  await workspaces.getByRole('checkbox', { name: /globex/ }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const line = await shownText(page, 'Command');
  assert.match(line, /\/api\/v1\/globex\/whoami/);
  const said = await run(line);
  assert.equal((said.tenant as { slug: string }).slug, 'globex');
  const elsewhere = await run(line.replace('/globex/', '/acme/'));
  assert.equal(elsewhere.code, 'TOKEN_INVALID_FOR_TENANT');
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('row', { name: /Only Globex/ });
  await row.getByRole('cell', { name: 'globex', exact: true }).waitFor();
});

test('the role of a workspace key limits its scopes, and other workspaces and roles do not see the key', async () => {
  await createTestWorkspaceKey(server, globex.tenant, 'admin');
  const page = await openKeys(admin.user.id, '?kind=workspace');
  await page.getByText('The workspace has no key of its own').waitFor();
  assert.equal(await page.getByRole('row').count(), 0, 'a key of another workspace is shown');
  await screenshot(page, 'keys-empty');
  await page.getByRole('tab', { name: 'Your keys' }).click();
  const dialog = await openForm(page);
  assert.equal(await dialog.getByRole('radio', { name: 'Personal' }).isChecked(), true);
  await dialog.getByLabel('Name').fill('Build server');
  // The preset selects the kind that stays valid when people leave, and its role.
  await dialog.getByRole('button', { name: 'CI', exact: true }).click();
  await dialog.getByRole('button', { name: 'CI', exact: true, pressed: true }).waitFor();
  assert.equal(await dialog.getByRole('radio', { name: 'Workspace' }).isChecked(), true);
  assert.equal(await dialog.getByRole('combobox', { name: 'Role' }).inputValue(), 'Member');
  assert.equal(await dialog.getByRole('checkbox', { name: 'workspace:admin' }).isDisabled(), true);
  await screenshot(page, 'keys-form-workspace');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = await shownText(page, 'Key');
  assert.match(value, /^mrl_wsk_/);
  const said = await run(await shownText(page, 'Command'));
  assert.equal((said.actor as { type: string }).type, 'service');
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  // The list behind the dialog is the one that contains the key.
  await page.getByRole('tab', { name: 'Keys of the workspace', selected: true }).waitFor();
  const row = page.getByRole('row', { name: /Build server/ });
  await row.getByText('as member').waitFor();
  assert.match((await row.textContent()) ?? '', /by admin of acme/);
  assert.equal(await page.getByRole('row').count(), 2);

  await row.getByRole('link', { name: 'Build server' }).click();
  const panel = page.getByRole('dialog', { name: 'Build server' });
  await panel.getByText('Upload reports; as an admin decide about series').waitFor();
  assert.match(page.url(), /key=key_/);
  await assertFitsAndIsAccessible(page, 'keys-panel');
  await page.keyboard.press('Escape');

  const others = await openKeys(member.user.id, '?kind=workspace');
  await others.getByRole('row').first().waitFor();
  assert.equal(await others.getByRole('tab').count(), 0);
  assert.equal(await others.getByText('Build server').count(), 0);
  const form = await openForm(others);
  assert.equal(await form.getByRole('radio', { name: 'Personal' }).count(), 0);
  assert.equal(await form.getByRole('checkbox', { name: 'policies:write' }).isDisabled(), true);
});

test('a viewer can only create keys that read, and sees which role further scopes need', async () => {
  const page = await openKeys(viewer.user.id);
  const dialog = await openForm(page);
  assert.equal(await dialog.getByRole('button', { name: 'CI', exact: true }).isDisabled(), true);
  await dialog.getByText('CI needs the role member; yours is viewer.').waitFor();
  assert.equal(await dialog.getByRole('checkbox', { name: 'scans:write' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('x');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Choose at least one.').waitFor();
});

test('the status filter is kept in the address, and hostile names are shown as plain text', async () => {
  const names = [`<img src=x onerror="document.title='pwned'">`, 'מפתח של בנייה', `${'long '.repeat(50)}end`];
  const made = await Promise.all(
    names.map(() => createTestKey(server, { userId: globex.people.member.user.id, role: 'member' })),
  );
  await installTx(db, async (tx) => {
    for (const [index, { id }] of made.entries()) {
      await tx.query('update api_key set name = $2 where id = $1', [id, names[index]]);
    }
    await tx.query(`update api_key set expires_at = now() - interval '1 hour' where id = $1`, [made[1]?.id]);
    await tx.query(
      `update api_key set disabled_at = now(), expires_at = now() + interval '3 days' where id = $1`,
      [made[2]?.id],
    );
  });
  const page = await open({ userId: globex.people.member.user.id, path: '/w/globex/keys' });
  for (const name of names) await page.getByText(name, { exact: true }).waitFor();
  assert.notEqual(await page.title(), 'pwned');
  assert.equal(await page.getByRole('row').count(), 5);
  const revoked = page.getByRole('row', { name: names[2] ?? '' });
  await revoked.getByText('Disabled').waitFor();
  await revoked.getByText('Revoked', { exact: true }).waitFor();
  assert.equal(await revoked.getByText(/^in \d/).count(), 0, 'no end is to come');
  await screenshot(page, 'keys-list');
  await revoked.getByRole('link').click();
  const panel = page.getByRole('dialog', { name: names[2] ?? '' });
  await panel.getByText('Revoked', { exact: true }).waitFor();
  assert.equal(await panel.getByText(/^in \d/).count(), 0);
  await screenshot(page, 'keys-panel-revoked');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('checkbox', { name: 'Expired' }).check();
  await page.getByRole('checkbox', { name: 'Disabled' }).check();
  await page.keyboard.press('Escape');
  assert.match(page.url(), /status=Expired,Disabled/);
  assert.equal(await page.getByRole('row').count(), 3);
  await page.goto(`${url}/w/globex/keys?status=Expired`);
  const row = page.getByRole('row', { name: names[1] ?? '' });
  await row.getByText('Expired').waitFor();
  assert.equal(await page.getByRole('row').count(), 2);

  // The person must type even a hostile name to revoke the key.
  await page.goto(`${url}/w/globex/keys?status=Active`);
  await page.getByRole('button', { name: `Revoke ${names[0]}` }).click();
  const revocation = page.getByRole('dialog', { name: 'Revoke the key' });
  await revocation.getByRole('textbox').fill(names[0] ?? '');
  await revocation.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByText(`The key ${names[0]} is revoked.`).waitFor();

  const narrow = await open({
    userId: globex.people.member.user.id,
    width: 390,
    colorScheme: 'dark',
    path: '/w/globex/keys',
  });
  await narrow.getByText(names[0] ?? '').waitFor();
  await assertTableFits(narrow, 'API keys');
  await assertFitsAndIsAccessible(narrow, 'keys');
  await openForm(narrow);
  await assertFitsAndIsAccessible(narrow, 'keys-form');
});

test('a key that is shown once stays until it is closed, and leaving the page asks first', async () => {
  const page = await open({ userId: admin.user.id, path: '/w/acme' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'API keys' }).click();
  const dialog = await openForm(page);
  await dialog.getByLabel('Name').fill('Held');
  await dialog.getByRole('button', { name: 'Read everything' }).click();
  const answer = Promise.withResolvers<void>();
  await page.route('**/console/keys', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/console/keys');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await asked;
  await page.goBack();
  answer.resolve();
  const value = await shownText(page, 'Key');
  await page.goBack();
  const leaving = page.getByRole('dialog', { name: 'Leave this page?' });
  await leaving.getByRole('button', { name: 'Stay' }).waitFor();
  await assertFitsAndIsAccessible(page, 'keys-leave');
  // Escape closes only the question.
  await page.keyboard.press('Escape');
  await leaving.waitFor({ state: 'detached' });
  assert.equal(await shownText(page, 'Key'), value);
  await shownDialog(page).getByRole('button', { name: 'Close' }).last().click();
  await shownDialog(page).waitFor({ state: 'detached' });
  await openForm(page);
});

test('after a sign-in older than an hour the password is asked again before the key is created', async () => {
  const person = globex.people.admin.user;
  await installTx(db, (tx) => setPassword(tx, person.id, 'correct horse battery'));
  const page = await open({ userId: person.id });
  await installTx(db, (tx) =>
    tx.query(`update user_session set created_at = now() - interval '2 hours' where user_id = $1`, [
      person.id,
    ]),
  );
  await page.goto(`${url}/w/globex/keys`);
  const before = (await keysOf(person.id)).length;
  const dialog = await openForm(page);
  await dialog.getByLabel('Name').fill('After an hour');
  await dialog.getByRole('button', { name: 'Read everything' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('button', { name: 'Cancel' }).click();
  await again.waitFor({ state: 'detached' });
  assert.equal((await keysOf(person.id)).length, before);
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'After an hour');
  assert.equal(await dialog.getByRole('alert').count(), 0);

  await dialog.getByRole('button', { name: 'Create key' }).click();
  await again.getByLabel('Password of admin@globex.example').fill('wrong horse battery');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByText('Wrong password.').waitFor();
  // Escape closes only the question. The form keeps its text.
  await page.keyboard.press('Escape');
  await again.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await again.getByLabel('Password of admin@globex.example').fill('correct horse battery');
  await page.keyboard.press('Enter');
  const said = await run(await shownText(page, 'Command'));
  assert.equal((said.token as { name: string }).name, 'After an hour');
  assert.equal((await keysOf(person.id)).length, before + 1);
});

test('a form is not sent in the name of somebody who has signed in in another tab', async () => {
  const page = await openKeys(member.user.id);
  const dialog = await openForm(page);
  await dialog.getByLabel('Name').fill('Of the member');
  await dialog.getByRole('button', { name: 'Read everything' }).click();
  const [name = '', value = ''] =
    (await signInAs(server, admin.user.id)).headers.cookie?.split(/=(.*)/) ?? [];
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  const { length } = await keysOf(admin.user.id);
  const loadedAgain = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await loadedAgain;
  await page.getByRole('button', { name: admin.user.name }).waitFor();
  assert.equal((await keysOf(admin.user.id)).length, length);
});

test('a page of somebody who is not in the workspace any more is loaded anew for whoever has signed in', async () => {
  const stranger = globex.people.member.user;
  const page = await openKeys(member.user.id);
  const [name = '', value = ''] = (await signInAs(server, stranger.id)).headers.cookie?.split(/=(.*)/) ?? [];
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  const loadedAgain = page.waitForEvent('load');
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Violations' }).click();
  await loadedAgain;
  await page.getByRole('button', { name: stranger.name }).waitFor();
});

test('an admin creates a trust rule for CI, sees a refusal beside it, and deletes it', async () => {
  const page = await openKeys(admin.user.id, '?kind=workspace');
  const section = page.getByRole('region', { name: 'Trust rules for CI' });
  await section.getByText('There is no rule yet.').waitFor();
  await section.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New trust rule' });
  await dialog.getByLabel('Name').fill('Our organization');
  assert.equal(await dialog.getByLabel('Audience').inputValue(), url);
  await dialog.getByRole('textbox', { name: /^Id/ }).fill('acme');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/repository_owner_id must be a number/).waitFor();
  await dialog.getByRole('textbox', { name: /^Id/ }).fill('77');
  await dialog.getByLabel('Further claims').fill('ref=refs/heads/main');
  await assertFitsAndIsAccessible(page, 'trust-rule-form');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = section.getByRole('row', { name: /Our organization/ });
  await row.getByText('repository_owner_id = 77').waitFor();
  await row.getByText('ref = refs/heads/main').waitFor();
  await server.owner.query(
    `update trust_rule set last_refused_at = now(), last_refusal = 'The token has repository_owner_id 13; the rule says 77.'`,
  );
  await page.reload();
  await row.getByText('The token has repository_owner_id 13').waitFor();
  await assertFitsInEachLook(page, 'trust-rules');
  await row.getByRole('button', { name: 'Delete Our organization' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await section.getByText('There is no rule yet.').waitFor();
});
