/** Tests of the sign-in at the console: the session behind a cookie, its limits, and its access. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { inTurn } from '../../src/access/sign-in/hashing.ts';
import { knownBrowsers } from '../../src/access/sign-in/known-browsers.ts';
import { createSetupToken } from '../../src/access/sign-in/setup.ts';
import { sweepSignIns } from '../../src/access/sign-in/sweep.ts';
import { createUser, setPassword } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { type Answer, send } from '../support/client.ts';
import { onlyInCi } from '../support/form.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs, signInWith } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const home = { origin: 'http://localhost', host: 'localhost' };
const password = 'correct horse battery';

let people = 0;
async function person(name = 'Kim') {
  people++;
  return installTx(db, (tx) => createUser(tx, `kim${people}@acme.example`, name, password));
}

const session = (headers: Record<string, string>) =>
  send<Record<string, unknown>>(app, {
    path: '/console/session',
    headers: { host: 'localhost', ...headers },
  });
const signIn = (email: string, secret: string, headers: Record<string, string> = home) =>
  send(app, { method: 'POST', path: '/console/session', headers, body: { email, password: secret } });

test('the first person signs up by the link that the server printed, and only the first', async () => {
  assert.equal((await session({})).body.setup, true);
  const [token, other] = [
    await createSetupToken(db, { passwords: true }),
    await createSetupToken(db, { passwords: true }),
  ];
  const setup = (given: string | null, email: string, secret = password) =>
    send(app, {
      method: 'POST',
      path: '/console/setup',
      headers: home,
      body: { token: given, email, name: 'Robin', password: secret },
    });
  assert.equal((await setup('x'.repeat(32), 'robin@acme.example')).status, 404);
  for (const short of ['short', '😀'.repeat(11)]) {
    const weak = await setup(token, 'robin@acme.example', short);
    assert.equal(weak.status, 422);
    assert.match(weak.text, /12 to 256 characters/);
  }
  // The account would be of no use, and the link would be gone.
  const unusable = await setup(token, 'rené@acme.example');
  assert.equal(unusable.status, 422, unusable.text);
  assert.match(unusable.text, /cannot sign in with a password/);
  const made = await setup(token, 'robin@acme.example', '😀'.repeat(256));
  assert.equal(made.status, 204, made.text);
  const cookie = (made.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const now = (await session({ cookie })).body;
  assert.equal(now.signed_in, true);
  assert.equal(now.operator, true);
  assert.equal((await setup(other, 'second@acme.example')).status, 404);
  assert.equal((await setup(token, 'second@acme.example')).status, 404);
  assert.equal(await createSetupToken(db, { passwords: true }), null);
  assert.equal((await session({})).body.setup, false);
  // Requests without a link take no place in the queue of those who sign in.
  const { promise: isBusy, resolve: endBusy } = Promise.withResolvers<void>();
  const others = Array.from({ length: 102 }, (_, i) => inTurn(`other${i}@acme.example`, () => isBusy));
  const late = await setup(other, 'second@acme.example');
  endBusy();
  await Promise.all(others);
  assert.equal(late.status, 404);
});

test('a password opens a session, with an HttpOnly and SameSite cookie', async () => {
  const kim = await person();
  const answer = await signIn(kim.email.toUpperCase(), password);
  assert.equal(answer.status, 204, answer.text);
  const cookie = answer.headers['set-cookie'] ?? '';
  const cookies = cookiesIn(answer);
  assert.equal(cookies.length, 2, cookie);
  for (const each of cookies) {
    assert.match(each, /; HttpOnly/i);
    assert.match(each, /; SameSite=Lax/i);
    assert.doesNotMatch(each, /Secure/i);
  }
  const shown = (await session({ cookie: cookie.split(';')[0] ?? '' })).body;
  assert.deepEqual(
    { signed_in: shown.signed_in, operator: shown.operator, name: (shown.user as { name: string }).name },
    { signed_in: true, operator: false, name: 'Kim' },
  );
});

test('behind TLS the cookie is Secure and bound to this host', async () => {
  const secure = await createTestServer({ MERLON_PUBLIC_URL: 'https://merlon.acme.example' });
  const kim = await installTx(secure.db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', password));
  const sent = { method: 'POST' as const, path: '/console/session', body: { email: kim.email, password } };
  const answer = await send(secure.app, { ...sent, headers: { origin: 'https://merlon.acme.example' } });
  assert.equal(answer.status, 204, answer.text);
  const cookie = answer.headers['set-cookie'] ?? '';
  assert.match(cookie, /^__Host-merlon\.session_token=/);
  assert.equal(cookiesIn(answer).length, 2, cookie);
  for (const each of cookiesIn(answer)) {
    assert.match(each, /^__Host-merlon\.[a-z_]+=[^;]+;.*Path=\/;/);
    assert.match(each, /; Secure/);
    assert.doesNotMatch(each, /Domain/i);
  }
  const [pair = ''] = cookie.split(';');
  const signedIn = async (given: string) =>
    (await send<{ signed_in: boolean }>(secure.app, { path: '/console/session', headers: { cookie: given } }))
      .body.signed_in;
  assert.equal(await signedIn(pair), true);
  // A neighbour below the same domain, or a page without TLS, can set these cookies, so the server must not accept
  // them.
  for (const prefix of ['', '__Secure-', '__host-']) {
    assert.equal(await signedIn(pair.replace('__Host-', prefix)), false, prefix);
  }
  const elsewhere = await send(secure.app, { ...sent, headers: { origin: 'http://merlon.acme.example' } });
  assert.equal(elsewhere.status, 403);
});

test('a wrong password, an unknown person, a service user and a person without a password get the same answer', async () => {
  const kim = await person();
  const { people: members } = await createTestWorkspace(server, 'one-answer');
  const answers = [
    await signIn(kim.email, 'not the password'),
    await signIn('nobody@acme.example', password),
    await signIn(members.member.user.email, password),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, { code: 'AUTHENTICATION_REQUIRED', message: 'Unauthenticated.' });
    assert.equal(answer.headers['set-cookie'], undefined);
  }
});

/** Tries a password of the account from an address. */
const guessAt =
  (email: string) =>
  (address: string, secret: string, more: { cookie?: string } = {}) =>
    app.inject({
      method: 'POST',
      url: '/console/session',
      remoteAddress: address,
      headers: { ...home, ...more },
      payload: { email, password: secret },
    });

test('too many guesses lock the account out for that address, and the right password is refused too', async () => {
  const kim = await person();
  const from = guessAt(kim.email);
  for (let i = 0; i < 5; i++) assert.equal((await from('192.0.2.7', `guess number ${i}`)).statusCode, 401);
  const locked = await from('192.0.2.7', password);
  assert.equal(locked.statusCode, 429);
  assert.ok(Number(locked.headers['retry-after']) > 0);
  assert.equal((await from('192.0.2.8', password)).statusCode, 204);
});

test('a hundred guesses at many accounts lock their address out, and no account from elsewhere', {
  skip: onlyInCi,
}, async () => {
  for (let i = 0; i < 100; i++) {
    const guess = guessAt(`sprayed${Math.floor(i / 4)}@acme.example`);
    assert.equal((await guess('198.51.100.60', 'correct horse battery')).statusCode, 401, String(i));
  }
  const kim = await person();
  assert.equal((await guessAt(kim.email)('198.51.100.60', password)).statusCode, 429);
  assert.equal((await guessAt(kim.email)('198.51.100.61', password)).statusCode, 204);
});

test('guesses of one address lock out that address alone, however many there are', async () => {
  const kim = await person();
  const from = guessAt(kim.email);
  for (let i = 0; i < 60; i++) await from('192.0.2.70', `guess ${i}`);
  assert.equal((await from('192.0.2.70', password)).statusCode, 429);
  assert.equal((await from('192.0.2.71', password)).statusCode, 204);
});

test('simultaneous guesses count too, and do not lock out other addresses', async () => {
  const kim = await person();
  const from = guessAt(kim.email);
  const guesses = Array.from({ length: 30 }, (_, i) =>
    from('192.0.2.20', i === 29 ? password : `guess ${i}`),
  );
  const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 25);
  assert.equal((await from('192.0.2.21', password)).statusCode, 204);
  // All addresses of an IPv6 network count as one.
  for (let i = 1; i <= 5; i++) assert.equal((await from(`2001:db8::${i}`, 'guess')).statusCode, 401);
  assert.equal((await from('2001:db8::99', password)).statusCode, 429);
  assert.equal((await from('2001:db8:0:1::99', password)).statusCode, 204);
});

const cookiesIn = ({ headers }: Answer): string[] => (headers['set-cookie'] ?? '').split(/, ?(?=[^;,]+=)/);

const knownIn = ({ headers }: Answer): string =>
  /merlon\.known_browser=[^;]+/.exec(headers['set-cookie'] ?? '')?.[0] ?? assert.fail('no cookie');

test('guesses of strangers do not lock a person out of a browser in which that person has signed in before', {
  skip: onlyInCi,
}, async () => {
  const kim = await person();
  const other = await person();
  const known = knownIn(await signIn(kim.email, password));
  const foreign = knownIn(await signIn(other.email, password));
  for (let i = 0; i < 50; i++) {
    assert.equal((await guessAt(kim.email)(`198.51.100.${i % 10}`, `guess ${i}`)).statusCode, 401);
  }
  const tryWith = async (cookie: string, secret = password) =>
    (await signIn(kim.email, secret, { ...home, cookie })).status;
  for (const cookie of ['', foreign, `${known}x`, known.replace('=', '=x')]) {
    assert.equal(await tryWith(cookie), 429, cookie);
  }
  assert.equal(await tryWith(`a=b; ${known}`), 204);
  const { headers } = await signInAs(server, kim.id);
  const change = await send(app, {
    method: 'PUT',
    path: '/console/password',
    headers: { ...headers, cookie: `${headers.cookie}; ${known}` },
    body: { current: password, new: 'another long password' },
  });
  assert.equal(change.status, 204, change.text);
  assert.equal(await tryWith(known, 'another long password'), 429, 'a cookie from before the change');
  // In this browser five mistakes are allowed too, from whatever address.
  const renewed = knownIn(change);
  for (let i = 0; i < 5; i++) assert.equal(await tryWith(renewed, `guess ${i}`), 401);
  assert.equal(await tryWith(renewed, 'another long password'), 429);
});

test('browsers that were known with the old password give no guesses at the one that the operator sets', async () => {
  const kim = await person();
  const known: string[] = [];
  for (let i = 0; i < 3; i++) known.push(knownIn(await signIn(kim.email, password)));
  await installTx(db, (tx) => setPassword(tx, kim.id, 'another long password'));
  const guess = (i: number) =>
    guessAt(kim.email)('192.0.2.60', `guess ${i}`, { cookie: known[i % known.length] ?? '' });
  for (let i = 0; i < 5; i++) assert.equal((await guess(i)).statusCode, 401);
  for (let i = 5; i < 8; i++) assert.equal((await guess(i)).statusCode, 429);
});

test('a guess beyond the limit reads nothing from the database, whatever cookie it sends', async (t) => {
  const email = 'nobody@acme.example';
  const other = await person();
  const foreign = knownIn(await signIn(other.email, password));
  const from = guessAt(email);
  for (let i = 0; i < 6; i++) await from('192.0.2.61', `guess ${i}`);
  const connects = t.mock.method(db.pool, 'connect');
  for (const cookie of ['', foreign, 'merlon.known_browser=1.x.y.z']) {
    assert.equal((await from('192.0.2.61', 'guess', { cookie })).statusCode, 429);
  }
  assert.equal(connects.mock.callCount(), 0);
  assert.equal((await from('192.0.2.62', 'guess')).statusCode, 401);
  assert.notEqual(connects.mock.callCount(), 0);
});

test('a browser is known for half a year after the last sign-in, whatever its clock says', async (t) => {
  const browsers = knownBrowsers(server.config, server.secret);
  const account = { email: 'kim@acme.example', hash: 'a hash' };
  const cookieOf = (id: string | null) => browsers.cookieFor(account, id).split(';')[0];
  const find = (cookie: string | undefined) =>
    browsers.find({ headers: { cookie } }, account.email, async () => account.hash);
  const first = cookieOf(null);
  const id = await find(first);
  assert.ok(id);
  const day = 24 * 3600 * 1000;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 179 * day });
  assert.equal(await find(first), id);
  const second = cookieOf(id);
  t.mock.timers.tick(2 * day);
  assert.deepEqual([await find(first), await find(second)], [null, id]);
});

test('only a wrong password counts as a guess', async () => {
  const kim = await person();
  const { promise: isBusy, resolve: endBusy } = Promise.withResolvers<void>();
  const others = Array.from({ length: 102 }, (_, i) => inTurn(`other${i}@acme.example`, () => isBusy));
  const answers: { statusCode: number; body: string }[] = [];
  for (let i = 0; i < 6; i++) answers.push(await guessAt(kim.email)('192.0.2.50', password));
  endBusy();
  await Promise.all(others);
  for (const { statusCode, body } of answers) {
    assert.equal(statusCode, 503);
    assert.match(body, /Too many people sign in at the same time/);
  }
  assert.equal((await guessAt(kim.email)('192.0.2.50', password)).statusCode, 204);
  const { headers } = await signInAs(server, kim.id);
  const change = (next: string) =>
    app.inject({
      method: 'PUT',
      url: '/console/password',
      remoteAddress: '192.0.2.50',
      headers,
      payload: { current: password, new: next },
    });
  for (let i = 0; i < 6; i++) assert.equal((await change('short')).statusCode, 422);
  assert.equal((await change('another long password')).statusCode, 204);
});

test('a person who signs in again and again in many browsers does not keep others from signing in', {
  skip: onlyInCi,
}, async () => {
  const [busy, kim] = [await person(), await person()];
  const browsers: string[] = [];
  for (let i = 0; i < 21; i++) browsers.push(knownIn(await signIn(busy.email, password)));
  const flood = browsers.flatMap((cookie) =>
    Array.from({ length: 5 }, () => signIn(busy.email, password, { ...home, cookie })),
  );
  await Promise.race(flood);
  assert.equal((await signIn(kim.email, password)).status, 204);
  for (const { status } of await Promise.all(flood)) assert.ok([204, 503].includes(status));
});

test('a person without a password is told so instead of that it is wrong', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'no-password@acme.example', 'Kim', null));
  const client = await signInAs(server, kim.id);
  const { status, body } = await client.put('/console/password', {
    current: password,
    new: 'another long password',
  });
  assert.equal(status, 422);
  assert.match(JSON.stringify(body), /"current":\["Your account has no password/);
});

test('a sign-in during a change of the password leaves no session', async () => {
  const kim = await person();
  const tries = Array.from({ length: 4 }, (_, i) =>
    app.inject({
      method: 'POST',
      url: '/console/session',
      remoteAddress: `192.0.2.${30 + i}`,
      headers: home,
      payload: { email: kim.email, password },
    }),
  );
  const change = installTx(db, (tx) => setPassword(tx, kim.id, 'another long password'));
  await Promise.all([...tries, change]);
  const left = await installTx(db, (tx) =>
    tx.query('select 1 from user_session where user_id = $1', [kim.id]),
  );
  // A sign-in that ended before the change lost its session with it. A later one is refused.
  assert.equal(left.length, 0);
});

test('a disabled person is refused as with a wrong password, and keeps no session', async () => {
  const kim = await person();
  await installTx(db, (tx) =>
    tx.query('update user_account set disabled_at = now() where id = $1', [kim.id]),
  );
  const answer = await signIn(kim.email, password);
  assert.equal(answer.status, 401);
  assert.equal(answer.headers['set-cookie'], undefined);
  const left = await installTx(db, (tx) =>
    tx.query('select 1 from user_session where user_id = $1', [kim.id]),
  );
  assert.equal(left.length, 0);
});

test('a session ends after thirty days, however often it was prolonged, and expired ones are swept', async () => {
  const kim = await person();
  const day = 24 * 3600 * 1000;
  const young = await signInAs(server, kim.id, { signedInAt: new Date(Date.now() - 29 * day) });
  const old = await signInAs(server, kim.id, { signedInAt: new Date(Date.now() - 31 * day) });
  const signedIn = async (client: typeof old) =>
    (await client.get<{ signed_in: boolean }>('/console/session')).body.signed_in;
  assert.deepEqual([await signedIn(young), await signedIn(old)], [true, false]);
  await installTx(db, (tx) =>
    tx.query(`update user_session set expires_at = now() - interval '1 minute' where user_id = $1`, [kim.id]),
  );
  await sweepSignIns(db);
  const left = await installTx(db, (tx) =>
    tx.query('select 1 from user_session where user_id = $1', [kim.id]),
  );
  assert.equal(left.length, 0);
});

test('a body with many mistakes is refused with the first one', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 0]));
  const answer = await send(app, { method: 'POST', path: '/console/session', headers: home, body: wrong });
  assert.equal(answer.status, 422);
  assert.ok(answer.text.length < 1_000, `${answer.text.length} characters`);
});

test('a write with a session needs the console’s own origin and the CSRF token', async () => {
  const kim = await person();
  const client = await signInWith(server, kim.email, password);
  const leave = (headers: Record<string, string>) =>
    client.send({ method: 'DELETE', path: '/console/sessions', headers });
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'x'.repeat(43) },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await leave(headers);
    assert.equal(answer.status, 403, JSON.stringify(headers));
    assert.equal(answer.body.code, 'ORIGIN_REFUSED');
  }
  const { cookie, host, 'x-csrf-token': token } = client.headers as Record<string, string>;
  const bare = await send(app, {
    method: 'DELETE',
    path: '/console/sessions',
    headers: { cookie: cookie ?? '', host: host ?? '', 'x-csrf-token': token ?? '' },
  });
  assert.equal(bare.status, 403);
  assert.equal((await leave({})).status, 204);
});

test('an address with blanks around it and in capitals is the same, and its guesses count together', async () => {
  const kim = await person();
  const written = [`  ${kim.email}`, `${kim.email.toUpperCase()} `];
  for (const email of written) {
    const answer = await send(app, {
      method: 'POST',
      path: '/console/session',
      headers: { origin: 'http://localhost', host: 'localhost' },
      body: { email, password },
    });
    assert.equal(answer.status, 204, email);
  }
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const answer = await app.inject({
      method: 'POST',
      url: '/console/session',
      headers: { origin: 'http://localhost', host: 'localhost' },
      payload: { email: written[i % 2], password: 'a wrong password' },
    });
    statuses.push(answer.statusCode);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
});

test('without MERLON_PUBLIC_URL a name that is not loopback opens no console, and the API by key still works', async () => {
  const kim = await person();
  const client = await signInWith(server, kim.email, password);
  const under = (host: string, path: string, more: Record<string, string> = {}) =>
    send<{ code: string; message: string }>(app, {
      path,
      headers: { ...client.headers, host, origin: `http://${host}`, ...more },
    });
  for (const host of [
    'rebound.evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.1.2.3',
  ]) {
    const signIn = await send<{ code: string; message: string }>(app, {
      method: 'POST',
      path: '/console/session',
      headers: { host, origin: `http://${host}` },
      body: { email: kim.email, password },
    });
    const answers = [signIn];
    for (const path of ['/', '/setup', '/console/session', '/console/workspaces', '/manage/v1/acme/keys']) {
      answers.push(await under(host, path));
    }
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [403, 'ORIGIN_REFUSED'], host);
      assert.match(body.message, /Set MERLON_PUBLIC_URL/);
    }
    assert.equal((await under(host, '/api/v1/tenants')).status, 401, 'which looks at keys alone');
  }
  for (const host of ['localhost:8080', '127.0.0.1', '127.0.0.2:80', '[::1]:8080', 'merlon.localhost']) {
    assert.equal((await under(host, '/console/workspaces')).status, 200, host);
  }
});

test('the CSRF token of one session is not valid for another', async () => {
  const kim = await person();
  const [one, two] = [
    await signInWith(server, kim.email, password),
    await signInWith(server, kim.email, password),
  ];
  const mixed = await one.send({
    method: 'DELETE',
    path: '/console/session',
    headers: { 'x-csrf-token': two.headers['x-csrf-token'] ?? '' },
  });
  assert.equal(mixed.status, 403);
});

test('sign out ends this session, and sign out everywhere ends all', async () => {
  const kim = await person();
  const clients = [];
  for (let i = 0; i < 3; i++) clients.push(await signInWith(server, kim.email, password));
  const [first, second, third] = clients;
  assert.ok(first && second && third);
  const signedIn = async (client: typeof first) =>
    (await client.get<{ signed_in: boolean }>('/console/session')).body.signed_in;
  assert.equal((await first.delete('/console/session')).status, 204);
  assert.deepEqual([await signedIn(first), await signedIn(second)], [false, true]);
  assert.equal((await second.delete('/console/sessions')).status, 204);
  assert.deepEqual([await signedIn(second), await signedIn(third)], [false, false]);
});

test('a second sign-in replaces the session', async () => {
  const kim = await person();
  const before = await signInWith(server, kim.email, password);
  const again = await signIn(kim.email, password, { ...home, cookie: before.headers.cookie ?? '' });
  assert.equal(again.status, 204);
  const old = await before.get<{ signed_in: boolean }>('/console/session');
  assert.equal(old.body.signed_in, false);
});

test('a changed password ends the other sessions', async () => {
  const kim = await person();
  const [here, there] = [
    await signInWith(server, kim.email, password),
    await signInWith(server, kim.email, password),
  ];
  const change = (current: string, next: string) => here.put('/console/password', { current, new: next });
  assert.equal((await change('not the password', 'another long password')).status, 422);
  assert.equal((await change(password, 'short')).status, 422);
  assert.equal((await change(password, 'another long password')).status, 204);
  assert.equal((await there.get<{ signed_in: boolean }>('/console/session')).body.signed_in, false);
  assert.equal((await signIn(kim.email, password)).status, 401);
  assert.equal((await signIn(kim.email, 'another long password')).status, 204);
});

test('a session may use the console’s reads and management as its role allows, and never the routes for keys', async () => {
  const { tenant, people: members } = await createTestWorkspace(server, 'surfaces');
  const viewer = await signInAs(server, members.viewer.user.id);
  const admin = await signInAs(server, members.admin.user.id);
  const list = await viewer.get(`/console/api/v1/${tenant.slug}/vulnerabilities`);
  assert.equal(list.status, 200, list.text);
  assert.equal(list.headers.vary, 'Cookie');
  assert.equal((await viewer.get('/console/api/v1/tenants')).status, 200);
  assert.equal((await viewer.get(`/api/v1/${tenant.slug}/vulnerabilities`)).status, 401);
  assert.equal((await viewer.get(`/export/v1/${tenant.slug}/vulnerabilities`)).status, 401);
  const policy = {
    name: 'x',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    condition: { all: [] },
  };
  assert.equal((await viewer.put(`/manage/v1/${tenant.slug}/policies/x`, policy)).status, 403);
  assert.notEqual((await admin.put(`/manage/v1/${tenant.slug}/policies/x`, policy)).status, 403);
  const whoami = await viewer.get<{ token: { id: string; scopes: string[] } }>(
    `/console/api/v1/${tenant.slug}/whoami`,
  );
  assert.match(whoami.body.token.id, /^ses_/);
  assert.ok(whoami.body.token.scopes.every((scope) => scope.endsWith(':read')));
  // A key gives no access to the console.
  const byKey = await send(app, {
    path: `/console/api/v1/${tenant.slug}/vulnerabilities`,
    authorization: `Bearer ${members.admin.key}`,
  });
  assert.equal(byKey.status, 401);
});

test('a session is refused in another workspace, and in its own once the membership ends', async () => {
  const mine = await createTestWorkspace(server, 'mine');
  const theirs = await createTestWorkspace(server, 'theirs');
  const { user } = mine.people.member;
  const client = await signInAs(server, user.id);
  const read = (slug: string) => client.get(`/console/api/v1/${slug}/vulnerabilities`);
  assert.equal((await read(theirs.tenant.slug)).status, 403);
  assert.equal((await read('nowhere')).status, 404);
  assert.equal((await read(mine.tenant.slug)).status, 200);
  await tenantTx(db, mine.tenant.id, (tx) =>
    tx.query('delete from member where tenant_id = $1 and user_id = $2', [mine.tenant.id, user.id]),
  );
  assert.equal((await read(mine.tenant.slug)).status, 403);
  await tenantTx(db, mine.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  assert.equal((await read(mine.tenant.slug)).status, 200);
  await installTx(db, (tx) =>
    tx.query('update user_account set disabled_at = now() where id = $1', [user.id]),
  );
  assert.equal((await read(mine.tenant.slug)).status, 401);
});

test('a forged, altered or expired cookie is refused', async () => {
  const kim = await person();
  const client = await signInWith(server, kim.email, password);
  const [name, value = ''] = (client.headers.cookie ?? '').split('=');
  const signedIn = async (cookie: string) => (await session({ cookie })).body.signed_in;
  assert.equal(await signedIn(client.headers.cookie ?? ''), true);
  const another = value[8] === 'X' ? 'Y' : 'X';
  assert.equal(await signedIn(`${name}=${value.slice(0, 8)}${another}${value.slice(9)}`), false);
  assert.equal(await signedIn(`${name}=${value.split('.')[0]}`), false);
  await installTx(db, (tx) =>
    tx.query(`update user_session set expires_at = now() - interval '1 second' where user_id = $1`, [kim.id]),
  );
  assert.equal(await signedIn(client.headers.cookie ?? ''), false);
});
