/** Tests the identity that an OpenID Connect provider gives: the issuer, the ID token and its claims. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { oidcCallbackPath } from '../../src/access/sign-in/identity.ts';
import { createUser } from '../../src/access/users/service.ts';
import { buildApp } from '../../src/app.ts';
import { installTx } from '../../src/db/database.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { oidcBrowser } from '../support/oidc-browser.ts';
import { createDirectory, merlond } from '../support/process.ts';
import { createTestServer } from '../support/server.ts';

const home = 'http://merlon.acme.example';
const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
const other = await startIdentityProvider(`${home}${oidcCallbackPath}`);
after(() => Promise.all([provider.close(), other.close()]));
const server = await createTestServer({
  MERLON_PUBLIC_URL: home,
  ...provider.settings,
  MERLON_OIDC_ISSUER: `${provider.issuer}/`,
});
const { db } = server;
const { signInAs } = oidcBrowser(server.app, home, provider);
afterEach(() => {
  provider.idToken = (claims) => claims;
});

const secretFile = join(createDirectory(), 'secret');
writeFileSync(secretFile, randomBytes(32).toString('hex'));
const operator = (...args: string[]) =>
  merlond(args, { MERLON_DATABASE_URL: server.appUrl, MERLON_SECRET_FILE: secretFile });

const mia = { sub: 'mia', email: 'mia@acme.example', email_verified: true, name: 'Mia Lang' };

async function refusedWith(identity: typeof mia, error: string, what: string): Promise<void> {
  const { session, location } = await signInAs(identity);
  assert.equal(session.signed_in, false, what);
  assert.match(location, new RegExp(`/sign-in\\?.*error=${error}`), what);
  const made = await installTx(db, (tx) =>
    tx.query('select 1 from user_credential where account_id like $1', [`%#${identity.sub}`]),
  );
  assert.deepEqual(made, [], what);
}

test('after a change of the issuer its identities open no account of the old one, until the operator moves them', async () => {
  const first = await signInAs(mia);
  assert.equal(first.session.signed_in, true, first.location);
  const { oidc } = server.config;
  assert.ok(oidc);
  const config = { ...server.config, oidc: { ...oidc, issuer: other.issuer } };
  const app = await buildApp({ config, db, secret: server.secret, log: false });
  server.beforeClose(() => app.close());
  const there = oidcBrowser(app, home, other);
  // The same subject: another person's address, and the address of the account.
  const stranger = await there.signInAs({ ...mia, email: 'eve@evil.example', name: 'Eve' });
  assert.notEqual(stranger.session.user?.id, first.session.user?.id);
  await installTx(db, (tx) => tx.query('delete from user_account where email = $1', ['eve@evil.example']));
  const claimed = await there.signInAs(mia);
  assert.equal(claimed.session.signed_in, false, claimed.location);
  assert.match(claimed.location, /error=identity_refused/);

  const moved = await operator(
    'user',
    'issuer',
    '--from',
    provider.issuer,
    '--to',
    `${other.issuer}/`,
    '--json',
  );
  assert.equal(moved.code, 0, moved.stderr);
  assert.deepEqual(JSON.parse(moved.stdout), { from: provider.issuer, to: other.issuer, moved: 1, kept: [] });
  assert.equal((await there.signInAs(mia)).session.user?.id, first.session.user?.id);
  const before = await signInAs({ ...mia, email: 'mia2@acme.example' });
  assert.notEqual(before.session.user?.id, first.session.user?.id, 'the old issuer opens it no more');
});

test('an identity from before issuers were stored is refused until the operator names its issuer', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', null));
  await server.owner.query(
    `insert into user_credential (id, user_id, provider_id, account_id) values (gen_random_uuid(), $1, 'sso', '#kim')`,
    [kim.id],
  );
  const identity = { ...mia, sub: 'kim', email: kim.email };
  assert.equal((await signInAs(identity)).session.signed_in, false);
  const moved = await operator('user', 'issuer', '--to', provider.issuer);
  assert.equal(moved.code, 0, moved.stderr);
  assert.match(moved.stderr, /moved 1 identity/);
  assert.equal((await signInAs(identity)).session.user?.email, kim.email);
});

test('an identity that already exists at the new issuer is not moved, and is named', async () => {
  const [old, taken] = await Promise.all(
    ['old', 'taken'].map((name) => installTx(db, (tx) => createUser(tx, `${name}@acme.example`, name, null))),
  );
  assert.ok(old && taken);
  await server.owner.query(
    `insert into user_credential (id, user_id, provider_id, account_id)
     values (gen_random_uuid(), $1, 'sso', 'https://old.example#lee'), (gen_random_uuid(), $2, 'sso', 'https://new.example#lee')`,
    [old.id, taken.id],
  );
  const moved = await operator(
    'user',
    'issuer',
    '--from',
    'https://old.example',
    '--to',
    'https://new.example',
    '--json',
  );
  assert.equal(moved.code, 0, moved.stderr);
  assert.deepEqual(JSON.parse(moved.stdout).kept, [old.email]);
  assert.match(moved.stderr, /old@acme\.example/);
  for (const wrong of ['new.example', 'https://new.example/?a', 'https://new.example#x']) {
    const refused = await operator('user', 'issuer', '--to', wrong);
    assert.equal(refused.code, 2, wrong);
  }
});

test('a sign-in without an ID token is refused', async () => {
  provider.idToken = () => null;
  await refusedWith(
    { ...mia, sub: 'tokenless', email: 'tokenless@acme.example' },
    'unable_to_get_user_info',
    'no ID token',
  );
});

test('an ID token for several clients is taken only with this one as the authorized party', async () => {
  const identity = { ...mia, sub: 'audience', email: 'audience@acme.example' };
  const audiences = [provider.clientId, 'another-client'];
  for (const extra of [
    { aud: audiences },
    { aud: audiences, azp: 'another-client' },
    { azp: 'another-client' },
  ]) {
    provider.idToken = (claims) => ({ ...claims, ...extra });
    await refusedWith(identity, 'unable_to_get_user_info', JSON.stringify(extra));
  }
  provider.idToken = (claims) => ({ ...claims, aud: audiences, azp: provider.clientId });
  assert.equal((await signInAs(identity)).session.signed_in, true);
});

test('an ID token of another issuer than the configured one is refused, even if the provider names itself so', async () => {
  const { oidc } = server.config;
  assert.ok(oidc);
  // The same provider at another address. Its discovery document and its tokens name the first address.
  const issuer = provider.issuer.replace('127.0.0.1', 'localhost');
  const config = { ...server.config, oidc: { ...oidc, issuer } };
  const app = await buildApp({ config, db, secret: server.secret, log: false });
  server.beforeClose(() => app.close());
  const { session, location } = await oidcBrowser(app, home, provider).signInAs({
    ...mia,
    sub: 'mirror',
    email: 'mirror@acme.example',
  });
  assert.equal(session.signed_in, false);
  assert.match(location, /error=unable_to_get_user_info/);
});

test('an e-mail claim that is no address is refused, and one with blanks and capitals is normalised', async () => {
  for (const email of [
    ['a@acme.example'],
    { value: 'a@acme.example' },
    'a@acme.example, b@acme.example',
    7,
  ]) {
    const identity = { ...mia, sub: 'odd', email: email as string };
    await refusedWith(identity, 'email_not_found', JSON.stringify(email));
  }
  const { session } = await signInAs({ ...mia, sub: 'folded', email: ' Folded@Acme.example ' });
  assert.equal(session.user?.email, 'folded@acme.example');
});

test('an address with a letter that folds to another one does not join the account of the other address', async () => {
  await installTx(db, (tx) => createUser(tx, 'kelvin@acme.example', 'Kelvin', null));
  // The lower case of the Kelvin sign is the letter k.
  const identity = { ...mia, sub: 'sign', email: '\u212aelvin@acme.example' };
  await refusedWith(identity, 'email_not_found', identity.email);
});
