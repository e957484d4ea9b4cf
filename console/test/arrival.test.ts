/**
 * Tests of arrival in the console: the sign-in, the redirect to the only workspace of a person, and the way back to all
 * workspaces.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMember } from '../../server/src/access/members/service.ts';
import { oidcCallbackPath } from '../../server/src/access/sign-in/identity.ts';
import { setPassword } from '../../server/src/access/users/service.ts';
import { installTx, tenantTx } from '../../server/src/db/database.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { startIdentityProvider } from '../../server/test/support/identity-provider.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, consoleOf, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const acme = await createTestWorkspace(server, 'acme');
const globex = await createTestWorkspace(server, 'globex');
const password = 'correct horse battery';

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });
const allWorkspaces = (page: Page) => page.getByRole('heading', { level: 1, name: 'Workspaces' });

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a user with one workspace arrives in it and can still open the list of all workspaces', async () => {
  const { user } = acme.people.member;
  await installTx(server.db, (tx) => setPassword(tx, user.id, password));
  const page = await open();
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Enter your e-mail address.').waitFor();
  await page.getByText('Enter your password.').waitFor();
  await signIn(page, user.email);
  await page.waitForURL(`${url}/w/acme`);
  await overview(page).waitFor();
  await page.getByRole('button', { name: 'Workspace Workspace acme: change' }).click();
  await page.getByRole('menuitem', { name: 'All workspaces' }).click();
  await allWorkspaces(page).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
  await page.getByRole('region', { name: 'Workspaces' }).getByRole('link').click();
  await overview(page).waitFor();
  await page.getByRole('link', { name: 'Merlon: all workspaces' }).click();
  await allWorkspaces(page).waitFor();
  // Back leads to the previous page, not to the page of the redirect.
  await page.goBack();
  await overview(page).waitFor();

  // The start page as the first page redirects again, and so does the sign-in.
  await page.goto(url);
  await page.waitForURL(`${url}/w/acme`);
  await page.getByRole('button', { name: user.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await signIn(page, user.email);
  await page.waitForURL(`${url}/w/acme`);
  // From a page outside workspaces the list is one click away too.
  await page.goto(`${url}/account`);
  await page.getByRole('link', { name: 'Merlon: all workspaces' }).click();
  await allWorkspaces(page).waitFor();
});

test('a user whose session has ended can sign out', async () => {
  const { user } = acme.people.viewer;
  const page = await open({ userId: user.id, path: '/w/acme' });
  await page.getByRole('button', { name: user.name }).click();
  await server.owner.query('delete from user_session where user_id = $1', [user.id]);
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

test('a user who asked for a page arrives there after the sign-in', async () => {
  const { user } = acme.people.member;
  const page = await open({ path: '/w/acme/keys' });
  await signIn(page, user.email);
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
});

test('a user who cancels at the provider arrives at the requested page, however long, after another try', async () => {
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
  after(() => provider.close());
  const withProvider = await createTestServer({ MERLON_PUBLIC_URL: home, ...provider.settings });
  const initech = await createTestWorkspace(withProvider, 'initech');
  const { email, name } = initech.people.member.user;
  provider.identity = { sub: 'member', email, email_verified: true, name };
  // A page that `open` makes may send no request to another host, as the provider is.
  const page = await (await (await consoleOf(withProvider, port)).open()).context().newPage();
  const path = `/w/initech/keys?q=${'x'.repeat(1_500)}`;
  await page.goto(home + path);
  const button = page.getByRole('button', { name: /^Sign in with/ });
  provider.cancels = true;
  await button.click();
  await page.getByText('The provider refused the sign-in, or you cancelled it.').waitFor();
  provider.cancels = false;
  await button.click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  assert.equal(page.url(), home + path);
});

test('a user with two workspaces gets the list, and a user with none is told so', async () => {
  const { user } = globex.people.viewer;
  await tenantTx(server.db, acme.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  const page = await open({ userId: user.id });
  await page.goto(url);
  await allWorkspaces(page).waitFor();
  await page.getByRole('link', { name: 'Workspace globex' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');

  for (const { tenant } of [acme, globex]) {
    await tenantTx(server.db, tenant.id, (tx) =>
      tx.query('delete from member where tenant_id = $1 and user_id = $2', [tenant.id, user.id]),
    );
  }
  await page.reload();
  await page.getByText('You are in no workspace').waitFor();
});

test('the setup page without a link or with a wrong one shows an error and no form', async () => {
  for (const hash of ['', '#bm90aGluZw']) {
    const page = await open({ path: `/setup${hash}` });
    await page.getByRole('alert').getByText('This link is not valid').waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    await assertFitsAndIsAccessible(page, hash === '' ? 'setup-no-link' : 'setup-wrong-link');
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  }
});

test('a typed password can be shown and hidden again by keyboard', async () => {
  const page = await open({ path: '/sign-in' });
  const field = page.getByRole('textbox', { name: 'Password' });
  await field.fill(password);
  assert.equal(await field.getAttribute('type'), 'password');
  await page.keyboard.press('Tab');
  for (const type of ['text', 'password']) {
    await page.keyboard.press('Space');
    await field.and(page.locator(`[type=${type}]`)).waitFor();
  }
});

test('a password change shows an error at each missing or short field, and succeeds once corrected', async () => {
  const { user } = acme.people.admin;
  await installTx(server.db, (tx) => setPassword(tx, user.id, password));
  const page = await open({ userId: user.id, path: '/account' });
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel(/^New password(?! again)/).fill('short');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Enter it again.').waitFor();
  await page.getByText(/12 characters or more \(/).waitFor();
  await page.waitForFunction('document.activeElement.name === "new"');
  await assertFitsAndIsAccessible(page, 'account-missing');
  await page.getByLabel(/^New password(?! again)/).fill(`${password} 2`);
  await page.getByLabel('New password again').fill(`${password} 2`);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Your password is changed.', { exact: false }).waitFor();
});
