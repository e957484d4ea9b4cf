/** Tests of members: who is a member, with which role. A person who leaves loses all access at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countStatements } from '../../../benchmarks/count-statements.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { assignVulnerabilities } from '../../src/actions/triage/assignments.ts';
import { importTx, installTx, tenantTx } from '../../src/db/database.ts';
import { formatId, newId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/http/principal.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, type Json, refused, type Schemas, send, succeeded, walk } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  principalAs,
  reportInput,
  type TestWorkspace,
} from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const foreign = await createTestWorkspace(server, 'foreign');
const statements = countStatements();

type Member = Schemas['Member'];

let workspaces = 0;
/** A workspace of its own for each test, with its admin signed in. */
async function start() {
  workspaces++;
  const slug = `acme-${workspaces}`;
  const acme = await createTestWorkspace(server, slug);
  const base = `/manage/v1/${slug}`;
  const admin = await signInAs(server, acme.people.admin.user.id);
  const members = async (): Promise<Member[]> =>
    (await admin.get<{ items: Member[] }>(`${base}/members`)).body.items;
  const idOf = (role: Role) => formatId('user', acme.people[role].user.id);
  return { acme, slug, base, admin, members, idOf };
}

async function join({ tenant }: TestWorkspace, name: string, role: Role) {
  const email = `${name.toLowerCase()}@${tenant.slug}.example`;
  const user = await installTx(db, (tx) => createUser(tx, email, name, null));
  await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, role));
  return { user, id: formatId('user', user.id) };
}

async function audited({ tenant }: TestWorkspace, action: string): Promise<Json[]> {
  const { rows } = await server.owner.query<Json>(
    `select actor_id, api_key_id, target_id, data, request_id from audit_event
      where tenant_id = $1 and action = $2 and request_id is not null order by id`,
    [tenant.id, action],
  );
  return rows;
}

test('members see the list by name, with role and last use', async () => {
  const { acme, base, members } = await start();
  const member = await signInAs(server, acme.people.member.user.id);
  const { body } = await member.get<{ items: Member[] }>(`${base}/members`);
  assert.deepEqual(
    body.items.map(({ id, name, email, role }) => ({ id, name, email, role })),
    (['admin', 'member', 'viewer'] as const).map((role) => {
      const { user } = acme.people[role];
      return { id: formatId('user', user.id), name: user.name, email: user.email, role };
    }),
  );
  assert.ok(body.items[0]?.last_seen_at !== null, 'the admin is signed in');
  assert.equal(body.items[2]?.last_seen_at, null, 'the viewer was never here');
  const viewer = await signInAs(server, acme.people.viewer.user.id);
  refused(await viewer.get(`${base}/members`), 403, 'TOKEN_ABILITY_DENIED');
  const stranger = await signInAs(server, foreign.people.admin.user.id);
  refused(await stranger.get(`${base}/members`), 403, 'TOKEN_INVALID_FOR_TENANT');

  // A key for another workspace only does not count in this one.
  const { user: both, id } = await join(acme, 'Both', 'viewer');
  await tenantTx(db, foreign.tenant.id, (tx) => addMember(tx, both.id, 'viewer'));
  const use = async (restrictedTo?: string[]) => {
    const key = await createTestKey(server, {
      userId: both.id,
      role: 'viewer',
      ...(restrictedTo ? { restrictedTo } : {}),
    });
    await server.owner.query('update api_key set last_used_at = now() where id = $1', [key.id]);
    return (await members()).find((row) => row.id === id)?.last_seen_at;
  };
  assert.equal(await use([foreign.tenant.id]), null);
  assert.notEqual(await use([acme.tenant.id]), null);
});

test('an admin changes a role at the console or by key, and it applies at once', async () => {
  const { acme, base, admin, idOf } = await start();
  const viewer = await signInAs(server, acme.people.viewer.user.id);
  const answer = await admin.patch<Member>(`${base}/members/${idOf('viewer')}`, { role: 'member' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.role, 'member');
  assert.equal((await viewer.get(`${base}/members`)).status, 200);
  assert.deepEqual(await audited(acme, 'member.set'), [
    {
      actor_id: acme.people.admin.user.id,
      api_key_id: null,
      target_id: acme.people.viewer.user.id,
      data: { role: 'member', from: 'viewer' },
      request_id: answer.headers['x-request-id'],
    },
  ]);
  // A repeated request changes nothing and is not recorded.
  assert.equal((await admin.patch(`${base}/members/${idOf('viewer')}`, { role: 'member' })).status, 200);
  assert.equal((await audited(acme, 'member.set')).length, 1);

  const byKey = clientOf(app, acme.people.admin.key);
  assert.equal((await byKey.patch(`${base}/members/${idOf('viewer')}`, { role: 'viewer' })).status, 200);
  refused(await viewer.get(`${base}/members`), 403, 'TOKEN_ABILITY_DENIED');
  assert.ok((await audited(acme, 'member.set'))[1]?.api_key_id);
  for (const role of ['owner', '', null, 2]) {
    refused(await admin.patch(`${base}/members/${idOf('viewer')}`, { role }), 422, 'VALIDATION_FAILED');
  }
});

test('a member, a viewer, their keys, an old sign-in or another workspace may not change roles', async () => {
  const { acme, base, members, idOf } = await start();
  const before = await members();
  const target = `${base}/members/${idOf('member')}`;
  const remove = (authorization: string) => send(app, { method: 'DELETE', path: target, authorization });
  for (const role of ['member', 'viewer'] as const) {
    const client = await signInAs(server, acme.people[role].user.id);
    for (const to of ['admin', 'viewer'] as const) {
      refused(await client.patch(target, { role: to }), 403, 'TOKEN_ABILITY_DENIED');
    }
    refused(await client.delete(`${base}/members/${idOf('admin')}`), 403, 'TOKEN_ABILITY_DENIED');
    // A key that claims more than its user may.
    const { key } = await createTestKey(server, { userId: acme.people[role].user.id, role: 'admin' });
    refused(await clientOf(app, key).patch(target, { role: 'admin' }), 403, 'TOKEN_ABILITY_DENIED');
    refused(await remove(`Bearer ${key}`), 403, 'TOKEN_ABILITY_DENIED');
  }
  const weak = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['policies:write'],
  });
  refused(await clientOf(app, weak.key).patch(target, { role: 'admin' }), 403, 'TOKEN_ABILITY_DENIED');
  const old = await signInAs(server, acme.people.admin.user.id, {
    signedInAt: new Date(Date.now() - 61 * 60_000),
  });
  refused(await old.patch(target, { role: 'admin' }), 403, 'SIGN_IN_AGAIN');
  refused(await old.delete(target), 403, 'SIGN_IN_AGAIN');
  assert.equal((await old.get(`${base}/members`)).status, 200);
  const stranger = await signInAs(server, foreign.people.admin.user.id);
  refused(await stranger.patch(target, { role: 'admin' }), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await stranger.delete(target), 403, 'TOKEN_INVALID_FOR_TENANT');
  assert.deepEqual(fieldsOf(await members(), 'id', 'role'), fieldsOf(before, 'id', 'role'));
});

test('people of other workspaces and unknown people are 404', async () => {
  const { base, admin } = await start();
  const stranger = formatId('user', foreign.people.member.user.id);
  const unknown = formatId('user', newId());
  for (const id of [stranger, unknown, 'usr_nonsense', foreign.people.member.user.email, '%20']) {
    const [changed, removed] = [
      await admin.patch(`${base}/members/${id}`, { role: 'admin' }),
      await admin.delete(`${base}/members/${id}`),
    ];
    refused(changed, 404, 'RESOURCE_NOT_FOUND');
    refused(removed, 404, 'RESOURCE_NOT_FOUND');
  }
});

test('the last admin cannot be removed or demoted', async () => {
  const { acme, base, admin, members, idOf } = await start();
  const own = `${base}/members/${idOf('admin')}`;
  const stays = async () => {
    for (const role of ['member', 'viewer'])
      refused(await admin.patch(own, { role }), 409, 'INVALID_TRANSITION');
    refused(await admin.delete(own), 409, 'INVALID_TRANSITION');
  };
  await stays();
  // A workspace key with the role admin may not do it either, because it is no person.
  const { key } = await createTestWorkspaceKey(server, acme.tenant, 'admin');
  refused(await clientOf(app, key).patch(own, { role: 'viewer' }), 409, 'INVALID_TRANSITION');

  const second = await join(acme, 'Second', 'admin');
  await server.owner.query('update user_account set disabled_at = now() where id = $1', [second.user.id]);
  await stays();
  await server.owner.query('update user_account set disabled_at = null where id = $1', [second.user.id]);
  succeeded(await admin.patch(own, { role: 'member' }));
  refused(await admin.patch(own, { role: 'admin' }), 403, 'TOKEN_ABILITY_DENIED');
  assert.equal((await members()).filter(({ role }) => role === 'admin').length, 1);
});

test('of two admins who remove or demote each other at the same moment one remains', async () => {
  for (const how of ['remove', 'demote'] as const) {
    const { acme, base, admin, idOf } = await start();
    const rival = await join(acme, 'Rival', 'admin');
    const rivals = await signInAs(server, rival.user.id);
    const strike = (client: typeof admin, id: string) =>
      how === 'remove'
        ? client.delete(`${base}/members/${id}`)
        : client.patch(`${base}/members/${id}`, { role: 'viewer' });
    const answers = await Promise.all([strike(admin, rival.id), strike(rivals, idOf('admin'))]);
    const done = answers.filter(({ status }) => status < 300);
    assert.equal(done.length, 1, answers.map(({ text }) => text).join(' '));
    assert.equal(answers.find(({ status }) => status >= 300)?.status, 403);
    const { rows } = await server.owner.query(
      "select 1 from member where tenant_id = $1 and role = 'admin'",
      [acme.tenant.id],
    );
    assert.equal(rows.length, 1, how);
  }
});

test('a removed member’s sessions and keys are refused at the next request, and other workspaces do not change', async () => {
  const { acme, slug, base, admin, members, idOf } = await start();
  const { user, key } = acme.people.member;
  await tenantTx(db, foreign.tenant.id, (tx) => addMember(tx, user.id, 'member'));
  const session = await signInAs(server, user.id);
  const { key: restricted } = await createTestKey(server, {
    userId: user.id,
    role: 'member',
    restrictedTo: [acme.tenant.id],
  });
  const whoami = (bearer: string, of: string) =>
    send(app, { path: `/api/v1/${of}/whoami`, authorization: `Bearer ${bearer}` });
  for (const bearer of [key, restricted]) assert.equal((await whoami(bearer, slug)).status, 200);

  const answer = await admin.delete(`${base}/members/${idOf('member')}`);
  assert.equal(answer.status, 204, answer.text);
  for (const bearer of [key, restricted])
    refused(await whoami(bearer, slug), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await session.get(`${base}/members`), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await session.get(`/console/api/v1/${slug}/whoami`), 403, 'TOKEN_INVALID_FOR_TENANT');
  assert.equal((await whoami(key, 'foreign')).status, 200);
  assert.equal((await session.get('/console/api/v1/foreign/whoami')).status, 200);
  assert.deepEqual(fieldOf(await members(), 'role'), ['admin', 'viewer']);
  refused(await admin.delete(`${base}/members/${idOf('member')}`), 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual(await audited(acme, 'member.remove'), [
    {
      actor_id: acme.people.admin.user.id,
      api_key_id: null,
      target_id: user.id,
      data: { role: 'member' },
      request_id: answer.headers['x-request-id'],
    },
  ]);
});

const many = (count: number, from = 0) =>
  trivy(
    Array.from({ length: count }, (_, i) => ({
      id: `CVE-2031-${10_000 + from + i}`,
      name: `lib-${from + i}`,
      version: '1.0.0',
    })),
  );

async function assignAll(acme: TestWorkspace, ids: string[], to: Role): Promise<void> {
  for (let start = 0; start < ids.length; start += 500) {
    const vulnerabilities = ids.slice(start, start + 500).map((id) => ({ id }));
    const assignee = acme.people[to].user.email;
    await assignVulnerabilities(db, principalAs(acme, 'admin'), { assignee, vulnerabilities });
  }
}

async function assigned({ tenant, people }: TestWorkspace, role: Role): Promise<number> {
  const { rows } = await server.owner.query<{ n: number }>(
    'select count(*)::int as n from vulnerability where tenant_id = $1 and assignee_id = $2',
    [tenant.id, people[role].user.id],
  );
  return rows[0]?.n ?? 0;
}

async function vulnerabilityIds(acme: TestWorkspace): Promise<string[]> {
  const list = `/api/v1/${acme.tenant.slug}/vulnerabilities`;
  const items = await walk<{ id: string }>(clientOf(app, acme.people.admin.key), list, { per_page: 200 });
  return items.map(({ id }) => id);
}

test('a removed member’s assignments are removed at once, however many; others keep theirs', async () => {
  const { acme, slug, base, admin, idOf } = await start();
  await applyAndEvaluate(
    server,
    acme.tenant.id,
    policyOf('high', "{fact: severity, operator: '>=', value: high}"),
  );
  // The number is higher than one slice.
  await importAll(server, slug, [reportInput(many(2_600))]);
  const ids = await vulnerabilityIds(acme);
  assert.equal(ids.length, 2_600);
  await assignAll(acme, ids.slice(0, 2_400), 'member');
  await assignAll(acme, ids.slice(2_400, 2_500), 'viewer');
  const [first = ''] = ids;
  const detail = () =>
    admin.get<{ assignee: Json | null; status_version: string; history: Json[] }>(
      `/console/api/v1/${slug}/vulnerabilities/${first}`,
    );
  const before = (await detail()).body;
  assert.equal(before.assignee?.id, idOf('member'));

  const sentBefore = statements();
  assert.equal((await admin.delete(`${base}/members/${idOf('member')}`)).status, 204);
  // Two slices take some thirty statements each, so there is no statement for each vulnerability.
  const sent = statements() - sentBefore;
  assert.ok(sent < 200, `${sent} statements`);
  assert.equal(await assigned(acme, 'member'), 0);
  assert.equal(await assigned(acme, 'viewer'), 100);
  const after = (await detail()).body;
  assert.equal(after.assignee, null);
  assert.notEqual(after.status_version, before.status_version);
  assert.match(JSON.stringify(after.history), /"unassigned".*Has left the workspace/);
  const unassigned = await admin.get<{ summary: { total: number } }>(
    `/console/api/v1/${slug}/vulnerabilities?assignee=unassigned`,
  );
  assert.equal(unassigned.body.summary.total, 2_500);
  await assertInvariants(server.owner);
  // A member who comes back has no assignments.
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, acme.people.member.user.id, 'member'));
  assert.equal(await assigned(acme, 'member'), 0);
});

test('an assignment made at the moment of removal does not stay', async () => {
  const { acme, slug, base, admin, idOf } = await start();
  await importAll(server, slug, [reportInput(many(40))]);
  const ids = await vulnerabilityIds(acme);
  const target = idOf('member');
  const assigning = ids.map((id) =>
    send(app, {
      method: 'PATCH',
      path: `/api/v1/${slug}/vulnerabilities/${id}/assignment`,
      authorization: `Bearer ${acme.people.admin.key}`,
      body: { assignee: target },
    }),
  );
  const removing = admin.delete(`${base}/members/${target}`);
  const statuses = new Set((await Promise.all(assigning)).map(({ status }) => status));
  assert.equal((await removing).status, 204);
  for (const status of statuses) assert.ok([200, 422].includes(status), String(status));
  assert.equal(await assigned(acme, 'member'), 0);
  await assertInvariants(server.owner);
});

test('a removal does not wait for an import that holds the rows', async () => {
  const { acme, slug, base, admin, idOf } = await start();
  await importAll(server, slug, [reportInput(many(3))]);
  await assignAll(acme, await vulnerabilityIds(acme), 'member');
  const { user } = acme.people.member;
  const session = await signInAs(server, user.id);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked = (): void => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const importing = importTx(db, acme.tenant.id, async (tx) => {
    await tx.query('select 1 from vulnerability where tenant_id = $1 for update', [acme.tenant.id]);
    locked();
    await held;
  });
  await isLocked;
  const removing = admin.delete(`${base}/members/${idOf('member')}`);
  try {
    let status = 0;
    for (let i = 0; i < 100 && status !== 403; i++) {
      status = (await session.get(`/console/api/v1/${slug}/whoami`)).status;
    }
    assert.equal(status, 403, 'out, though the rows are not free');
    assert.equal((await Promise.race([removing, sleep(20_000)]))?.status, 204);
    assert.equal(await assigned(acme, 'member'), 3);
  } finally {
    release();
    await importing;
  }
  await sweepTenant(db, acme.tenant.id, new Date(), 30);
  assert.equal(await assigned(acme, 'member'), 0);
});

test('the sweep removes assignments that an interrupted removal left', async () => {
  const { acme, slug } = await start();
  await importAll(server, slug, [reportInput(many(5))]);
  const ids = await vulnerabilityIds(acme);
  await assignAll(acme, ids.slice(0, 3), 'member');
  await assignAll(acme, ids.slice(3), 'viewer');
  await server.owner.query('delete from member where tenant_id = $1 and user_id = $2', [
    acme.tenant.id,
    acme.people.member.user.id,
  ]);
  await sweepTenant(db, acme.tenant.id, new Date(), 30);
  assert.equal(await assigned(acme, 'member'), 0);
  assert.equal(await assigned(acme, 'viewer'), 2);
  await assertInvariants(server.owner);
});
