/** Tests of the sign-in at an OpenID Connect provider: a real one, over loopback, redirect by redirect. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { addMember } from '../../src/access/members/service.ts';
import { oidcCallbackPath } from '../../src/access/sign-in/identity.ts';
import { disableUser } from '../../src/access/users/disable.ts';
import { createUser, getUser } from '../../src/access/users/service.ts';
import { installTx, tenantReadTx, tenantTx } from '../../src/db/database.ts';
import { formatId, newId, type TenantId } from '../../src/domain/ids.ts';
import { send } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { Jar, oidcBrowser } from '../support/oidc-browser.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs as signInAtConsole } from '../support/session.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

const home = 'http://merlon.acme.example';
const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
after(() => provider.close());
const oidcSettings = {
  MERLON_PUBLIC_URL: home,
  ...provider.settings,
  MERLON_OIDC_NAME: 'Acme SSO',
};
const server = await createTestServer(oidcSettings);
const { app, db } = server;

const { begin, atProvider, comeBack, signInAs } = oidcBrowser(app, home, provider);

const mia = { sub: 'mia', email: 'mia@acme.example', email_verified: true, name: 'Mia Lang' };

test('a person from the provider is signed in, and is the same person the next time', async () => {
  const first = await signInAs(mia, '/w/acme/vulnerabilities?severity=high');
  assert.equal(first.session.signed_in, true, first.location);
  assert.equal(first.session.user?.email, mia.email);
  assert.match(first.location, /\/w\/acme\/vulnerabilities\?severity=high$/);
  const second = await signInAs({ ...mia, email: 'mia.lang@acme.example' });
  assert.equal(second.session.user?.id, first.session.user?.id);
});

test('the address of a session is that of the connection, whatever the browser says', async () => {
  provider.identity = mia;
  const jar = new Jar();
  await comeBack(jar, await atProvider(await begin(jar)), { 'x-forwarded-for': '203.0.113.9' });
  const { rows } = await server.owner.query(
    'select ip_address from user_session order by created_at desc limit 1',
  );
  assert.deepEqual(rows, [{ ip_address: '127.0.0.1' }]);
});

test('a second sign-in replaces the session', async () => {
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

test('an account that the operator made is joined by its address, once, and the audit log has it', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', null));
  const { tenant } = await createTestWorkspace(server, 'joined');
  await tenantTx(db, tenant.id, (tx) => addMember(tx, kim.id, 'viewer'));
  for (let i = 0; i < 2; i++) {
    const { session } = await signInAs({ ...mia, sub: 'kim', email: 'kim@acme.example' });
    assert.equal(session.signed_in, true);
  }
  const { rows: events } = await server.owner.query(
    `select actor_id, target_id from audit_event where tenant_id = $1 and action = 'user.link_identity'`,
    [tenant.id],
  );
  assert.deepEqual(events, [{ actor_id: kim.id, target_id: kim.id }]);
  const [row] = await installTx(db, (tx) =>
    tx.query<{ user_id: string }>(`select user_id from user_credential where account_id like '%#kim'`),
  );
  assert.equal(row?.user_id, kim.id);
});

test('no identity joins an account while its entry in the audit log cannot be written', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'unrecorded@acme.example', 'Kim', null));
  const { tenant } = await createTestWorkspace(server, 'unrecorded');
  await tenantTx(db, tenant.id, (tx) => addMember(tx, kim.id, 'viewer'));
  const identity = { ...mia, sub: 'unrecorded', email: kim.email };
  const rowsOf = async (sql: string) => (await server.owner.query(sql, [kim.id])).rows.length;
  const links = () => rowsOf('select 1 from user_credential where user_id = $1');
  const entries = () =>
    rowsOf(`select 1 from audit_event where target_id = $1 and action = 'user.link_identity'`);
  await server.owner.query(
    `alter table audit_event add constraint no_links check (action <> 'user.link_identity') not valid`,
  );
  const { session } = await signInAs(identity).finally(() =>
    server.owner.query('alter table audit_event drop constraint no_links'),
  );
  assert.equal(session.signed_in, false);
  assert.deepEqual([await links(), await entries()], [0, 0]);
  assert.equal((await signInAs(identity)).session.signed_in, true);
  assert.deepEqual([await links(), await entries()], [1, 1]);
});

test('an account with an identity of the provider is not joined by another identity, whatever the address', async () => {
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

const password = 'a password of the attacker';

/** An account from an invitation, with everything that its password could have created. */
async function invited(name: string) {
  const email = `${name}@acme.example`;
  const { tenant, people } = await createTestWorkspace(server, name);
  const admin = await signInAtConsole(server, people.admin.user.id);
  const made = await admin.send<{ link_token: string }>({
    method: 'POST',
    path: `/manage/v1/${name}/invitations`,
    headers: { origin: home },
    body: { email, role: 'member' },
  });
  const accepted = await send(app, {
    method: 'POST',
    path: '/console/invitations/accept',
    headers: { origin: home },
    body: { token: made.body.link_token, name: 'Call 555-0100', password },
  });
  assert.equal(accepted.status, 200, accepted.text);
  const user = await installTx(db, (tx) => getUser(tx, email));
  const { key } = await createTestKey(server, { userId: user.id, role: 'member' });
  const session = await signInAtConsole(server, user.id);
  return { user, email, tenant, key, session };
}

async function wayIn(email: string, secret: string): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: '/console/session',
    headers: { origin: home },
    payload: { email, password: secret },
  });
  return answer.statusCode;
}

const signedIn = async (client: SessionClient) =>
  (await client.get<{ signed_in: boolean }>('/console/session')).body.signed_in;
const readsByKey = async (key: string) =>
  (await send(app, { path: '/api/v1/tenants', authorization: `Bearer ${key}` })).status;
const credentialsOf = async (userId: string) =>
  installTx(db, (tx) =>
    tx.query<{ provider_id: string; account_id: string; password: string | null }>(
      'select provider_id, account_id, password from user_credential where user_id = $1 order by provider_id',
      [userId],
    ),
  );
const eventsOf = async (tenantId: TenantId) =>
  (
    await tenantReadTx(db, tenantId, (tx) =>
      tx.query<{ action: string; target_id: string; actor_id: string | null }>(
        `select action, target_id, actor_id from audit_event where tenant_id = $1
          and (action like 'user.%' or action = 'key.revoke') order by action`,
        [tenantId],
      ),
    )
  ).map(({ action, target_id: target, actor_id: actor }) => [action, target, actor]);

test('the account that somebody else created with a verified address is transferred to its owner', async () => {
  const { user, email, tenant, key, session } = await invited('prey');
  assert.deepEqual([await signedIn(session), await readsByKey(key)], [true, 200]);
  await server.owner.query(
    `insert into invitation (tenant_id, id, email, role, secret_sha256, invited_by, expires_at)
     values ($1, $2, 'friend@acme.example', 'admin', $3, $4, now() + interval '1 day')`,
    [tenant.id, newId(), Buffer.alloc(32), user.id],
  );
  const { session: owner } = await signInAs({ ...mia, sub: 'prey', email: 'Prey@acme.example', name: 'Pia' });
  assert.equal(owner.signed_in, true);
  assert.deepEqual(owner.user, { id: formatId('user', user.id), email, name: 'Pia' });
  assert.equal(await signedIn(session), false, 'the sessions that were there are not');
  assert.equal(await wayIn(email, password), 401, 'the password is gone');
  const { rows: open } = await server.owner.query(
    'select 1 from invitation where tenant_id = $1 and accepted_at is null and withdrawn_at is null',
    [tenant.id],
  );
  assert.deepEqual(open, [], 'whom it has invited is not let in any more');
  assert.deepEqual(await credentialsOf(user.id), [
    { provider_id: 'sso', account_id: `${provider.issuer}#prey`, password: null },
  ]);
  // A looked-up key is cached for a second at most.
  await setTimeout(1_000);
  assert.equal(await readsByKey(key), 401);
  const [{ id: keyId } = { id: '' }] = await installTx(db, (tx) =>
    tx.query<{ id: string }>('select id from api_key where user_id = $1', [user.id]),
  );
  assert.deepEqual(await eventsOf(tenant.id), [
    ['key.revoke', keyId, user.id],
    ['user.transfer', user.id, user.id],
  ]);
  // The transfer happens once, so the owner's later keys stay.
  const mine = await signInAtConsole(server, user.id);
  assert.equal((await signInAs({ ...mia, sub: 'prey', email })).session.user?.id, owner.user?.id);
  assert.equal(await signedIn(mine), true);
  assert.equal((await eventsOf(tenant.id)).length, 2);
});

test('an unverified address gets, joins and creates no account', async () => {
  const { user, email, tenant, key, session } = await invited('target');
  for (const [sub, verified] of [
    ['eve-1', false],
    ['eve-2', 'false'],
    ['eve-3', undefined],
    ['eve-4', 1],
  ] as const) {
    const identity = { ...mia, sub, email, email_verified: verified as boolean };
    const { session: eve, location } = await signInAs(identity);
    assert.equal(eve.signed_in, false, sub);
    assert.match(location, /\/sign-in\?.*error=identity_refused/);
    const stranger = await signInAs({ ...identity, email: `${sub}@acme.example` });
    assert.equal(stranger.session.signed_in, false);
    assert.equal(stranger.location, location, 'whether there is such an account is not told');
  }
  const left = await installTx(db, (tx) =>
    tx.query(`select 1 from user_account where email like 'eve-%'
              union all select 1 from user_credential where account_id like '%#eve-%'`),
  );
  assert.deepEqual(left, []);
  assert.deepEqual([await signedIn(session), await readsByKey(key)], [true, 200]);
  assert.equal(await wayIn(email, password), 204);
  assert.deepEqual(fieldOf(await credentialsOf(user.id), 'provider_id'), ['credential']);
  assert.deepEqual(await eventsOf(tenant.id), []);
});

test('a person with an account gets no other one, whatever address the provider has now', async () => {
  const first = await signInAs({ ...mia, sub: 'rio', email: 'rio@acme.example' });
  const { email, session, tenant } = await invited('bait');
  const again = await signInAs({ ...mia, sub: 'rio', email });
  assert.equal(again.session.user?.id, first.session.user?.id);
  assert.equal(await signedIn(session), true);
  assert.deepEqual(await eventsOf(tenant.id), []);
});

test('an account that an operator vouches for keeps its password beside the provider', async () => {
  const { email } = await installTx(db, (tx) => createUser(tx, 'both@acme.example', 'Both', password));
  assert.equal((await signInAs({ ...mia, sub: 'both', email })).session.signed_in, true);
  assert.equal(await wayIn(email, password), 204);
});

test('of two sign-ins of the owner at once one transfers the account, and both are signed in', async () => {
  const { email, tenant } = await invited('twice');
  provider.identity = { ...mia, sub: 'twice', email };
  const jars = [new Jar(), new Jar()];
  const ways: string[] = [];
  for (const jar of jars) ways.push(await atProvider(await begin(jar)));
  await Promise.all(jars.map((jar, i) => comeBack(jar, ways[i] ?? '')));
  for (const { header: cookie } of jars) {
    const shown = await send<{ user: { email: string } | null }>(app, {
      path: '/console/session',
      headers: { cookie },
    });
    assert.equal(shown.body.user?.email, email);
  }
  assert.equal((await eventsOf(tenant.id)).filter(([action]) => action === 'user.transfer').length, 1);
});

test('a person who uses the account while it is transferred keeps no session, key or password', async () => {
  const ways = {
    'makes keys': (session: SessionClient) =>
      session.send({
        method: 'POST',
        path: '/console/keys',
        body: { name: 'back door', scopes: ['tenants:read'], expires: 'never' },
        headers: { origin: home },
      }),
    'changes the password': (session: SessionClient) =>
      session.send({
        method: 'PUT',
        path: '/console/password',
        body: { current: password, new: 'another of the attacker' },
        headers: { origin: home },
      }),
    'signs in': async (_: SessionClient, email: string) => ({ status: await wayIn(email, password) }),
  };
  for (const [i, [what, use]] of Object.entries(ways).entries()) {
    const { user, email, session } = await invited(`race-${i}`);
    provider.identity = { ...mia, sub: `race-${i}`, email };
    const jar = new Jar();
    const back = await atProvider(await begin(jar));
    let isOver = false;
    const statuses: number[] = [];
    const goOn = async (): Promise<void> => {
      while (!isOver) statuses.push((await use(session, email)).status);
    };
    // The first sign-in starts before the owner's.
    const going = [goOn(), goOn(), goOn()];
    await comeBack(jar, back);
    isOver = true;
    await Promise.all(going);
    assert.ok(
      statuses.every((status) => [201, 204, 401, 422, 429].includes(status)),
      `${what}: ${statuses.join(' ')}`,
    );
    const rows = await installTx(db, (tx) =>
      tx.query<{ name: string }>(
        `select 'session' as name from user_session s where s.user_id = $1
         union all select k.name from api_key k where k.user_id = $1 and k.disabled_at is null`,
        [user.id],
      ),
    );
    assert.deepEqual(rows, [{ name: 'session' }], `who ${what}: the owner's session alone`);
    const cookie = jar.header;
    const owner = await send<{ user: { email: string } | null }>(app, {
      path: '/console/session',
      headers: { cookie },
    });
    assert.equal(owner.body.user?.email, email, what);
    const ids = (await credentialsOf(user.id)).map(({ provider_id: id }) => id);
    assert.deepEqual(ids, ['sso'], what);
  }
});

test('a disabled person cannot sign in by the provider either', async () => {
  const identity = { ...mia, sub: 'gone', email: 'gone@acme.example' };
  assert.equal((await signInAs(identity)).session.signed_in, true);
  const gone = await installTx(db, (tx) => getUser(tx, identity.email));
  await installTx(db, (tx) => disableUser(tx, gone.id), gone.id);
  const { session, location } = await signInAs(identity);
  assert.equal(session.signed_in, false);
  assert.match(location, /\/sign-in\?.*error=/);
  const waiting = await installTx(db, (tx) =>
    tx.query('select 1 from user_session where user_id = $1', [gone.id]),
  );
  assert.deepEqual(waiting, []);
  const { user, tenant } = await invited('shut');
  await installTx(db, (tx) => disableUser(tx, user.id), user.id);
  assert.equal((await signInAs({ ...mia, sub: 'shut', email: user.email })).session.signed_in, false);
  assert.deepEqual(
    (await eventsOf(tenant.id)).map(([action]) => action),
    ['user.disable'],
  );
});

test('a misleading name is cleaned, and a missing one is made from the address', async () => {
  const nameOf = async (sub: string, name: unknown) =>
    (await signInAs({ ...mia, sub, email: `${sub}@acme.example`, name: name as string })).session.user?.name;
  assert.equal(await nameOf('name-1', '\u202eMia \t Lang\u0007'), 'Mia Lang');
  assert.equal(await nameOf('name-2', '\u202e\u0000 '), 'name-2');
  assert.equal(await nameOf('name-3', undefined), 'name-3');
  assert.equal(await nameOf('name-4', 'x'.repeat(1_000)), 'x'.repeat(255));
});

test('an answer that this browser did not request is refused', async () => {
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

test('the address to return to must belong to the console', async () => {
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

test('a stranger who begins to sign in again and again must wait, and others need not', async () => {
  const beginAs = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/console/session/oidc',
      headers: { origin: home },
      remoteAddress,
      payload: {},
    });
  const started = await Promise.all(Array.from({ length: 301 }, () => beginAs('192.0.2.66')));
  const refused = started.filter(({ statusCode }) => statusCode !== 200);
  assert.deepEqual(fieldOf(refused, 'statusCode'), [429]);
  assert.ok(Number(refused[0]?.headers['retry-after']) > 0);
  assert.equal((await beginAs('192.0.2.67')).statusCode, 200);
});

test('without a provider the sign-in by provider is 404', async () => {
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

test('a provider that does not answer stops neither passwords nor sessions', {
  timeout: 20_000,
}, async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  after(() => silent.close().closeAllConnections());
  const { port } = silent.address() as AddressInfo;
  const alone = await createTestServer({
    ...oidcSettings,
    MERLON_OIDC_ISSUER: `http://127.0.0.1:${port}`,
  });
  const kim = await installTx(alone.db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', password));
  const answer = await alone.app.inject({
    method: 'POST',
    url: '/console/session',
    headers: { origin: home },
    payload: { email: kim.email, password },
  });
  assert.equal(answer.statusCode, 204, answer.body);
  const jar = new Jar();
  jar.take([answer.headers['set-cookie'] ?? []].flat());
  const session = await send<{ signed_in: boolean }>(alone.app, {
    path: '/console/session',
    headers: { cookie: jar.header },
  });
  assert.equal(session.body.signed_in, true);
});
