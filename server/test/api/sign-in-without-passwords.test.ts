/** Tests of a server whose people sign in at the OpenID Connect provider only. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { invite } from '../../src/access/members/invitations.ts';
import { oidcCallbackPath } from '../../src/access/sign-in/identity.ts';
import { createSetupToken } from '../../src/access/sign-in/setup.ts';
import { createUser } from '../../src/access/users/service.ts';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { send, succeeded } from '../support/client.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { Jar, oidcBrowser } from '../support/oidc-browser.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { createTestWorkspace, principalAs } from '../support/workspace.ts';

const home = 'http://merlon.acme.example';
const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
after(() => provider.close());
const server = await createTestServer({
  MERLON_PUBLIC_URL: home,
  ...provider.settings,
  MERLON_PASSWORDS: 'off',
});
const { app, db } = server;
const browser = oidcBrowser(app, home, provider);
const password = 'correct horse battery';

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(app, { method: 'POST', path, headers: { origin: home, ...headers }, body });
const methods = async () =>
  (await send<{ methods: { password: boolean }; setup: boolean }>(app, { path: '/console/session' })).body;

test('passwords are not turned off where there is no provider', () => {
  assert.throws(
    () => loadConfig({ MERLON_PASSWORDS: 'off' }),
    /Set MERLON_OIDC_ISSUER, which is required with MERLON_PASSWORDS=off/,
  );
  assert.throws(() => loadConfig({ MERLON_PASSWORDS: 'no' }), /MERLON_PASSWORDS=no: Must be on or off/);
});

test('the first person does not get an account by a link and a password', async () => {
  assert.equal((await methods()).setup, false);
  assert.equal(await createSetupToken(db, { passwords: false }), null);
  const token = await createSetupToken(db, { passwords: true });
  const made = await post('/console/setup', { token, email: 'robin@acme.example', name: 'Robin', password });
  assert.equal(made.status, 404, made.text);
});

test('a correct password signs nobody in, and cannot be changed', async () => {
  const { id, email } = await installTx(db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', password));
  assert.equal((await methods()).methods.password, false);
  const signedIn = await post('/console/session', { email, password });
  assert.equal(signedIn.status, 404, signedIn.text);
  assert.equal(signedIn.headers['set-cookie'], undefined);
  const { rows } = await server.owner.query('select 1 from user_session where user_id = $1', [id]);
  assert.equal(rows.length, 0);
  const person = await signInAs(server, id);
  const changed = await send(app, {
    method: 'PUT',
    path: '/console/password',
    headers: { ...person.headers, origin: home },
    body: { current: password, new: 'another horse battery' },
  });
  assert.equal(changed.status, 404, changed.text);
});

test('a session that began with a password is not valid where passwords are off', async () => {
  const { email } = await installTx(db, (tx) => createUser(tx, 'lea@acme.example', 'Lea', password));
  const before = await buildApp({
    config: { ...server.config, passwords: true },
    db,
    secret: server.secret,
    log: false,
  });
  after(() => before.close());
  const signedIn = await send(before, {
    method: 'POST',
    path: '/console/session',
    headers: { origin: home },
    body: { email, password },
  });
  assert.equal(signedIn.status, 204, signedIn.text);
  const [cookie = ''] = (signedIn.headers['set-cookie'] ?? '').split(';');
  const userSeenBy = async (of: typeof app) =>
    (await send<{ user: object | null }>(of, { path: '/console/session', headers: { cookie } })).body.user;
  assert.notEqual(await userSeenBy(before), null);
  assert.equal(await userSeenBy(app), null);
});

test('an invited person gets no account by a password, and joins after the sign-in at the provider', async () => {
  const acme = await createTestWorkspace(server, 'acme');
  const email = 'mia@acme.example';
  const { token } = await tenantTx(db, acme.tenant.id, (tx) =>
    invite(tx, principalAs(acme, 'admin'), { email, role: 'member' }),
  );
  const accept = '/console/invitations/accept';
  const refused = await post(accept, { token, name: 'Mia', password });
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.text, /This server has no passwords: sign in first/);
  const jar = new Jar();
  provider.identity = { sub: 'mia', email, email_verified: true, name: 'Mia Lang' };
  await browser.comeBack(jar, await browser.atProvider(await browser.begin(jar)));
  const { body } = await send<{ csrf_token: string }>(app, {
    path: '/console/session',
    headers: { cookie: jar.header },
  });
  succeeded(await post(accept, { token }, { cookie: jar.header, 'x-csrf-token': body.csrf_token }));
});
