/** Tests of the link of an invitation: who may open it, and the membership that it gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { disableUser } from '../../src/access/users/disable.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { type Client, clientOf, send, succeeded } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs, signInWith } from '../support/session.ts';
import { createTestWorkspace, createTestWorkspaceKey } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const home = { origin: 'http://localhost', host: 'localhost' };
const workspace = await createTestWorkspace(server, 'acme');
const admin = await signInAs(server, workspace.people.admin.user.id);
const password = 'correct horse battery';

async function invite(email: string, role = 'member', by: Client = admin): Promise<string> {
  const answer = await by.post<{ link_token: string }>('/manage/v1/acme/invitations', { email, role });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.link_token;
}

const open = <Body>(path: string, body: object, headers: Record<string, string> = home) =>
  send<Body>(app, { method: 'POST', path: `/console/invitations/${path}`, headers, body });
const roleOf = async (client: SessionClient) =>
  (await client.get<{ items: { slug: string; role: string }[] }>('/console/workspaces')).body.items.find(
    ({ slug }) => slug === 'acme',
  )?.role;

test('a new person creates an account by the link and is signed in', async () => {
  const token = await invite('new@acme.example', 'viewer');
  const preview = await open<Record<string, unknown>>('preview', { token });
  assert.deepEqual(preview.body, {
    workspace: { slug: 'acme', name: 'Workspace acme' },
    email: 'new@acme.example',
    role: 'viewer',
    signed_in_as: null,
    keys: [],
  });
  for (const half of [{ name: 'New' }, { password }]) {
    const answer = await open('accept', { token, ...half });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /give both, or neither/);
  }
  const weak = await open('accept', { token, name: 'New', password: 'short' });
  assert.equal(weak.status, 422);
  const joined = await open<{ slug: string }>('accept', { token, name: 'New', password });
  assert.equal(joined.status, 200, joined.text);
  assert.equal(joined.body.slug, 'acme');
  assert.match(joined.headers['set-cookie'] ?? '', /merlon\.session_token=/);
  assert.equal(await roleOf(await signInWith(server, 'new@acme.example', password)), 'viewer');
  assert.equal((await open('preview', { token })).status, 404);
  assert.equal((await open('accept', { token, name: 'Again', password })).status, 404);
});

test('an address that cannot sign in with a password is refused, and the link stays valid', async () => {
  const token = await invite('rené@acme.example', 'viewer');
  const refused = await open('accept', { token, name: 'René', password });
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.text, /cannot sign in with a password/);
  assert.equal((await open('preview', { token })).status, 200);
});

test('a person with an account must sign in first, as the invited one', async () => {
  const kim = await installTx(db, (tx) => createUser(tx, 'kim@acme.example', 'Kim', password));
  const other = await installTx(db, (tx) => createUser(tx, 'other@acme.example', 'Other', password));
  const token = await invite(kim.email);
  assert.equal((await open('accept', { token })).status, 401);
  assert.equal((await open('accept', { token, name: 'Kim', password: 'another long password' })).status, 422);
  const wrong = await signInAs(server, other.id);
  assert.equal((await wrong.post('/console/invitations/accept', { token })).status, 403);
  const right = await signInAs(server, kim.id);
  const preview = await right.post<{ signed_in_as: string }>('/console/invitations/preview', { token });
  assert.equal(preview.body.signed_in_as, kim.email);
  const forged = await right.send({
    method: 'POST',
    path: '/console/invitations/accept',
    body: { token },
    headers: { 'x-csrf-token': 'x' },
  });
  assert.equal(forged.status, 403);
  assert.equal((await right.post('/console/invitations/accept', { token })).status, 200);
  assert.equal(await roleOf(right), 'member');
});

test('an invitation is valid only while its inviter is an admin, or its key is valid', async () => {
  const mal = await installTx(db, (tx) => createUser(tx, 'mal@acme.example', 'Mal', password));
  await tenantTx(db, workspace.tenant.id, (tx) => addMember(tx, mal.id, 'admin'));
  const malAtHome = await signInAs(server, mal.id);
  const made = await malAtHome.post<{ link_token: string }>('/manage/v1/acme/invitations', {
    email: 'friend@acme.example',
    role: 'admin',
  });
  const key = await malAtHome.post<{ value: string }>('/manage/v1/acme/keys', {
    name: 'back door',
    scopes: ['workspace:admin'],
    role: 'admin',
    expires: 'never',
  });
  // Demotes the person as the operator's command does, which withdraws no invitations.
  await tenantTx(db, workspace.tenant.id, (tx) => addMember(tx, mal.id, 'viewer'));
  assert.equal((await open('preview', { token: made.body.link_token })).status, 404);
  const byKey = (role: string) =>
    send<{ link_token: string }>(app, {
      method: 'POST',
      path: '/manage/v1/acme/invitations',
      authorization: `Bearer ${key.body.value}`,
      body: { email: 'friend@acme.example', role },
    });
  assert.equal((await byKey('admin')).status, 403);
  const asMember = succeeded(await byKey('member'), 201);
  assert.equal((await open('preview', { token: asMember.link_token })).status, 200);
  await installTx(db, (tx) => tx.query(`update api_key set disabled_at = now() where name = 'back door'`));
  assert.equal((await open('preview', { token: asMember.link_token })).status, 404);
});

test('an invitation is not valid while its inviter is disabled', async () => {
  const { id } = await installTx(db, (tx) => createUser(tx, 'gone@acme.example', 'Gone', password));
  await tenantTx(db, workspace.tenant.id, (tx) => addMember(tx, id, 'admin'));
  const token = await invite('friend@acme.example', 'admin', await signInAs(server, id));
  assert.equal((await open('preview', { token })).status, 200);
  await installTx(db, (tx) => disableUser(tx, id), id);
  assert.equal((await open('preview', { token })).status, 404);
  assert.equal((await open('accept', { token, name: 'Friend', password })).status, 404);
});

test('an invitation by a workspace key ends when the key expires', async () => {
  const { key } = await createTestWorkspaceKey(server, workspace.tenant, 'admin');
  const token = await invite('friend@acme.example', 'member', clientOf(app, key));
  assert.equal((await open('preview', { token })).status, 200);
  await installTx(db, (tx) => tx.query(`update api_key set expires_at = now() where name = 'ci'`));
  assert.equal((await open('preview', { token })).status, 404);
  assert.equal((await open('accept', { token, name: 'Friend', password })).status, 404);
});

test('a request from another site or with an invalid token is refused', async () => {
  const token = await invite('later@acme.example');
  assert.equal((await open('preview', { token }, { ...home, origin: 'http://evil.example' })).status, 403);
  for (const bad of ['x', token.slice(0, -1), `${token}x`, token.toUpperCase(), '🗝']) {
    assert.equal((await open('preview', { token: bad })).status, 404, bad);
    assert.equal((await open('accept', { token: bad, name: 'X', password })).status, 404, bad);
  }
});
