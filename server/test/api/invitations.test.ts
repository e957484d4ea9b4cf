/** Tests of invitations: who may invite whom. A link opens one workspace, for one address, once, within a week. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { acceptInvitation, findInvitationByToken, invite } from '../../src/access/members/invitations.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatId, newId, parseId, type UserId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/http/principal.ts';
import { type Answer, clientOf, type Json, refused, type Schemas, succeeded } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, principalAs } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const base = '/manage/v1/acme/invitations';
let admin: SessionClient;

before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
});

type Invitation = Schemas['Invitation'];
type Made = { invitation: Invitation; link_token: string };

let guests = 0;
const newEmail = (): string => `guest-${++guests}@guests.example`;
const person = (email: string) => installTx(db, (tx) => createUser(tx, email, 'A guest', null));
const post = (body: Json, client: Pick<SessionClient, 'post'> = admin) => client.post<Made>(base, body);

async function invited(email = newEmail(), role: Role = 'member', client = admin): Promise<Made> {
  return succeeded(await post({ email, role }, client), 201);
}

const list = async (): Promise<Invitation[]> => (await admin.get<{ items: Invitation[] }>(base)).body.items;
const find = (token: string) => findInvitationByToken(db, token, '10.0.0.1');
const accept = (token: string, user: { id: UserId; email: string }) =>
  installTx(db, (tx) => acceptInvitation(tx, token, user, 'req-accept'));

async function roleOf(userId: string, tenantId = acme.tenant.id): Promise<Role | undefined> {
  const { rows } = await server.owner.query<{ role: Role }>(
    'select role from member where tenant_id = $1 and user_id = $2',
    [tenantId, userId],
  );
  return rows[0]?.role;
}

async function audited(action: string, targetId: string): Promise<Json[]> {
  const { rows } = await server.owner.query<Json>(
    `select actor_id, data, request_id from audit_event
      where tenant_id = $1 and action = $2 and target_id = $3 order by id`,
    [acme.tenant.id, action, targetId],
  );
  return rows;
}

test('an invitation is created, listed without its secret, previewed and accepted once', async () => {
  const email = newEmail();
  const answer = await post({ email: email.toUpperCase(), role: 'member' });
  assert.equal(answer.status, 201, answer.text);
  const { invitation, link_token: token } = answer.body;
  assert.equal(invitation.email, email);
  assert.equal(invitation.role, 'member');
  assert.equal(invitation.expired, false);
  const days = (Date.parse(invitation.expires_at) - Date.now()) / 86_400_000;
  assert.ok(Math.abs(days - 7) < 0.01, String(days));
  assert.deepEqual((await list())[0], invitation);
  const { rows } = await server.owner.query('select * from invitation');
  assert.ok(!JSON.stringify(rows).includes(token));

  assert.deepEqual(await find(token), { tenant: acme.tenant, email, role: 'member', provesAddress: false });
  const user = await person(email);
  assert.deepEqual(await accept(token, user), acme.tenant);
  assert.equal(await roleOf(user.id), 'member');
  assert.equal(await find(token), undefined);
  await assert.rejects(accept(token, user), { code: 'RESOURCE_NOT_FOUND' });
  assert.ok(!(await list()).some(({ id }) => id === invitation.id));

  const id = parseId('invitation', invitation.id) ?? '';
  assert.deepEqual(await audited('invitation.create', id), [
    {
      actor_id: acme.people.admin.user.id,
      data: { email, role: 'member' },
      request_id: answer.headers['x-request-id'],
    },
  ]);
  assert.deepEqual(await audited('invitation.accept', user.id), [
    { actor_id: user.id, data: { role: 'member' }, request_id: 'req-accept' },
  ]);
});

test('an invitation that is accepted twice at once creates one member', async () => {
  const email = newEmail();
  const { link_token: token } = await invited(email);
  const user = await person(email);
  const results = await Promise.allSettled([1, 2, 3].map(() => accept(token, user)));
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  assert.equal((await audited('invitation.accept', user.id)).length, 1);
});

test('an invitation is valid for its address alone', async () => {
  const email = newEmail();
  const { link_token: token } = await invited(email, 'admin');
  const thief = await person(newEmail());
  await assert.rejects(accept(token, thief), { code: 'TOKEN_ABILITY_DENIED' });
  await assert.rejects(accept(token, acme.people.viewer.user), { code: 'TOKEN_ABILITY_DENIED' });
  assert.equal(await roleOf(thief.id), undefined);
  assert.equal(await roleOf(acme.people.viewer.user.id), 'viewer', 'nobody rises by another’s link');
  assert.ok(await find(token), 'and it is still good for whom it was meant');
});

test('an altered, made-up or foreign link is refused', async () => {
  const email = newEmail();
  const { link_token: token } = await invited(email);
  const user = await person(email);
  const bytes = Buffer.from(token, 'base64url');
  const changed = [0, 7, 8, 24, 55].map((at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy.toString('base64url');
  });
  const elsewhere = Buffer.from(bytes);
  elsewhere.writeBigUInt64BE(BigInt(other.tenant.id));
  for (const wrong of [
    ...changed,
    elsewhere.toString('base64url'),
    '',
    'x',
    `${token}A`,
    `${token}=`,
    token.slice(0, -1),
    ' ',
    '💥',
  ]) {
    assert.equal(await find(wrong), undefined, wrong);
    await assert.rejects(accept(wrong, user), { code: 'RESOURCE_NOT_FOUND' }, wrong);
  }
  assert.equal(await roleOf(user.id), undefined);
  assert.equal(await roleOf(user.id, other.tenant.id), undefined);
});

test('an invitation expires after a week, and a new one replaces the old link', async () => {
  const email = newEmail();
  const user = await person(email);
  const first = await invited(email, 'admin');
  await server.owner.query(`update invitation set expires_at = now() where email = $1`, [email]);
  assert.equal(await find(first.link_token), undefined);
  await assert.rejects(accept(first.link_token, user), { code: 'RESOURCE_NOT_FOUND' });
  assert.equal((await list()).find((one) => one.email === email)?.expired, true);
  const second = await invited(email, 'viewer');
  assert.equal(await find(first.link_token), undefined);
  assert.equal((await find(second.link_token))?.role, 'viewer');
  assert.equal((await list()).filter((one) => one.email === email).length, 1);
  await Promise.all([1, 2, 3, 4].map(() => invited(email, 'viewer')));
  assert.equal((await list()).filter((one) => one.email === email).length, 1);
  assert.equal(await find(second.link_token), undefined);
});

test('a withdrawn invitation is refused', async () => {
  const email = newEmail();
  const { invitation, link_token: token } = await invited(email);
  const answer = await admin.delete(`${base}/${invitation.id}`);
  assert.equal(answer.status, 204, answer.text);
  assert.equal(await find(token), undefined);
  await assert.rejects(accept(token, await person(email)), { code: 'RESOURCE_NOT_FOUND' });
  refused(await admin.delete(`${base}/${invitation.id}`), 404, 'RESOURCE_NOT_FOUND');
  const id = parseId('invitation', invitation.id) ?? '';
  assert.deepEqual(await audited('invitation.withdraw', id), [
    {
      actor_id: acme.people.admin.user.id,
      data: { email },
      request_id: answer.headers['x-request-id'],
    },
  ]);
});

test('an invitation ends when its inviter is no longer an admin', async () => {
  const join = async (role: Role) => {
    const user = await person(newEmail());
    await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, user.id, role));
    return { user, id: formatId('user', user.id), client: await signInAs(server, user.id) };
  };
  for (const how of ['removed', 'demoted'] as const) {
    const rogue = await join('admin');
    const { link_token: backdoor } = await invited(newEmail(), 'admin', rogue.client);
    const { link_token: mine } = await invited();
    const path = `/manage/v1/acme/members/${rogue.id}`;
    const answer = how === 'removed' ? await admin.delete(path) : await admin.patch(path, { role: 'member' });
    assert.ok(answer.status < 300, answer.text);
    assert.equal(await find(backdoor), undefined, how);
    assert.ok(await find(mine), 'others’ stand');
    refused(
      await post({ email: newEmail(), role: 'viewer' }, rogue.client),
      403,
      how === 'removed' ? 'TOKEN_INVALID_FOR_TENANT' : 'TOKEN_ABILITY_DENIED',
    );
  }
  // An invitation to their own address, from before they were a member, does not let them back in.
  const email = newEmail();
  const { link_token: own } = await invited(email, 'admin');
  const user = await person(email);
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  assert.equal((await admin.delete(`/manage/v1/acme/members/${formatId('user', user.id)}`)).status, 204);
  assert.equal(await find(own), undefined);
});

test('a person who is already a member keeps the role', async () => {
  const email = newEmail();
  const { link_token: token } = await invited(email, 'admin');
  const user = await person(email);
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  await accept(token, user);
  assert.equal(await roleOf(user.id), 'viewer');
  const again: Answer<unknown> = await post({ email, role: 'admin' });
  refused(again, 422, 'VALIDATION_FAILED');
  assert.deepEqual((again.body as { errors: Json }).errors, { email: ['This person is already a member.'] });
});

test('an invalid address is refused', async () => {
  const wrong = [
    'nobody',
    '@x.example',
    'a b@x.example',
    'a@b',
    `${'a'.repeat(250)}@x.example`,
    'a\u202eb@x.example',
    'a\u0007@x.example',
    null,
    7,
  ];
  for (const email of wrong) refused(await post({ email, role: 'viewer' }), 422, 'VALIDATION_FAILED');
  for (const role of ['owner', null])
    refused(await post({ email: newEmail(), role }), 422, 'VALIDATION_FAILED');
  refused(await post({ email: newEmail() }), 422, 'VALIDATION_FAILED');
  refused(await post({ email: newEmail(), role: 'viewer', operator: true }), 422, 'VALIDATION_FAILED');
});

test('only an admin may invite, list and withdraw, by session only after a fresh sign-in', async () => {
  const { invitation } = await invited();
  const before = (await list()).length;
  const one = `${base}/${invitation.id}`;
  const body = { email: newEmail(), role: 'admin' };
  for (const role of ['member', 'viewer'] as const) {
    const client = await signInAs(server, acme.people[role].user.id);
    refused(await post(body, client), 403, 'TOKEN_ABILITY_DENIED');
    refused(await client.get(base), 403, 'TOKEN_ABILITY_DENIED');
    refused(await client.delete(one), 403, 'TOKEN_ABILITY_DENIED');
  }
  const stranger = await signInAs(server, other.people.admin.user.id);
  refused(await post(body, stranger), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await stranger.delete(`/manage/v1/other/invitations/${invitation.id}`), 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual((await stranger.get('/manage/v1/other/invitations')).body.items, []);
  for (const id of [formatId('invitation', newId()), 'inv_x', formatId('user', newId())]) {
    refused(await admin.delete(`${base}/${id}`), 404, 'RESOURCE_NOT_FOUND');
  }
  const old = await signInAs(server, acme.people.admin.user.id, {
    signedInAt: new Date(Date.now() - 61 * 60_000),
  });
  refused(await post(body, old), 403, 'SIGN_IN_AGAIN');
  const weak = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['policies:write', 'vulnerabilities:write'],
  });
  refused(await post(body, clientOf(app, weak.key)), 403, 'TOKEN_ABILITY_DENIED');
  assert.equal((await list()).length, before);
  // A key that may manage the workspace may invite people, but not admins.
  refused(await post(body, clientOf(app, acme.people.admin.key)), 403, 'TOKEN_ABILITY_DENIED');
  const lesser = { ...body, role: 'member' };
  assert.equal((await post(lesser, clientOf(app, acme.people.admin.key))).status, 201);
  // The caller is an admin when the request arrives, and not any more when it is carried out.
  const late = await createTestWorkspace(server, 'late');
  const principal = principalAs(late, 'admin');
  await tenantTx(db, late.tenant.id, (tx) => addMember(tx, principal.user.id, 'member'));
  await assert.rejects(
    tenantTx(db, late.tenant.id, (tx) => invite(tx, principal, { email: newEmail(), role: 'admin' })),
    { code: 'TOKEN_ABILITY_DENIED' },
  );
});
