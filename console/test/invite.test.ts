/** Tests of the invitation page: both ways to join, the keys that get access, and refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite } from '../../server/src/access/members/invitations.ts';
import { setPassword } from '../../server/src/access/users/service.ts';
import { installTx, tenantTx } from '../../server/src/db/database.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { createTestWorkspace, principalAs } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, consoleOf, screenshot, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { db } = server;
const acme = await createTestWorkspace(server, 'acme');
const globex = await createTestWorkspace(server, 'globex');
const password = 'correct horse battery';

async function linkFor(workspace: typeof acme, email: string): Promise<string> {
  const { token } = await tenantTx(db, workspace.tenant.id, (tx) =>
    invite(tx, principalAs(workspace, 'admin'), { email, role: 'member' }),
  );
  return `${url}/invite#${token}`;
}

for (const width of [1280, 390]) {
  test(`an invited user with an account signs in, sees which keys will open the workspace, and joins (${width})`, async () => {
    const { user } = acme.people[width === 1280 ? 'member' : 'viewer'];
    await installTx(db, (tx) => setPassword(tx, user.id, password));
    const page = await open({ width });
    await page.goto(await linkFor(globex, user.email));
    await page.getByRole('heading', { name: 'Join Workspace globex' }).waitFor();
    await page.getByLabel('Your name').waitFor();
    await assertFitsAndIsAccessible(page, 'invite-both-ways');
    // A person who has an account and chooses a new password is told to sign in instead.
    await page.getByLabel('Your name').fill('Somebody');
    await page.getByLabel('Choose a password').fill(password);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page
      .getByRole('alert')
      .getByText(/There is already a user/)
      .waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const keys = page.getByRole('list', { name: 'Keys that will have access' });
    assert.match((await keys.textContent()) ?? '', /test, ends in .{4}, made now, last used: never/);
    await assertFitsAndIsAccessible(page, 'invite-keys');
    await page.getByRole('button', { name: 'Join the workspace' }).click();
    await page.waitForURL(`${url}/w/globex`);
  });
}

test('somebody who is signed in with another account signs out, signs in with the invited one, and joins', async () => {
  const { user } = acme.people.admin;
  const invited = acme.people.member.user;
  for (const { id } of [user, invited]) await installTx(db, (tx) => setPassword(tx, id, password));
  const page = await open();
  const signIn = async (email: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(`${url}/sign-in`);
  await signIn(user.email);
  await page.waitForURL(`${url}/w/acme`);
  await page.goto(await linkFor(await createTestWorkspace(server, 'hooli'), invited.email));
  await page.getByText('The invitation is for somebody else').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signIn(invited.email);
  await page.getByRole('button', { name: 'Join the workspace' }).click();
  await page.waitForURL(`${url}/w/hooli`);
});

test('a user whose address is not proved cannot join, and is told what to do', async () => {
  const email = 'robin@new.example';
  const page = await open();
  await page.goto(await linkFor(acme, email));
  await page.getByLabel('Your name').fill('Robin');
  await page.getByLabel('Choose a password').fill(password);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`${url}/w/acme`);
  await page.goto(await linkFor(globex, email));
  await page.getByRole('button', { name: 'Join the workspace' }).click();
  await page
    .getByRole('alert')
    .getByText(/ask the operator to reset the account/)
    .waitFor();
  await screenshot(page, 'invite-unproved');
});

test('a server that is not available for a moment is not shown as an invalid invitation', async () => {
  const page = await open();
  await page.route('**/invitations/preview', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(await linkFor(acme, 'later@new.example'));
  await page.getByRole('alert').getByText('The server is not available right now').waitFor();
  await page.unroute('**/invitations/preview');
  await screenshot(page, 'invite-server-away');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Join Workspace acme' }).waitFor();
});

test('without passwords an invited person signs in at the provider before they join', async () => {
  const port = await freePort();
  const withoutPasswords = await createTestServer({
    MERLON_PUBLIC_URL: `http://127.0.0.1:${port}`,
    MERLON_OIDC_ISSUER: 'https://id.acme.example',
    MERLON_OIDC_CLIENT_ID: 'merlon',
    MERLON_OIDC_CLIENT_SECRET: 'a secret of the test',
    MERLON_OIDC_NAME: 'Acme ID',
    MERLON_PASSWORDS: 'off',
  });
  const console = await consoleOf(withoutPasswords, port);
  const initech = await createTestWorkspace(withoutPasswords, 'initech');
  const { token } = await tenantTx(withoutPasswords.db, initech.tenant.id, (tx) =>
    invite(tx, principalAs(initech, 'admin'), { email: 'robin@new.example', role: 'member' }),
  );
  const page = await console.open({ path: `/invite#${token}` });
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await signIn.waitFor();
  assert.equal(await page.getByLabel('Choose a password').count(), 0);
  await assertFitsAndIsAccessible(page, 'invite-without-passwords');
  await signIn.click();
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Password' }).count(), 0);
  await assertFitsAndIsAccessible(page, 'sign-in-without-passwords');
});
