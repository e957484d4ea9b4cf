/** Tests of teams that are filled from the groups of the identity provider: a real one, over loopback. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { oidcCallbackPath } from '../../src/access/sign-in/identity.ts';
import { providerGroupsOf } from '../../src/access/sign-in/provider-groups.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatId } from '../../src/domain/ids.ts';
import { applyGroups } from '../../src/inventory/teams/group-members.ts';
import type { Answer, Json, Schemas } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { groupsClaim, startIdentityProvider } from '../support/identity-provider.ts';
import { oidcBrowser } from '../support/oidc-browser.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs as atConsole } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const home = 'http://merlon.acme.example';
const provider = await startIdentityProvider(`${home}${oidcCallbackPath}`);
after(() => provider.close());
const server = await createTestServer({
  MERLON_PUBLIC_URL: home,
  ...provider.settings,
  MERLON_OIDC_GROUPS_CLAIM: groupsClaim,
});
const { app, db, owner } = server;
const { signInAs } = oidcBrowser(app, home, provider);
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const strange = await createTestWorkspace(server, 'strange');

let people = 0;
/** A person at the provider who is a member of these workspaces. */
async function person(...workspaces: (typeof acme)[]) {
  const email = `person-${++people}@acme.example`;
  const user = await installTx(db, (tx) => createUser(tx, email, `Person ${people}`, null));
  for (const { tenant } of workspaces)
    await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
  const identity = { sub: `person-${people}`, email, email_verified: true, name: `Person ${people}` };
  return {
    id: formatId('user', user.id),
    user,
    /** Signs in; without `groups` the provider does not send the claim. */
    signIn: async (groups?: unknown) => {
      const sent = { ...identity, ...(groups === undefined ? {} : { [groupsClaim]: groups }) };
      const { session, location } = await signInAs(sent);
      assert.equal(session.signed_in, true, location);
    },
  };
}

type Team = Schemas['TeamDetail'];

async function sendRequest(
  workspace: typeof acme,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: Json,
) {
  const admin = await atConsole(server, workspace.people.admin.user.id);
  const answer: Answer<Team> = await admin.send({
    method,
    path: `/manage/v1/${workspace.tenant.slug}/teams${path}`,
    headers: { origin: home },
    ...(body ? { body } : {}),
  });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

let teams = 0;
const makeTeam = (groups: string[], workspace = acme, members: string[] = []) =>
  sendRequest(workspace, 'POST', '', { name: `Team ${++teams}`, groups, members });
const membersOf = async (team: Team, workspace = acme) =>
  (await sendRequest(workspace, 'GET', `/${team.id}`)).members.map(({ id, group }) => [id, group]);

const audited = async (userId: string) =>
  (
    await owner.query<{ tenant_id: string; data: Json }>(
      `select tenant_id, data from audit_event where action = 'user.sync_teams' and target_id = $1 order by id`,
      [userId],
    )
  ).rows;

beforeEach(async () => {
  await owner.query('delete from team');
});

test('a sign-in adds to the teams of its groups and removes from others, in each workspace of the person, and audits it', async () => {
  const kim = await person(acme, other);
  const [web, mobile] = [await makeTeam(['web']), await makeTeam(['mobile', 'ios'])];
  const elsewhere = await makeTeam(['web'], other);
  await kim.signIn(['web', 'ios', 'unknown']);
  assert.deepEqual(await membersOf(web), [[kim.id, 'web']]);
  assert.deepEqual(await membersOf(mobile), [[kim.id, 'ios']]);
  assert.deepEqual(await membersOf(elsewhere, other), [[kim.id, 'web']]);
  await kim.signIn(['web', 'ios', 'unknown']);
  await kim.signIn(['mobile']);
  assert.deepEqual(await membersOf(web), []);
  assert.deepEqual(await membersOf(mobile), [[kim.id, 'mobile']]);
  assert.deepEqual(await membersOf(elsewhere, other), []);
  const inAcme = (await audited(kim.user.id)).filter(({ tenant_id: id }) => id === acme.tenant.id);
  assert.deepEqual(
    fieldOf(inAcme, 'data'),
    [{ added: [web.id, mobile.id].toSorted() }, { removed: [web.id] }],
    'a sign-in that changes nothing is not recorded',
  );
  assert.equal((await audited(kim.user.id)).length, 4);
});

test('a sign-in without the claim changes nothing, and one with an empty list removes', async () => {
  const kim = await person(acme);
  const team = await makeTeam(['web']);
  await kim.signIn('web');
  await kim.signIn();
  assert.deepEqual(await membersOf(team), [[kim.id, 'web']]);
  await kim.signIn([]);
  assert.deepEqual(await membersOf(team), []);
});

test('groups are read from the user info if the ID token has neither groups nor address', async () => {
  const kim = await person(acme);
  const team = await makeTeam(['web']);
  await kim.signIn([]);
  provider.idToken = ({ [groupsClaim]: _, email: __, ...claims }) => claims;
  await kim.signIn(['web']);
  assert.deepEqual(await membersOf(team), [[kim.id, 'web']]);
  provider.idToken = (claims) => claims;
});

test('a group makes nobody a member of a workspace, and a removed member stays out', async () => {
  const kim = await person(acme);
  const [here, there] = [await makeTeam(['web']), await makeTeam(['web'], strange)];
  await kim.signIn(['web']);
  assert.deepEqual(await membersOf(there, strange), []);
  const admin = await atConsole(server, acme.people.admin.user.id);
  const removed = await admin.send({
    method: 'DELETE',
    path: `/manage/v1/acme/members/${kim.id}`,
    headers: { origin: home },
  });
  assert.equal(removed.status, 204, removed.text);
  assert.deepEqual(await membersOf(here), []);
  await kim.signIn(['web']);
  assert.deepEqual(await membersOf(here), []);
  const { rows } = await owner.query('select 1 from member where user_id = $1', [kim.user.id]);
  assert.deepEqual(rows, []);
});

test('members whom an admin has chosen stay, and members by a group can be chosen and not removed by hand', async () => {
  const [kim, lee] = [await person(acme), await person(acme)];
  const team = await makeTeam(['web'], acme, [kim.id]);
  await kim.signIn(['web']);
  await lee.signIn(['web']);
  const both = [
    [kim.id, null],
    [lee.id, 'web'],
  ];
  assert.deepEqual(await membersOf(team), both);
  await kim.signIn([]);
  assert.deepEqual(await membersOf(team), both);
  await sendRequest(acme, 'PATCH', `/${team.id}`, { members: [] });
  assert.deepEqual(await membersOf(team), [[lee.id, 'web']]);
  await sendRequest(acme, 'PATCH', `/${team.id}`, { members: [lee.id] });
  assert.deepEqual(await membersOf(team), [[lee.id, null]]);
  assert.equal((await sendRequest(acme, 'GET', `/${team.id}`)).members_count, 1);
  await lee.signIn([]);
  assert.deepEqual(await membersOf(team), [[lee.id, null]]);
});

test('removing a group from a team removes its members, and the next sign-in adds those of another group', async () => {
  const kim = await person(acme);
  const team = await makeTeam(['apps', 'web']);
  await kim.signIn(['web', 'apps']);
  const [[, group] = []] = await membersOf(team);
  const left = group === 'web' ? 'apps' : 'web';
  const changed = await sendRequest(acme, 'PATCH', `/${team.id}`, { groups: [left] });
  assert.deepEqual([changed.groups, changed.members], [[left], []]);
  await kim.signIn(['web', 'apps']);
  assert.deepEqual(await membersOf(team), [[kim.id, left]]);
});

test('names of groups are compared exactly, with capitals and accents', async () => {
  const kim = await person(acme);
  const team = await makeTeam(['Admins', 'caf\u00e9']);
  await kim.signIn(['admins', 'ADMINS', 'cafe\u0301', 'Admins ', ' Admins', 'Admin', 'Admins\u0000']);
  assert.deepEqual(await membersOf(team), []);
  await kim.signIn(['Admins']);
  assert.deepEqual(await membersOf(team), [[kim.id, 'Admins']]);
});

test('a claim with 10,000 groups or of another form means no groups, and the person is signed in', async () => {
  const kim = await person(acme);
  const team = await makeTeam(['web']);
  const many = Array.from({ length: 9_999 }, (_, at) => `group-${at}`);
  for (const claim of [['web', ...many], { web: true }, ['web', 7], ['web', ['web']], null, 7]) {
    await kim.signIn(['web']);
    assert.equal((await membersOf(team)).length, 1);
    await kim.signIn(claim);
    assert.deepEqual(await membersOf(team), [], JSON.stringify(claim)?.slice(0, 40));
  }
});

test('a claim is read within limits', () => {
  const read = (groups: unknown) => providerGroupsOf({ groups }, 'groups');
  const thousand = Array.from({ length: 1_000 }, (_, at) => `group-${at}`);
  assert.deepEqual(read(thousand), { groups: thousand, isMalformed: false });
  assert.equal(read([...thousand, 'x']).isMalformed, true);
  assert.deepEqual(read(['a', 'a', 'x'.repeat(256), 'b\u0000', 'c\u202e']), {
    groups: ['a'],
    isMalformed: false,
  });
  assert.deepEqual(providerGroupsOf({}, 'toString'), { groups: undefined, isMalformed: false });
});

test('many sign-ins of one person, and a team that is deleted meanwhile, leave the teams of the last claim', async () => {
  const kim = await person(acme, other);
  const deleted = await makeTeam(['web']);
  const left = [await makeTeam(['web', 'ios']), await makeTeam(['web'], other)];
  const apply = (groups: string[]) => applyGroups(db, kim.user.id, groups, 'req-groups');
  const work = [1, 2, 3, 4].flatMap(() => [apply(['web']), apply(['ios']), apply([])]);
  await Promise.all([...work, sendRequest(acme, 'DELETE', `/${deleted.id}`)]);
  await apply(['web', 'ios']);
  const { rows } = await owner.query('select count(*)::int as count from team_member where user_id = $1', [
    kim.user.id,
  ]);
  assert.equal(rows[0]?.count, left.length);
});

test('groups of a team are bounded, checked, and shown to members alone', async () => {
  const admin = await atConsole(server, acme.people.admin.user.id);
  const post = (groups: unknown) =>
    admin.send({
      method: 'POST',
      path: '/manage/v1/acme/teams',
      headers: { origin: home },
      body: { name: `Team ${++teams}`, groups },
    });
  const twentyOne = Array.from({ length: 21 }, (_, at) => `g${at}`);
  for (const groups of [twentyOne, [''], [' '], ['x'.repeat(256)], ['a\u0007'], 'web', [7]]) {
    assert.equal((await post(groups)).status, 422, JSON.stringify(groups));
  }
  const team = await makeTeam(['web', ' web ', 'Web']);
  assert.deepEqual(team.groups, ['Web', 'web']);
  const viewer = await atConsole(server, acme.people.viewer.user.id);
  const list = await viewer.get('/manage/v1/acme/teams');
  assert.equal(list.status, 200);
  assert.ok(!list.text.includes('groups'));
});
