/** Tests of assigning many vulnerabilities at once: all or none, permissions, assignees, and effects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatId, type IdKind, tenantUuid } from '../../src/domain/ids.ts';
import { clientOf, type Json, type Schemas, succeeded } from '../support/client.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { processorMs } from '../support/processor-time.ts';
import { createTestKey, createTestWorkspace, createTestWorkspaceKey } from '../support/workspace.ts';
import { assignmentsPath, createUndoWorkspace, undoPath } from './undo-workspace.ts';

const { server, tenant, people, createOpenVulnerabilities, detailOf, totals } = await createUndoWorkspace();

type Assigned = Schemas['AssignedVulnerabilities']['items'][number];

const assign = (body: Json, key = people.member.key) =>
  clientOf(server.app, key).post<{ items: Assigned[] } & Json>(assignmentsPath, body);

async function assigned(ids: string[], assignee: string | null): Promise<Assigned[]> {
  const body = succeeded(await assign({ assignee, vulnerabilities: ids.map((id) => ({ id })) }));
  return body.items;
}

const assigneeOf = async (id: string): Promise<unknown> =>
  ((await detailOf(id)) as unknown as Assigned).assignee?.email ?? null;

test('all are assigned in the order of the request, and unchanged ones are marked', async () => {
  const { repo, ids } = await createOpenVulnerabilities(5);
  await assigned(ids.slice(0, 2), people.admin.user.email);
  const items = await assigned(ids.toReversed(), people.admin.user.email.toUpperCase());
  assert.deepEqual(
    items.map((item) => [item.id, item.changed, item.assignee?.id]),
    ids.toReversed().map((id) => [id, !ids.slice(0, 2).includes(id), formatId('user', people.admin.user.id)]),
  );
  assert.equal(await totals(`repo=${repo}&assignee=${people.admin.user.email}`), 5);
  for (const item of items) assert.equal((await detailOf(item.id)).status_version, item.status_version);
  const cleared = await assigned(ids, 'unassigned');
  assert.ok(cleared.every((item) => item.changed && item.assignee === null));
  assert.equal(await totals(`repo=${repo}&assignee=unassigned`), 5);
});

test('the history and the audit log have an entry for each', async () => {
  const { ids } = await createOpenVulnerabilities(3);
  await assigned(ids, 'me');
  for (const id of ids) {
    const [event] = (await detailOf(id)).history;
    const who = formatId('user', people.member.user.id);
    assert.deepEqual([event?.event, event?.actor?.id, event?.data], ['assigned', who, { assignee: who }]);
  }
  const { rows } = await server.owner.query(
    `select action, actor_id, data from audit_event where tenant_id = $1 order by id desc limit 3`,
    [tenant.id],
  );
  const entry = {
    action: 'vulnerability.assign',
    actor_id: people.member.user.id,
    data: { assignee: people.member.user.id },
  };
  assert.deepEqual(rows, [entry, entry, entry]);
});

test('if one is unknown, foreign or stale, none is assigned', async () => {
  const { ids } = await createOpenVulnerabilities(3);
  const elsewhere = await createTestWorkspace(server, 'elsewhere');
  const [a = '', b = '', c = ''] = ids;
  const versions = await Promise.all(ids.map(async (id) => (await detailOf(id)).status_version));
  for (const id of [
    'vc_00000000000000000000000000',
    'x',
    formatId<IdKind>('vulnerability', tenantUuid(tenant.id)),
  ]) {
    const answer = await assign({ assignee: 'me', vulnerabilities: [{ id: a }, { id }] });
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], id);
  }
  const foreign = await clientOf(server.app, elsewhere.people.admin.key).post(
    '/manage/v1/elsewhere/vulnerabilities/assignments',
    { assignee: 'me', vulnerabilities: [{ id: a }] },
  );
  assert.equal(foreign.status, 404);
  const stale = await assign({
    assignee: 'me',
    vulnerabilities: [
      { id: a, status_version: versions[0] },
      { id: b, status_version: '77' },
      { id: c, status_version: '' },
    ],
  });
  assert.deepEqual([stale.status, stale.body.code], [409, 'STATUS_VERSION_CONFLICT']);
  assert.deepEqual(stale.body.details, { current: { [b]: versions[1], [c]: versions[2] } });
  assert.deepEqual(await Promise.all(ids.map(assigneeOf)), [null, null, null]);
});

test('only a member can be the assignee', async () => {
  const { ids } = await createOpenVulnerabilities(1);
  const elsewhere = await createTestWorkspace(server, 'foreign');
  const service = await createTestWorkspaceKey(server, tenant, 'member');
  const user = await installTx(server.db, (tx) => createUser(tx, 'gone@acme.example', 'Gone', null));
  await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
  await server.owner.query('update user_account set disabled_at = now() where id = $1', [user.id]);
  const vulnerabilities = ids.map((id) => ({ id }));
  const others = [
    elsewhere.people.admin.user.email,
    formatId('user', elsewhere.people.admin.user.id),
    user.email,
    'nobody@nowhere.example',
    '',
  ];
  for (const assignee of others) {
    const answer = await assign({ assignee, vulnerabilities });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors as Json)], [422, ['assignee']], assignee);
  }
  const me = await assign({ assignee: 'me', vulnerabilities }, service.key);
  assert.deepEqual([me.status, Object.keys(me.body.errors as Json)], [422, ['assignee']]);
  succeeded(await assign({ assignee: people.viewer.user.email, vulnerabilities }, service.key));
});

test('only a member with the scope may assign', async () => {
  const { ids } = await createOpenVulnerabilities(1);
  const body = { assignee: 'me', vulnerabilities: ids.map((id) => ({ id })) };
  const viewer = await createTestKey(server, {
    userId: people.viewer.user.id,
    role: 'member',
    scopes: ['vulnerabilities:write'],
  });
  const reading = await createTestKey(server, {
    userId: people.admin.user.id,
    role: 'admin',
    scopes: ['vulnerabilities:read', 'scans:write'],
  });
  for (const { key } of [viewer, reading]) {
    const answer = await assign(body, key);
    assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
  }
});

test('an invalid body is refused on its field', async () => {
  const { ids } = await createOpenVulnerabilities(1);
  const vulnerabilities = ids.map((id) => ({ id }));
  const cases: [string, Json][] = [
    ['assignee', { vulnerabilities }],
    ['assignee', { assignee: 1, vulnerabilities }],
    ['vulnerabilities', { assignee: null }],
    ['vulnerabilities', { assignee: null, vulnerabilities: [] }],
    [
      'vulnerabilities',
      { assignee: null, vulnerabilities: Array.from({ length: 501 }, () => vulnerabilities[0]) },
    ],
    ['vulnerabilities.0.id', { assignee: null, vulnerabilities: [{}] }],
    [
      'vulnerabilities.0.status_version',
      { assignee: null, vulnerabilities: [{ id: ids[0], status_version: 1 }] },
    ],
    ['reason', { assignee: null, vulnerabilities, reason: 'x' }],
  ];
  for (const [field, body] of cases) {
    const answer = await assign(body);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors as Json)], [422, [field]], answer.text);
  }
});

test('500 are assigned at once, and unassigned again', async () => {
  const { repo, ids } = await createOpenVulnerabilities(500);
  const usedMs = processorMs();
  const startedAt = performance.now();
  const items = await assigned(ids, 'me');
  assert.equal(await totals(`repo=${repo}&assignee=me`), 500);
  const answer = await clientOf(server.app, people.member.key).post(undoPath, {
    vulnerabilities: items.map(({ id, status_version }) => ({ id, status_version })),
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await totals(`repo=${repo}&assignee=me`), 0);
  assert.ok(processorMs() - usedMs < 2_000, 'two writes of 500 rows');
  // Only the clock sees the time of PostgreSQL. The limit is wide, because the machine may be busy.
  assert.ok(performance.now() - startedAt < 60_000, 'two writes of 500 rows by the clock');
  await assertInvariants(server.owner);
});

test('a person whose membership is ending gets no assignment', async () => {
  const user = await installTx(server.db, (tx) => createUser(tx, 'leaver@acme.example', 'Leaver', null));
  await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
  const { ids } = await createOpenVulnerabilities(1);
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    await client.query('delete from member where user_id = $1', [user.id]);
    const waiting = assign({ assignee: user.email, vulnerabilities: ids.map((id) => ({ id })) });
    await untilLockWaits(server.owner);
    await client.query('commit');
    const answer = await waiting;
    assert.equal(answer.status, 422, answer.text);
  } finally {
    client.release();
  }
  assert.equal(await assigneeOf(ids[0] ?? ''), null);
});
