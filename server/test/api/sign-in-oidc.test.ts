/** Signing in at an OpenID Connect provider: a real one, over loopback, redirect by redirect. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { installTx } from '../../src/db/database.ts';
import { oidcCallbackPath } from '../../src/features/sign-in/auth.ts';
import { createUser } from '../../src/features/users/service.ts';
import { send } from '../support/client.ts';
import { type Identity, startIdentityProvider } from '../support/identity-provider.ts';
import { createTestServer } from '../support/server.ts';

const home = 'http://merlon.acme.example';
const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
after(() => provider.close());
const server = await createTestServer({
  MERLON_PUBLIC_URL: home,
  MERLON_OIDC_ISSUER: provider.issuer,
  MERLON_OIDC_CLIENT_ID: provider.clientId,
  MERLON_OIDC_CLIENT_SECRET: provider.clientSecret,
  MERLON_OIDC_NAME: 'Acme SSO',
});
const { app, db } = server;

class Jar {
  readonly #cookies = new Map<string, string>();

  take(setCookie: string[]): void {
    for (const line of setCookie) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

async function begin(jar: Jar, next?: string): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/console/session/oidc',
    headers: { origin: home, cookie: jar.header },
    payload: next === undefined ? {} : { next },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  jar.take([answer.headers['set-cookie'] ?? []].flat());
  return answer.json<{ url: string }>().url;
}

/** The provider's answer: the address that it sends the browser back to. */
async function atProvider(url: string): Promise<string> {
  const jar = new Jar();
  let next = url;
  while (!next.startsWith(home)) {
    const response = await fetch(next, { redirect: 'manual', headers: { cookie: jar.header } });
    jar.take(response.headers.getSetCookie());
    const location = response.headers.get('location');
    assert.ok(location, `${response.status} ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return next.slice(home.length);
}

async function comeBack(jar: Jar, path: string) {
  const answer = await app.inject({ url: path, headers: { cookie: jar.header } });
  jar.take([answer.headers['set-cookie'] ?? []].flat());
  return answer;
}

async function signInAs(identity: Identity, next?: string) {
  provider.identity = identity;
  const jar = new Jar();
  const answer = await comeBack(jar, await atProvider(await begin(jar, next)));
  const session = await send<{ signed_in: boolean; user: { email: string; id: string } | null }>(app, {
    path: '/console/session',
    headers: { cookie: jar.header },
  });
  return { answer, session: session.body, location: String(answer.headers.location) };
}

const mia = { sub: 'mia', email: 'mia@acme.example', email_verified: true, name: 'Mia Lang' };

test('who comes from the provider is signed in, and the same person the next time', async () => {
  const first = await signInAs(mia, '/w/acme/vulnerabilities?severity=high');
  assert.equal(first.session.signed_in, true, first.location);
  assert.equal(first.session.user?.email, mia.email);
  assert.match(first.location, /\/w\/acme\/vulnerabilities\?severity=high$/);
  const second = await signInAs({ ...mia, email: 'mia.lang@acme.example' });
  assert.equal(second.session.user?.id, first.session.user?.id);
});

test('signing in once more replaces the session', async () => {
  provider.identity = mia;
  const jar = new Jar();
  await comeBack(jar, await atProvider(await begin(jar)));
  const before = jar.header;
  await comeBack(jar, await atProvider(await begin(jar)));
  const signedIn = async (cookie: string) =>
    (await send<{ signed_in: boolean }>(app, { path: '/console/session', headers: { cookie } })).body
      .signed_in;
  assert.deepEqual([await signedIn(before), await signedIn(jar.header)], [false, true]);
});

test('an account that the operator made is joined by its address', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', null));
  const { session } = await signInAs({ ...mia, sub: 'kim', email: 'kim@acme.example' });
  assert.equal(session.signed_in, true);
  const [row] = await installTx(db, (tx) =>
    tx.query<{ user_id: string }>(`select user_id from user_credential where account_id = 'kim'`),
  );
  assert.equal(row?.user_id, kim.id);
});

test('an account that somebody from the provider has is not joined by another, whatever the address', async () => {
  const boss = await installTx(db, (tx) =>
    createUser(tx, 'boss@acme.example', 'Boss', null, { operator: true }),
  );
  const first = await signInAs({ ...mia, sub: 'boss-1', email: 'boss@acme.example' });
  assert.equal(first.session.signed_in, true);
  const second = await signInAs({ ...mia, sub: 'boss-2', email: 'boss@acme.example' });
  assert.equal(second.session.signed_in, false, second.location);
  const rows = await installTx(db, (tx) =>
    tx.query('select 1 from user_credential where user_id = $1', [boss.id]),
  );
  assert.equal(rows.length, 1);
});

test('an account whose address nobody vouches for is not joined: its password may be somebody else’s', async () => {
  await installTx(db, (tx) =>
    createUser(tx, 'prey@acme.example', 'Prey', 'a password of the attacker', { emailVerified: false }),
  );
  const { session, location } = await signInAs({ ...mia, sub: 'prey', email: 'prey@acme.example' });
  assert.equal(session.signed_in, false);
  assert.match(location, /\/sign-in\?.*error=/);
});

test('an address that the provider has not verified opens nothing', async () => {
  const { session, location } = await signInAs({
    ...mia,
    sub: 'eve',
    email: 'eve@acme.example',
    email_verified: false,
  });
  assert.equal(session.signed_in, false);
  assert.match(location, /error=/);
});

test('an answer that this browser did not ask for opens nothing', async () => {
  provider.identity = mia;
  const jar = new Jar();
  const back = await atProvider(await begin(jar));
  const stranger = new Jar();
  await comeBack(stranger, back);
  const session = await send<{ signed_in: boolean }>(app, {
    path: '/console/session',
    headers: { cookie: stranger.header },
  });
  assert.equal(session.body.signed_in, false);
});

test('the address to return to is one of the console’s own', async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/console/session/oidc',
      headers: { origin: home },
      payload: { next },
    });
    assert.equal(answer.statusCode, 422, next);
  }
});

test('without a provider there is none to sign in at', async () => {
  const plain = await createTestServer();
  const headers = { origin: 'http://localhost', host: 'localhost' };
  const answer = await send(plain.app, {
    method: 'POST',
    path: '/console/session/oidc',
    headers,
    body: {},
  });
  assert.equal(answer.status, 404);
  assert.equal((await send(plain.app, { path: oidcCallbackPath })).status, 404);
});
