/** Tests of teams: permissions, refusals, and members who leave the workspace. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatId, type UserId } from '../../src/domain/ids.ts';
import { clientOf, type Schemas, succeeded } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const { admin, member, viewer } = acme.people;
const path = '/manage/v1/acme/teams';
const idOf = (person: { user: { id: UserId } }): string => formatId('user', person.user.id);

type Team = Schemas['TeamDetail'];

let session: SessionClient;
before(async () => {
  session = await signInAs(server, admin.user.id);
});

async function make(body: object): Promise<Team> {
  return succeeded(await session.post<Team>(path, body), 201);
}

async function errorOn(field: string, body: object): Promise<string> {
  const answer = await session.post<{ details: { errors: Record<string, string[]> } }>(path, body);
  assert.equal(answer.status, 422, answer.text);
  return answer.body.details.errors[field]?.join(' ') ?? assert.fail(answer.text);
}

const listed = async (): Promise<Team[]> => (await session.get<{ items: Team[] }>(path)).body.items;

test('an admin creates, changes and deletes a team with members and names; each is in the audit log', async () => {
  const team = await make({
    name: 'Payments',
    owner_names: ['@Acme/Payments', '@acme/payments'],
    members: [member.user.email.toUpperCase(), idOf(admin), idOf(member)],
  });
  assert.deepEqual(team.owner_names, ['@acme/payments']);
  assert.deepEqual(team.members.map(({ id }) => id).toSorted(), [idOf(admin), idOf(member)].toSorted());
  assert.equal(team.is_mine, true);
  const { members: _, groups, ...item } = team;
  assert.deepEqual(groups, []);
  assert.deepEqual(await listed(), [item]);
  const { body: changed } = await session.patch<Team>(`${path}/${team.id}`, {
    name: 'Billing',
    members: [idOf(member)],
  });
  assert.deepEqual(
    [changed.name, changed.owner_names, changed.members_count, changed.is_mine],
    ['Billing', ['@acme/payments'], 1, false],
  );
  assert.equal((await session.delete(`${path}/${team.id}`)).status, 204);
  assert.equal((await session.delete(`${path}/${team.id}`)).status, 404);
  const { body: log } = await session.get<{ items: { action: string; target: { type: string } }[] }>(
    '/manage/v1/acme/audit?limit=3',
  );
  assert.deepEqual(fieldOf(log.items, 'action'), ['team.delete', 'team.change', 'team.create']);
});

describe('a team is refused with 422', () => {
  test('for the name of another team, in another case', async () => {
    const team = await make({ name: 'Web' });
    assert.match(await errorOn('name', { name: 'WEB' }), /already a team/);
    const second = await make({ name: 'Mobile' });
    assert.equal((await session.patch(`${path}/${second.id}`, { name: 'web' })).status, 422);
    await session.delete(`${path}/${team.id}`);
    await session.delete(`${path}/${second.id}`);
  });

  test('for the name "mine", which a filter uses for the teams of the caller', async () => {
    assert.match(await errorOn('name', { name: ' Mine ' }), /teams of the caller/);
    const team = await make({ name: 'Mines' });
    assert.equal((await session.patch(`${path}/${team.id}`, { name: 'mine' })).status, 422);
    await session.delete(`${path}/${team.id}`);
  });

  test('for a name in CODEOWNERS files that another team has, or that is an address', async () => {
    const team = await make({ name: 'Web', owner_names: ['@acme/web'] });
    assert.match(await errorOn('owner_names', { name: 'Site', owner_names: ['@ACME/web'] }), /@acme\/web/);
    assert.match(await errorOn('owner_names', { name: 'Site', owner_names: ['web@acme.example'] }), /@/);
    assert.deepEqual(fieldOf(await listed(), 'name'), ['Web'], 'nothing of it stays');
    await session.delete(`${path}/${team.id}`);
  });

  test('for a member of another workspace, a stranger, and a service user', async () => {
    for (const who of [idOf(other.people.member), other.people.member.user.email, 'nobody@nowhere.example']) {
      assert.match(
        await errorOn('members', { name: 'Mixed', members: [who] }),
        /^Must be a member of the workspace\.$/,
      );
    }
    assert.deepEqual(await listed(), []);
  });
});

test('a viewer sees the teams and not their members, and only an admin changes them', async () => {
  const team = await make({ name: 'Web', members: [idOf(viewer)] });
  const asViewer = clientOf(server.app, viewer.key);
  const { body } = await asViewer.get<{ items: Team[] }>(path);
  assert.deepEqual(fieldsOf(body.items, 'name', 'is_mine'), [['Web', true]]);
  assert.equal((await asViewer.get(`${path}/${team.id}`)).status, 403);
  const asMember = clientOf(server.app, member.key);
  assert.equal((await asMember.get(`${path}/${team.id}`)).status, 200);
  const { key } = await createTestKey(server, {
    userId: member.user.id,
    role: 'member',
    scopes: ['vulnerabilities:read'],
  });
  assert.equal((await clientOf(server.app, key).get(path)).status, 200);
  for (const client of [asViewer, asMember]) {
    assert.equal((await client.patch(`${path}/${team.id}`, { name: 'Mine' })).status, 403);
  }
  const foreign = await signInAs(server, other.people.admin.user.id);
  assert.equal((await foreign.patch(`/manage/v1/other/teams/${team.id}`, { name: 'Mine' })).status, 404);
  await session.delete(`${path}/${team.id}`);
});

test('a member who leaves the workspace leaves its teams', async () => {
  const team = await make({ name: 'Web', members: [idOf(viewer), idOf(admin)] });
  assert.equal((await session.delete(`/manage/v1/acme/members/${idOf(viewer)}`)).status, 204);
  const { body } = await session.get<Team>(`${path}/${team.id}`);
  assert.deepEqual(fieldOf(body.members, 'id'), [idOf(admin)]);
  await session.delete(`${path}/${team.id}`);
});

test('a workspace has at most 500 teams', async () => {
  await server.owner.query(
    `insert into team (tenant_id, id, name, name_key)
     select $1, gen_random_uuid(), 'Team ' || n, 'team ' || n from generate_series(1, 500) n`,
    [acme.tenant.id],
  );
  const answer = await session.post(path, { name: 'One more' });
  assert.equal(answer.status, 409, answer.text);
  await server.owner.query('delete from team where tenant_id = $1', [acme.tenant.id]);
});
