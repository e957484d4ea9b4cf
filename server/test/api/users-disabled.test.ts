/** Tests of disabled people: the access that ends, and the maximum number of sessions of a person. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { addMember } from '../../src/access/members/service.ts';
import { disableUser, enableUser } from '../../src/access/users/disable.ts';
import { createUser } from '../../src/access/users/service.ts';
import { removeMemberAsOperator } from '../../src/actions/members/remove-member.ts';
import { installTx, tenantReadTx, tenantTx } from '../../src/db/database.ts';
import { formatId, type TenantId, type UserId } from '../../src/domain/ids.ts';
import { clientOf, send, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs, signInWith } from '../support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const password = 'correct horse battery';

const disable = (id: UserId) => installTx(db, (tx) => disableUser(tx, id), id);
const enable = (id: UserId) => installTx(db, (tx) => enableUser(tx, id), id);
const statusBy = async (key: string, slug: string) =>
  (await send(app, { path: `/api/v1/${slug}/vulnerabilities`, authorization: `Bearer ${key}` })).status;
const signedIn = async (client: SessionClient) =>
  (await client.get<{ signed_in: boolean }>('/console/session')).body.signed_in;
const actionsOn = async (tenantId: TenantId, userId: string) =>
  (
    await tenantReadTx(db, tenantId, (tx) =>
      tx.query<{ action: string; actor_id: string | null }>(
        `select action, actor_id from audit_event where tenant_id = $1 and target_id = $2 order by id`,
        [tenantId, userId],
      ),
    )
  ).map(({ action, actor_id: actor }) => [action, actor]);
// A looked-up key or session is cached for a second at most.
const second = () => setTimeout(1_000);

test('a disabled person’s sessions, keys and password are refused; enabled again, they work', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'out');
  const kim = await installTx(db, (tx) => createUser(tx, 'kim@out.example', 'Kim', password));
  await tenantTx(db, tenant.id, (tx) => addMember(tx, kim.id, 'member'));
  const { key } = await createTestKey(server, { userId: kim.id, role: 'member' });
  const workspaceKey = (await createTestWorkspaceKey(server, tenant, 'member')).key;
  const client = await signInWith(server, kim.email, password);
  assert.deepEqual([await signedIn(client), await statusBy(key, 'out')], [true, 200]);

  assert.deepEqual(await disable(kim.id), { withoutAdmin: [] });
  assert.equal(await signedIn(client), false);
  await second();
  assert.equal(await statusBy(key, 'out'), 401);
  await assert.rejects(signInWith(server, kim.email, password), /not signed in: 401/);
  assert.equal(await statusBy(people.member.key, 'out'), 200);
  assert.equal(await statusBy(workspaceKey, 'out'), 200, 'a key of the workspace is nobody’s own');
  assert.deepEqual(await disable(kim.id), { withoutAdmin: [] }, 'once more changes nothing');

  await enable(kim.id);
  await enable(kim.id);
  assert.equal(await signedIn(client), false, 'a session that was ended stays so');
  assert.equal(await signedIn(await signInWith(server, kim.email, password)), true);
  await second();
  assert.equal(await statusBy(key, 'out'), 200);
  assert.deepEqual(await actionsOn(tenant.id, kim.id), [
    ['member.set', null],
    ['user.disable', null],
    ['user.enable', null],
  ]);
});

test('assignments of a disabled person are listed, and other changes of a team or application keep the person in it', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'left');
  const lea = await installTx(db, (tx) => createUser(tx, 'lea@left.example', 'Lea', password));
  await tenantTx(db, tenant.id, (tx) => addMember(tx, lea.id, 'member'));
  await importAll(server, 'left', [reportInput(trivy([{ id: 'CVE-2031-1', name: 'a', version: '1.0.0' }]))]);
  const client = clientOf(app, people.admin.key);
  const list = (assignee: string) =>
    client.get<{ items: { id: string }[] }>(`/api/v1/left/vulnerabilities?assignee=${assignee}`);
  const [item] = (await list('unassigned')).body.items;
  const assign = () =>
    client.patch(`/api/v1/left/vulnerabilities/${item?.id}/assignment`, { assignee: lea.email });
  assert.equal((await assign()).status, 200);
  const session = await signInAs(server, people.admin.user.id);
  const teams = '/manage/v1/left/teams';
  const team = await session.post<{ id: string; members: { id: string }[] }>(teams, {
    name: 'Web',
    members: [lea.email],
  });
  const applications = '/manage/v1/left/applications';
  const owned = await session.post<{ id: string }>(applications, { name: 'Shop', owner: lea.email });
  await disable(lea.id);
  for (const name of [lea.email, formatId('user', lea.id)]) {
    const body = succeeded(await list(name));
    assert.deepEqual(fieldOf(body.items, 'id'), [item?.id]);
  }
  assert.equal((await assign()).status, 422, 'nothing new');
  const another = await session.post(teams, { name: 'Other', members: [lea.email] });
  assert.equal(another.status, 422, 'no new team');
  const members = team.body.members.map(({ id }) => id);
  const changed = await session.patch<{ members: object[] }>(`${teams}/${team.body.id}`, {
    name: 'Site',
    members,
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.members.length, 1);
  const renamed = await session.patch<{ name: string; owner: { id: string } }>(
    `${applications}/${owned.body.id}`,
    { name: 'Store', owner: formatId('user', lea.id) },
  );
  assert.equal(renamed.status, 200, renamed.text);
  assert.deepEqual([renamed.body.name, renamed.body.owner.id], ['Store', formatId('user', lea.id)]);
  const other = await session.post(applications, { name: 'Other', owner: lea.email });
  assert.equal(other.status, 422, 'nothing new');
});

test('workspaces without an admin who can sign in are named', async () => {
  const [one, two, three] = [
    await createTestWorkspace(server, 'one'),
    await createTestWorkspace(server, 'two'),
    await createTestWorkspace(server, 'three'),
  ];
  const { id } = one.people.admin.user;
  await tenantTx(db, two.tenant.id, (tx) => addMember(tx, id, 'admin'));
  await tenantTx(db, three.tenant.id, (tx) => addMember(tx, id, 'viewer'));
  assert.deepEqual(await disable(id), { withoutAdmin: ['one'] });
  // A disabled admin does not count as an admin.
  assert.deepEqual(await disable(two.people.admin.user.id), { withoutAdmin: ['two'] });
  assert.deepEqual(await disable(three.people.viewer.user.id), { withoutAdmin: [] });
});

test('the operator removes a member, also the last admin, with their invitations', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'taken');
  const { admin, member } = people;
  const client = await signInAs(server, admin.user.id);
  const invited = await client.post('/manage/v1/taken/invitations', {
    email: 'x@taken.example',
    role: 'member',
  });
  assert.equal(invited.status, 201, invited.text);
  const remove = (user: { id: UserId; email: string }) => removeMemberAsOperator(db, tenant.id, user);
  assert.deepEqual(await remove(member.user), { withoutAdmin: false });
  assert.equal(await statusBy(member.key, 'taken'), 403);
  await assert.rejects(remove(member.user), /member@taken\.example is not a member of the workspace/);
  assert.deepEqual(await remove(admin.user), { withoutAdmin: true });
  assert.equal((await client.get('/console/api/v1/taken/vulnerabilities')).status, 403);
  assert.deepEqual((await actionsOn(tenant.id, admin.user.id)).at(-1), ['member.remove', null]);
  const open = await tenantReadTx(db, tenant.id, (tx) =>
    tx.query('select 1 from invitation where tenant_id = $1 and withdrawn_at is null', [tenant.id]),
  );
  assert.deepEqual(open, []);
});

test('a person has twenty sessions, and a new sign-in ends the oldest of that person', async () => {
  const [kim, lee] = await installTx(db, async (tx) => [
    await createUser(tx, 'kim@many.example', 'Kim', password),
    await createUser(tx, 'lee@many.example', 'Lee', password),
  ]);
  assert.ok(kim && lee);
  const other = await signInAs(server, lee.id);
  const clients: SessionClient[] = [];
  for (let i = 0; i < 20; i++) clients.push(await signInAs(server, kim.id));
  const living = async () => {
    const all = [];
    for (const client of clients) all.push(await signedIn(client));
    return all;
  };
  assert.deepEqual(await living(), Array(20).fill(true));
  clients.push(await signInWith(server, kim.email, password));
  assert.deepEqual(await living(), [false, ...Array(20).fill(true)]);
  // Expired sessions do not count against the limit.
  await installTx(db, (tx) =>
    tx.query(
      `update user_session set expires_at = now() - interval '1 minute' where id =
         (select id from user_session where user_id = $1 order by created_at desc limit 1)`,
      [kim.id],
    ),
  );
  clients.push(await signInAs(server, kim.id));
  assert.deepEqual(await living(), [false, ...Array(19).fill(true), false, true]);
  await Promise.all(Array.from({ length: 6 }, () => signInAs(server, kim.id)));
  const left = await installTx(db, (tx) =>
    tx.query('select 1 from user_session where user_id = $1 and expires_at > now()', [kim.id]),
  );
  assert.equal(left.length, 20);
  assert.equal(await signedIn(other), true);
});
