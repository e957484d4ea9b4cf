/** Tests of API keys at the console: who may create which, their access, and that a revocation is final. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnKey } from '../../src/access/api-keys/personal-keys.ts';
import { createWorkspaceKeyFor } from '../../src/access/api-keys/workspace-keys.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatId, newId, parseId } from '../../src/domain/ids.ts';
import { type KeyScope, type Role, scopes, scopesOfRole } from '../../src/http/principal.ts';
import { type Answer, type Json, type Schemas, send, succeeded } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, principalAs, type TestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const sessions = {} as Record<Role, SessionClient>;

before(async () => {
  for (const role of ['admin', 'member', 'viewer'] as const) {
    sessions[role] = await signInAs(server, acme.people[role].user.id);
  }
});

type Key = Schemas['Key'];
type Made = { key: Key; value: string };

const readScopes = ['vulnerabilities:read'];
const personal = (fields: Json = {}) => ({ name: 'laptop', scopes: readScopes, workspaces: null, ...fields });
const make = (client: SessionClient, fields: Json = {}) =>
  client.post<Made>('/console/keys', personal(fields));
const createForAcme = (client: SessionClient, fields: Json = {}) =>
  client.post<Made>('/manage/v1/acme/keys', { name: 'ci', scopes: ['scans:read'], ...fields });

async function made(answer: Promise<Answer<Made>>): Promise<Made> {
  return succeeded(await answer, 201);
}

const sendRequest = (value: string, path: string) => send(app, { path, authorization: `Bearer ${value}` });
const whoami = (value: string, slug = 'acme') => sendRequest(value, `/api/v1/${slug}/whoami`);

function refusedOn(answer: Answer<unknown>, field: string, what = ''): void {
  assert.equal(answer.status, 422, `${what}: ${answer.text}`);
  assert.deepEqual(Object.keys((answer.body as { errors: object }).errors), [field], what);
}

async function audited(workspace: TestWorkspace, keyId: string) {
  const { rows } = await server.owner.query<Json>(
    `select action, actor_id, api_key_id, target_type, data, request_id from audit_event
      where tenant_id = $1 and target_id = $2 order by id`,
    [workspace.tenant.id, parseId('key', keyId)],
  );
  return rows;
}

const keysThere = async (): Promise<number> =>
  (await server.owner.query<{ n: number }>('select count(*)::int as n from api_key')).rows[0]?.n ?? 0;

test('a personal key is created, shown once, listed, used and revoked for good', async () => {
  const answer = await make(sessions.member, { name: '  laptop  ', expires: '30d' });
  const { key, value } = await made(Promise.resolve(answer));
  assert.match(value, /^mrl_pat_[0-9A-Za-z]{46}$/);
  assert.match(answer.headers['cache-control'] ?? '', /no-store/);
  const { member } = acme.people;
  const { id, created_at: createdAt, expires_at: expiresAt, ...rest } = key;
  assert.match(id, /^key_/);
  assert.deepEqual(rest, {
    kind: 'personal',
    name: 'laptop',
    status: 'Active',
    role: null,
    scopes: readScopes,
    workspaces: null,
    last_four: value.slice(-4),
    created_by: { id: formatId('user', member.user.id), name: member.user.name },
    last_used_at: null,
  });
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 30 * 86_400_000);

  assert.equal((await whoami(value)).status, 200);
  const listed = await sessions.member.get<{ items: Key[] }>('/console/keys');
  assert.ok(!listed.text.includes(value), 'the value is not shown again');
  assert.deepEqual(
    listed.body.items.find((one) => one.id === id),
    key,
  );

  const revoked = await sessions.member.delete(`/console/keys/${id}`);
  assert.equal(revoked.status, 204, revoked.text);
  await sleep(1000);
  const refused = await whoami(value);
  assert.equal(refused.status, 401);
  assert.equal(refused.body.code, 'AUTHENTICATION_REQUIRED');
  const after = await sessions.member.get<{ items: Key[] }>('/console/keys');
  assert.equal(after.body.items.find((one) => one.id === id)?.status, 'Disabled');
  // A repeated request changes nothing.
  assert.equal((await sessions.member.delete(`/console/keys/${id}`)).status, 204);

  assert.deepEqual(await audited(acme, id), [
    {
      action: 'key.create',
      actor_id: member.user.id,
      api_key_id: null,
      target_type: 'key',
      data: {
        kind: 'personal',
        name: 'laptop',
        scopes: readScopes,
        expires_at: (await expiryInDatabase(id))?.toISOString(),
      },
      request_id: answer.headers['x-request-id'],
    },
    {
      action: 'key.revoke',
      actor_id: member.user.id,
      api_key_id: null,
      target_type: 'key',
      data: { kind: 'personal', name: 'laptop' },
      request_id: revoked.headers['x-request-id'],
    },
  ]);
});

test('a session that ends while the request comes in creates no key', async () => {
  const caller = principalAs(acme, 'member');
  const make = createOwnKey(db, caller, { ...personal(), expires: '7d' }, 'a-request');
  await assert.rejects(make, { code: 'AUTHENTICATION_REQUIRED' });
});

async function expiryInDatabase(keyId: string): Promise<Date | null> {
  const { rows } = await server.owner.query<{ expires_at: Date | null }>(
    'select expires_at from api_key where id = $1',
    [parseId('key', keyId)],
  );
  return rows[0]?.expires_at ?? null;
}

test('the last use of a key is shown', async () => {
  const { key, value } = await made(make(sessions.member));
  assert.equal((await whoami(value)).status, 200);
  let used: string | null = null;
  for (let i = 0; i < 60 && used === null; i++) {
    await sleep(100);
    const { body } = await sessions.member.get<{ items: Key[] }>('/console/keys');
    used = body.items.find((one) => one.id === key.id)?.last_used_at ?? null;
  }
  assert.ok(used !== null && Math.abs(Date.parse(used) - Date.now()) < 10_000, String(used));
});

test('a scope above the role is refused when the key is created', async () => {
  const before = await keysThere();
  for (const role of ['viewer', 'member'] as const) {
    for (const scope of scopes) {
      const answer = await make(sessions[role], { scopes: [scope, 'scans:read'] });
      if (scopesOfRole(role).includes(scope)) assert.equal(answer.status, 201, `${role}: ${scope}`);
      else refusedOn(answer, 'scopes', `${role}: ${scope}`);
    }
  }
  const allowed = scopesOfRole('viewer').length + scopesOfRole('member').length;
  assert.equal(await keysThere(), before + allowed);
  const everything = await made(make(sessions.admin, { scopes: [...scopes] }));
  assert.deepEqual(everything.key.scopes, [...scopes]);
  for (const wrong of [['nonsense'], [], ['scans:read', 'SCANS:WRITE'], [7]]) {
    assert.equal((await make(sessions.admin, { scopes: wrong })).status, 422, JSON.stringify(wrong));
  }
});

test('the role in the workspace of the request counts, and is checked each time', async () => {
  const user = await installTx(db, (tx) => createUser(tx, 'both@acme.example', 'Both', null));
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  await tenantTx(db, other.tenant.id, (tx) => addMember(tx, user.id, 'admin'));
  const client = await signInAs(server, user.id);
  const write = { scopes: ['policies:write', 'policy-violations:read'] };
  refusedOn(await make(client, { ...write, workspaces: ['acme'] }), 'scopes');
  const restricted = await made(make(client, { ...write, workspaces: ['other'] }));
  assert.deepEqual(restricted.key.workspaces, ['other']);
  assert.equal((await whoami(restricted.value, 'other')).status, 200);
  const denied = await whoami(restricted.value, 'acme');
  assert.deepEqual([denied.status, denied.body.code], [403, 'TOKEN_INVALID_FOR_TENANT']);

  const both = await made(make(client, { ...write, workspaces: null }));
  const dryRun = (slug: string) =>
    send(app, {
      method: 'POST',
      path: `/manage/v1/${slug}/policies/dry-run`,
      authorization: `Bearer ${both.value}`,
      body: {
        key: 'tried',
        target_type: 'vulnerability',
        enforcement_mode: 'warn',
        condition: { all: [{ fact: 'severity', operator: '>=', value: 'high' }] },
      },
    });
  assert.equal((await dryRun('other')).status, 200);
  assert.equal((await dryRun('acme')).status, 403, 'a viewer there');
  // Whoami shows the scopes in effect.
  const inEffect = async (slug: string) =>
    ((await whoami(both.value, slug)).body.token as { scopes: string[] }).scopes.toSorted();
  assert.deepEqual(await inEffect('other'), write.scopes.toSorted());
  assert.deepEqual(await inEffect('acme'), ['policy-violations:read']);

  // The key works in both workspaces, and each of them records the event.
  assert.equal((await audited(acme, both.key.id)).length, 1);
  assert.equal((await audited(other, both.key.id)).length, 1);
  assert.equal((await audited(acme, restricted.key.id)).length, 0);
  assert.ok(!JSON.stringify(await audited(acme, both.key.id)).includes('other'));
});

test('a restriction is permanent: when its last workspace is deleted, the key is refused everywhere', async () => {
  const { key, value } = await made(
    make(sessions.member, { workspaces: ['acme'], scopes: ['tenants:read'] }),
  );
  assert.equal((await whoami(value)).status, 200);
  await server.owner.query('delete from api_key_tenant where api_key_id = $1', [parseId('key', key.id)]);
  await sleep(1000);
  assert.equal((await whoami(value)).body.code, 'TOKEN_INVALID_FOR_TENANT');
  assert.deepEqual((await sendRequest(value, '/api/v1/tenants')).body.items, []);
  const { body } = await sessions.member.get<{ items: Key[] }>('/console/keys');
  assert.deepEqual(body.items.find((one) => one.id === key.id)?.workspaces, []);
});

test('a key may be restricted to own workspaces only, and another one looks unknown', async () => {
  const foreign = await make(sessions.member, { workspaces: ['acme', 'other'] });
  refusedOn(foreign, 'workspaces');
  const nowhere = await make(sessions.member, { workspaces: ['acme', 'nowhere'] });
  refusedOn(nowhere, 'workspaces');
  assert.equal(foreign.text.replaceAll('other', '…'), nowhere.text.replaceAll('nowhere', '…'));
  for (const wrong of [[], 'acme', ['ACME'], [null], {}]) {
    assert.equal((await make(sessions.member, { workspaces: wrong })).status, 422, JSON.stringify(wrong));
  }
  // Without this field the key would have access to all workspaces by mistake.
  const { workspaces: _, ...without } = personal();
  refusedOn(await sessions.member.post('/console/keys', without), 'workspaces');
  const alone = await installTx(db, (tx) => createUser(tx, 'alone@acme.example', 'Alone', null));
  refusedOn(await make(await signInAs(server, alone.id)), 'workspaces');
});

test('the expiry is 90 days by default, an offered duration, the last second of a date, or never', async () => {
  const expiryOf = async (fields: Json) => (await made(make(sessions.member, fields))).key.expires_at;
  const daysFromNow = (at: string | null) => (Date.parse(String(at)) - Date.now()) / 86_400_000;
  for (const [fields, days] of [
    [{}, 90],
    [{ expires: '7d' }, 7],
    [{ expires: '365d' }, 365],
  ] as const) {
    assert.ok(Math.abs(daysFromNow(await expiryOf(fields)) - days) < 0.01, JSON.stringify(fields));
  }
  assert.equal(await expiryOf({ expires: '2099-02-28' }), '2099-02-28T23:59:59Z');
  assert.equal(await expiryOf({ expires: 'never' }), null);
  for (const expires of ['91d', '2020-01-01', '2099-02-30', '', 'tomorrow', '2099-01-01T00:00:00Z']) {
    refusedOn(await make(sessions.member, { expires }), 'expires', expires);
  }
  for (const expires of [null, 90]) refusedOn(await make(sessions.member, { expires }), 'expires');
});

test('after its expiry a key is shown as expired and refused, and can still be revoked', async () => {
  const { key, value } = await made(make(sessions.member, { expires: '7d' }));
  assert.equal((await whoami(value)).status, 200);
  await server.owner.query('update api_key set expires_at = now() where id = $1', [parseId('key', key.id)]);
  await sleep(1000);
  assert.equal((await whoami(value)).status, 401);
  const statusNow = async () =>
    (await sessions.member.get<{ items: Key[] }>('/console/keys')).body.items.find((one) => one.id === key.id)
      ?.status;
  assert.equal(await statusNow(), 'Expired');
  assert.equal((await sessions.member.delete(`/console/keys/${key.id}`)).status, 204);
  assert.equal(await statusNow(), 'Disabled');
});

test('control characters in names are refused', async () => {
  const long = 'n'.repeat(255);
  for (const name of [long, 'Jürgen’s „Laptop“ 💻', '<script>alert(1)</script>', '=1+1', 'عربى']) {
    assert.equal((await made(make(sessions.member, { name }))).key.name, name);
  }
  const wrong = [
    '',
    '   ',
    `${long}n`,
    'a\nb',
    'a\tb',
    'a\u0007b',
    'a\u009bb',
    'gpj.\u202eexe',
    'a\u2066b',
    '\u200b',
  ];
  for (const name of wrong) {
    refusedOn(await make(sessions.member, { name }), 'name', JSON.stringify(name));
    refusedOn(await createForAcme(sessions.admin, { name }), 'name', JSON.stringify(name));
  }
  for (const name of [null, 7, ['a']]) refusedOn(await make(sessions.member, { name }), 'name');
  refusedOn(await make(sessions.member, { name: 'a\0b' }), 'name');
});

test('nobody sees or revokes another person’s personal keys, not even an admin', async () => {
  const { key, value } = await made(make(sessions.member, { name: 'mine alone' }));
  for (const client of [sessions.admin, sessions.viewer]) {
    assert.ok(!(await client.get('/console/keys')).text.includes(key.id));
    const answer = await client.delete(`/console/keys/${key.id}`);
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND']);
  }
  assert.ok(!(await sessions.admin.get('/manage/v1/acme/keys')).text.includes(key.id));
  assert.equal((await sessions.admin.delete(`/manage/v1/acme/keys/${key.id}`)).status, 404);
  for (const id of [formatId('key', newId()), 'key_nonsense', formatId('user', newId()), '%20']) {
    assert.equal((await sessions.member.delete(`/console/keys/${id}`)).status, 404, id);
    assert.equal((await sessions.admin.delete(`/manage/v1/acme/keys/${id}`)).status, 404, id);
  }
  await sleep(1000);
  assert.equal((await whoami(value)).status, 200, 'it lives');
});

test('an admin creates, lists and revokes the keys of a workspace', async () => {
  const answer = await createForAcme(sessions.admin, {
    role: 'member',
    scopes: ['scans:write', 'scans:read'],
    expires: '365d',
  });
  const { key, value } = await made(Promise.resolve(answer));
  const { admin } = acme.people;
  assert.match(value, /^mrl_wsk_/);
  const { id, created_at: _, expires_at: __, ...rest } = key;
  assert.deepEqual(rest, {
    kind: 'workspace',
    name: 'ci',
    status: 'Active',
    role: 'member',
    scopes: ['scans:write', 'scans:read'],
    workspaces: ['acme'],
    last_four: value.slice(-4),
    created_by: { id: formatId('user', admin.user.id), name: admin.user.name },
    last_used_at: null,
  });
  const me = await whoami(value);
  assert.equal((me.body.actor as Json).type, 'service');
  assert.equal((await whoami(value, 'other')).body.code, 'TOKEN_INVALID_FOR_TENANT');
  const listed = await sessions.admin.get<{ items: Key[] }>('/manage/v1/acme/keys');
  assert.deepEqual(listed.body.items[0], key);
  assert.ok(!listed.text.includes(value));
  // The list of a person's own keys does not contain it, and the person cannot revoke it there.
  assert.ok(!(await sessions.admin.get('/console/keys')).text.includes(id));
  assert.equal((await sessions.admin.delete(`/console/keys/${id}`)).status, 404);

  // An admin of another workspace.
  const foreign = await signInAs(server, other.people.admin.user.id);
  assert.equal((await foreign.delete(`/manage/v1/other/keys/${id}`)).status, 404);
  assert.equal((await foreign.delete(`/manage/v1/acme/keys/${id}`)).body.code, 'TOKEN_INVALID_FOR_TENANT');
  assert.ok(!(await foreign.get('/manage/v1/other/keys')).text.includes(id));

  assert.equal((await sessions.admin.delete(`/manage/v1/acme/keys/${id}`)).status, 204);
  assert.equal((await sessions.admin.delete(`/manage/v1/acme/keys/${id}`)).status, 204);
  await sleep(1000);
  assert.equal((await whoami(value)).status, 401);
  const rows = await audited(acme, id);
  assert.deepEqual(fieldsOf(rows, 'action', 'actor_id'), [
    ['key.create', admin.user.id],
    ['key.revoke', admin.user.id],
  ]);
  assert.equal(rows[0]?.request_id, answer.headers['x-request-id']);
});

test('the role of a workspace key is viewer by default, and limits its scopes', async () => {
  const { key } = await made(createForAcme(sessions.admin));
  assert.equal(key.role, 'viewer');
  refusedOn(
    await createForAcme(sessions.admin, { scopes: ['scans:write'] }),
    'scopes',
    'a viewer writes nothing',
  );
  refusedOn(await createForAcme(sessions.admin, { role: 'member', scopes: ['workspace:admin'] }), 'scopes');
  const whole = await made(createForAcme(sessions.admin, { role: 'admin', scopes: [...scopes] }));
  assert.equal(whole.key.role, 'admin');
  for (const role of ['owner', null, 2]) refusedOn(await createForAcme(sessions.admin, { role }), 'role');
  assert.equal((await createForAcme(sessions.admin, { workspaces: null })).status, 422, 'unknown field');
});

test('members and viewers may not read or change the keys of a workspace', async () => {
  const { key } = await made(createForAcme(sessions.admin));
  const before = await keysThere();
  for (const client of [sessions.member, sessions.viewer]) {
    const answers: Answer<unknown>[] = [
      await createForAcme(client, { role: 'admin', scopes: ['workspace:admin'] }),
      await createForAcme(client),
      await client.get('/manage/v1/acme/keys'),
      await client.delete(`/manage/v1/acme/keys/${key.id}`),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, (answer.body as Json).code], [403, 'TOKEN_ABILITY_DENIED']);
    }
  }
  assert.equal(await keysThere(), before);
  // The caller is an admin when the request arrives, and not any more when it is carried out.
  const leaver = await createTestWorkspace(server, 'leaver');
  const principal = principalAs(leaver, 'admin');
  await tenantTx(db, leaver.tenant.id, (tx) => addMember(tx, principal.user.id, 'member'));
  await assert.rejects(
    createWorkspaceKeyFor(db, principal, {
      name: 'late',
      scopes: ['workspace:admin'],
      role: 'admin',
      expires: 'never',
    }),
    { code: 'TOKEN_ABILITY_DENIED' },
  );
  assert.equal(await keysThere(), before + 3, 'the keys of that workspace’s people alone');
});

test('no key may create, list or revoke keys, whatever its scopes', async () => {
  const { key } = await made(createForAcme(sessions.admin));
  const whole: KeyScope[] = [...scopes];
  const { key: personalKey } = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: whole,
  });
  const workspaceKey = (await made(createForAcme(sessions.admin, { role: 'admin', scopes: whole }))).value;
  const before = await keysThere();
  for (const bearer of [personalKey, workspaceKey]) {
    const authorization = `Bearer ${bearer}`;
    const manage = '/manage/v1/acme/keys';
    const body = { name: 'child', scopes: ['workspace:admin'], role: 'admin' };
    for (const answer of [
      await send(app, { method: 'POST', path: manage, authorization, body }),
      await send(app, { path: manage, authorization }),
      await send(app, { method: 'DELETE', path: `${manage}/${key.id}`, authorization }),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
    }
    for (const answer of [
      await send(app, { method: 'POST', path: '/console/keys', authorization, body: personal() }),
      await send(app, { path: '/console/keys', authorization }),
      await send(app, { path: '/console/key-scopes', authorization }),
      await send(app, { method: 'DELETE', path: `/console/keys/${key.id}`, authorization }),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [401, 'AUTHENTICATION_REQUIRED']);
    }
  }
  assert.equal(await keysThere(), before);
});

test('creating a key needs a sign-in of the last hour; listing and revoking do not', async () => {
  const { user } = acme.people.admin;
  const { key } = await made(createForAcme(sessions.admin));
  const mine = await made(make(sessions.admin));
  const old = await signInAs(server, user.id, { signedInAt: new Date(Date.now() - 61 * 60_000) });
  const refused: Answer<unknown>[] = [await make(old), await createForAcme(old)];
  for (const answer of refused) {
    assert.deepEqual([answer.status, (answer.body as Json).code], [403, 'SIGN_IN_AGAIN']);
  }
  assert.equal((await old.get('/console/keys')).status, 200);
  assert.equal((await old.get('/manage/v1/acme/keys')).status, 200);
  assert.equal((await old.delete(`/manage/v1/acme/keys/${key.id}`)).status, 204);
  assert.equal((await old.delete(`/console/keys/${mine.key.id}`)).status, 204);
  const young = await signInAs(server, user.id, { signedInAt: new Date(Date.now() - 59 * 60_000) });
  assert.equal((await make(young)).status, 201);
});

test('a write without the console’s CSRF token, or from another origin, is refused', async () => {
  const before = await keysThere();
  const { key } = await made(make(sessions.member));
  for (const headers of [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': sessions.admin.headers['x-csrf-token'] ?? '' },
    { origin: 'http://evil.example' },
  ]) {
    const posted = await sessions.member.send({
      method: 'POST',
      path: '/console/keys',
      body: personal(),
      headers,
    });
    assert.deepEqual([posted.status, posted.body.code], [403, 'ORIGIN_REFUSED']);
    const gone = await sessions.member.send({
      method: 'DELETE',
      path: `/console/keys/${key.id}`,
      headers,
    });
    assert.equal(gone.status, 403);
  }
  assert.equal(await keysThere(), before + 1);
});

test('a refused request writes nothing', async () => {
  const count = async () =>
    (
      await server.owner.query<{ n: number }>(
        `select (select count(*) from audit_event)::int + (select count(*) from user_account)::int as n`,
      )
    ).rows[0]?.n;
  const before = await count();
  await createForAcme(sessions.admin, { expires: '1d' });
  await createForAcme(sessions.admin, { scopes: ['workspace:admin'] });
  await make(sessions.member, { scopes: ['workspace:admin'] });
  assert.equal(await count(), before);
});

test('the options list durations, scopes and roles', async () => {
  const { body } = await sessions.viewer.get<{
    scopes: { name: string; role: string; opens: string }[];
    presets: { name: string; scopes: string[] }[];
    expiries: string[];
    default_expiry: string;
  }>('/console/key-scopes');
  assert.deepEqual(fieldOf(body.scopes, 'name'), [...scopes]);
  for (const { name, role, opens } of body.scopes) {
    assert.ok(scopesOfRole(role as Role).includes(name as KeyScope), name);
    assert.ok(opens.length > 10, name);
  }
  const ci = body.presets.find(({ name }) => name === 'CI');
  assert.deepEqual(ci?.scopes, ['scans:read', 'scans:write']);
  assert.equal(body.default_expiry, '90d');
  for (const expires of body.expiries) {
    assert.equal((await make(sessions.member, { expires })).status, 201, expires);
  }
});
