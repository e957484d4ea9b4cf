/**
 * Tests of an account that somebody creates by an invitation for another person's address: its permissions, and the
 * data that stays when the owner of the address gets it.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resetPassword } from '../../src/access/sign-in/transfer-account.ts';
import { getUser } from '../../src/access/users/service.ts';
import { installTx, tenantReadTx } from '../../src/db/database.ts';
import { send, succeeded } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { createDirectory, merlond } from '../support/process.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs, signInWith } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const alpha = await createTestWorkspace(server, 'alpha');
const beta = await createTestWorkspace(server, 'beta');
const alphaAdmin = await signInAs(server, alpha.people.admin.user.id);
const betaAdmin = await signInAs(server, beta.people.admin.user.id);
const home = { origin: 'http://localhost', host: 'localhost' };
const password = 'a password of the attacker';
const ownPassword = 'a password of the operator';

const secretFile = join(createDirectory(), 'secret');
writeFileSync(secretFile, randomBytes(32).toString('hex'));
const operator = (args: string[], input = '') =>
  merlond(args, { MERLON_DATABASE_URL: server.appUrl, MERLON_SECRET_FILE: secretFile }, input);

async function invite(admin: SessionClient, slug: string, email: string, role = 'member'): Promise<string> {
  const answer = await admin.post<{ link_token: string }>(`/manage/v1/${slug}/invitations`, { email, role });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.link_token;
}

const open = <Body>(path: string, body: object) =>
  send<Body>(app, { method: 'POST', path: `/console/invitations/${path}`, headers: home, body });

interface ShownKey {
  id: string;
  name: string;
  workspaces: string[] | null;
}

const createKey = (session: SessionClient, name: string) =>
  session.post<{ key: ShownKey; value: string }>('/console/keys', {
    name,
    scopes: ['tenants:read', 'vulnerabilities:read'],
    expires: 'never',
    workspaces: null,
  });

/** The admin of alpha invites the address, opens the link, creates the account, and creates a key that never ends. */
async function hijack(email: string) {
  const token = await invite(alphaAdmin, 'alpha', email, 'admin');
  succeeded(await open('accept', { token, name: 'Call 555-0100', password }));
  const session = await signInWith(server, email, password);
  const made = succeeded(await createKey(session, 'back door'), 201);
  return { session, made: made };
}

const reads = async (key: string, slug: string) =>
  (await send(app, { path: `/api/v1/${slug}/vulnerabilities`, authorization: `Bearer ${key}` })).status;

test('a workspace that invites the address later is closed to keys and sessions made under the first invitation', async () => {
  const email = 'victim@beta.example';
  const { session, made } = await hijack(email);
  const friend = await invite(session, 'alpha', 'friend@evil.example', 'admin');
  const token = await invite(betaAdmin, 'beta', email, 'admin');
  // The owner does not have the password, so the operator resets it.
  const reset = await operator(['user', 'password', email, '--json'], ownPassword);
  assert.equal(reset.code, 0, reset.stderr);
  assert.deepEqual(JSON.parse(reset.stdout), { email, keys_revoked: 1 });
  const owner = await signInWith(server, email, ownPassword);
  succeeded(await owner.post('/console/invitations/accept', { token }));
  await setTimeout(1_000);
  assert.deepEqual([await reads(made.value, 'beta'), await reads(made.value, 'alpha')], [401, 401]);
  const before = await session.get<{ signed_in: boolean }>('/console/session');
  assert.equal(before.body.signed_in, false, 'the session of the attacker has ended');
  assert.equal((await open('preview', { token: friend })).status, 404, 'whom it invited is not let in');
  const { id } = await installTx(db, (tx) => getUser(tx, email));
  const events = await tenantReadTx(db, alpha.tenant.id, (tx) =>
    tx.query<{ action: string; actor_id: string | null }>(
      `select action, actor_id from audit_event where tenant_id = $1
        and (target_id = $2 and action like 'user.%' or action = 'key.revoke') order by action`,
      [alpha.tenant.id, id],
    ),
  );
  assert.deepEqual(events, [
    { action: 'key.revoke', actor_id: null },
    { action: 'user.password', actor_id: null },
    { action: 'user.transfer', actor_id: null },
  ]);
});

test('a second reset keeps the keys that the owner has made since', async () => {
  const email = 'twice@beta.example';
  await hijack(email);
  assert.equal((await operator(['user', 'password', email], ownPassword)).code, 0);
  const made = await createKey(await signInWith(server, email, ownPassword), 'laptop');
  assert.equal(made.body.key.workspaces, null, 'of a proved address a key may be good everywhere');
  const again = await operator(['user', 'password', email, '--json'], `${ownPassword} 2`);
  assert.deepEqual(JSON.parse(again.stdout), { email, keys_revoked: 0 });
  assert.equal(await reads(made.body.value, 'alpha'), 200);
});

test('an account with an unproved address is refused in a further workspace, with what to do', async () => {
  const email = 'prey@beta.example';
  const { session, made } = await hijack(email);
  const token = await invite(betaAdmin, 'beta', email);
  const refused = await session.post<{ code: string; message: string }>('/console/invitations/accept', {
    token,
  });
  assert.deepEqual([refused.status, refused.body.code], [403, 'ADDRESS_UNPROVED'], refused.text);
  assert.match(
    refused.body.message,
    /through the provider.*ask the operator to reset.*merlond user password/,
  );
  const added = await operator(['member', 'add', email, '--workspace', 'beta', '--role', 'admin']);
  assert.equal(added.code, 3, added.stderr);
  assert.match(added.stderr, /through the provider.*merlond user password/);
  assert.equal(await reads(made.value, 'beta'), 403);
  assert.equal((await open('preview', { token })).status, 200, 'the invitation waits for the owner');
  // The account's own workspace is not affected: another role and another invitation are still possible.
  const changed = await operator(['member', 'add', email, '--workspace', 'alpha', '--role', 'viewer']);
  assert.equal(changed.code, 0, changed.stderr);
  const again = await invite(alphaAdmin, 'alpha', 'prey2@beta.example');
  assert.equal((await open('accept', { token: again, name: 'Prey', password })).status, 200);
});

test('such an account becomes no operator', async () => {
  await hijack('operator@beta.example');
  const refused = await operator(['user', 'operator', 'operator@beta.example']);
  assert.deepEqual(
    [refused.code, /The address is not proved/.test(refused.stderr)],
    [3, true],
    refused.stderr,
  );
});

test('a key of such an account is restricted to its workspace, for every maker and request', async () => {
  const email = 'keys@beta.example';
  const { made } = await hijack(email);
  assert.deepEqual(made.key.workspaces, ['alpha']);
  const create = ['key', 'create', '--kind', 'personal', '--user', email, '--name', 'by hand'];
  const byOperator = await operator([...create, '--scopes', 'tenants:read']);
  assert.equal(byOperator.code, 0, byOperator.stderr);
  const elsewhere = await operator([...create, '--scopes', 'tenants:read', '--workspaces', 'alpha,beta']);
  assert.equal(elsewhere.code, 3, 'the operator makes no key for a workspace that the account is not in');
  const session = await signInWith(server, email, password);
  const { items } = (await session.get<{ items: ShownKey[] }>('/console/keys')).body;
  assert.deepEqual(fieldsOf(items, 'name', 'workspaces'), [
    ['by hand', ['alpha']],
    ['back door', ['alpha']],
  ]);
});

test('keys that are made while the operator resets the account are revoked', async () => {
  const email = 'race@beta.example';
  const { session } = await hijack(email);
  const { id } = await installTx(db, (tx) => getUser(tx, email));
  let isOver = false;
  const statuses: number[] = [];
  const goOn = async (): Promise<void> => {
    while (!isOver) statuses.push((await createKey(session, 'back door')).status);
  };
  const going = [goOn(), goOn(), goOn()];
  await installTx(db, (tx) => resetPassword(tx, id, ownPassword), id);
  isOver = true;
  await Promise.all(going);
  assert.ok(
    statuses.every((status) => [201, 401, 409].includes(status)),
    statuses.join(' '),
  );
  const { rows } = await server.owner.query(
    'select 1 from api_key where user_id = $1 and disabled_at is null',
    [id],
  );
  assert.deepEqual(rows, []);
});

test('the invitation shows the keys that it extends to their owner only', async () => {
  const { user } = alpha.people.member;
  const owner = await signInAs(server, user.id);
  await createKey(owner, 'everywhere');
  await owner.post('/console/keys', { name: 'alpha alone', scopes: ['tenants:read'], workspaces: ['alpha'] });
  const revoked = await createKey(owner, 'revoked');
  await owner.delete(`/console/keys/${revoked.body.key.id}`);
  const token = await invite(betaAdmin, 'beta', user.email);
  const shownTo = async (client: { post: SessionClient['post'] }) => {
    const preview = await client.post<{ keys: ShownKey[] }>('/console/invitations/preview', { token });
    assert.equal(preview.status, 200, preview.text);
    return preview.body.keys.map(({ name }) => name);
  };
  assert.deepEqual(await shownTo(owner), ['everywhere', 'test']);
  assert.deepEqual(await shownTo(alphaAdmin), []);
  assert.deepEqual(await shownTo({ post: (_path, body) => open('preview', body as object) }), []);
});

test('the preview is the same for an address with and without an account', async () => {
  const preview = async (email: string) => {
    const token = await invite(betaAdmin, 'beta', email, 'viewer');
    const { body, status } = await open<Record<string, unknown>>('preview', { token });
    return { status, ...body, email: null };
  };
  const known = await preview(alpha.people.viewer.user.email);
  assert.deepEqual(known, await preview('nobody@nowhere.example'));
  assert.deepEqual(Object.keys(known).sort(), [
    'email',
    'keys',
    'role',
    'signed_in_as',
    'status',
    'workspace',
  ]);
});
