/**
 * Tests of applications that people create and change: permissions, refusals, and the evaluation of policies
 * afterwards.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatId, newId, type RepositoryId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/http/principal.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { clientOf, type Json, refused, type Schemas } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const base = '/manage/v1/acme/applications';
const sessions = {} as Record<Role, SessionClient>;
const report = (repository: string) =>
  reportInput(trivy([{ id: 'CVE-2031-1', name: 'lodash', version: '1.0.0' }]), { repository });
await importAll(server, 'acme', [report('acme/shop'), report('acme/api'), report('acme/Web')]);
await importAll(server, 'other', [report('other/theirs')]);
const repositories = new Map<string, string>();

before(async () => {
  for (const role of ['admin', 'member', 'viewer'] as const) {
    sessions[role] = await signInAs(server, acme.people[role].user.id);
  }
  const { rows } = await server.owner.query<{ id: RepositoryId; full_name: string }>(
    'select id, full_name from repository',
  );
  for (const row of rows) repositories.set(row.full_name, formatId('repository', row.id));
});

type Application = Schemas['ApplicationDetail'];

const idOf = (name: string): string => repositories.get(name) ?? assert.fail(name);
const make = (body: Json, client: Pick<SessionClient, 'post'> = sessions.admin) =>
  client.post<Application>(base, body);

let made = 0;
async function application(...names: string[]): Promise<Application> {
  const answer = await make({ name: `Application ${++made}` });
  assert.equal(answer.status, 201, answer.text);
  if (names.length === 0) return answer.body;
  const grouped = await group(answer.body.id, names);
  assert.equal(grouped.status, 200, grouped.text);
  return grouped.body;
}

const group = (id: string, names: string[], client: Pick<SessionClient, 'put'> = sessions.admin) =>
  client.put<Application>(`${base}/${id}/repositories`, { repositories: names.map(idOf) });
const show = (id: string, client: Pick<SessionClient, 'get'> = sessions.viewer) =>
  client.get<Application>(`/console/api/v1/acme/applications/${id}`);

async function events(action: string): Promise<Json[]> {
  const answer = await sessions.admin.get<{ items: Json[] }>(`/manage/v1/acme/audit?action=${action}`);
  return answer.body.items;
}

test('an application is created, shown, changed, filled and deleted, and each change is audited with its request', async () => {
  const answer = await make({ name: ' Storefront ', description: 'The shop\nand its API' });
  assert.equal(answer.status, 201, answer.text);
  const { id, created_at: createdAt, updated_at: _, ...rest } = answer.body;
  assert.deepEqual(rest, {
    name: 'Storefront',
    description: 'The shop\nand its API',
    is_product: false,
    owner: null,
    repositories: [],
  });
  assert.deepEqual((await show(id)).body, answer.body);

  const changed = await sessions.admin.patch<Application>(`${base}/${id}`, { name: 'Shopfront' });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.name, 'Shopfront');
  assert.equal(changed.body.description, 'The shop\nand its API');
  assert.equal(changed.body.created_at, createdAt);
  const cleared = await sessions.admin.patch<Application>(`${base}/${id}`, { description: null });
  assert.equal(cleared.body.description, null);
  assert.equal((await sessions.admin.patch(`${base}/${id}`, {})).status, 200);
  // A name that differs only in case is the same name, so the application may take its own.
  assert.equal((await sessions.admin.patch(`${base}/${id}`, { name: 'shopFRONT' })).status, 200);

  const grouped = await group(id, ['acme/shop', 'acme/Web', 'acme/shop']);
  assert.deepEqual(grouped.body.repositories, [
    { id: idOf('acme/shop'), full_name: 'acme/shop' },
    { id: idOf('acme/Web'), full_name: 'acme/Web' },
  ]);
  const regrouped = await group(id, ['acme/api', 'acme/shop']);
  assert.deepEqual(fieldOf(regrouped.body.repositories, 'full_name'), ['acme/api', 'acme/shop']);
  assert.equal((await group(id, ['acme/shop', 'acme/api'])).status, 200);

  const deleted = await sessions.admin.delete(`${base}/${id}`);
  assert.equal(deleted.status, 204, deleted.text);
  refused(await show(id), 404, 'RESOURCE_NOT_FOUND');
  assert.equal((await sessions.viewer.get('/console/api/v1/acme/repositories')).status, 200);

  const [created] = await events('application.create');
  assert.deepEqual(created?.data, { name: 'Storefront', description: 'The shop\nand its API' });
  assert.equal(created?.request_id, answer.headers['x-request-id']);
  const changes = await events('application.change');
  assert.deepEqual(
    changes.map(({ data }) => (data as { to: Json }).to),
    [
      { name: 'shopFRONT', description: null },
      { name: 'Shopfront', description: null },
      { name: 'Shopfront', description: 'The shop\nand its API' },
    ],
  );
  assert.deepEqual(fieldOf(await events('application.repositories'), 'data'), [
    { added: ['acme/api'], removed: ['acme/Web'] },
    { added: ['acme/Web', 'acme/shop'], removed: [] },
  ]);
  const [gone] = await events('application.delete');
  assert.deepEqual(gone?.data, { name: 'shopFRONT', repositories: 2 });
  assert.deepEqual(gone?.target, { type: 'application', id, name: null });
});

test('a name belongs to one application, whatever its case', async () => {
  const [first, second] = [await application(), await application()];
  refused(await make({ name: first.name.toUpperCase() }), 422, 'VALIDATION_FAILED', 'name');
  refused(
    await sessions.admin.patch(`${base}/${second.id}`, { name: first.name.toLowerCase() }),
    422,
    'VALIDATION_FAILED',
    'name',
  );
  assert.equal((await show(second.id)).body.name, second.name);
  const answers = await Promise.all([1, 2, 3].map(() => make({ name: 'At once' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
});

test('control characters in texts are refused', async () => {
  for (const name of ['', ' ', 'a\nb', 'a\u202eb', 'n'.repeat(256), null]) {
    refused(await make({ name }), 422, 'VALIDATION_FAILED', 'name');
  }
  for (const description of ['a\u0007b', 'a\u2068b', 'd'.repeat(2001), 7]) {
    refused(await make({ name: 'Described', description }), 422, 'VALIDATION_FAILED', 'description');
  }
  refused(await make({ name: 'x', repositories: [] }), 422, 'VALIDATION_FAILED', 'repositories');
});

test('an unknown repository is refused, and then nothing changes', async () => {
  const { id } = await application('acme/shop');
  const put = (list: unknown[]) =>
    sessions.admin.put(`${base}/${id}/repositories`, { repositories: [idOf('acme/api'), ...list] });
  const foreign = await put([idOf('other/theirs')]);
  refused(foreign, 422, 'VALIDATION_FAILED', 'repositories');
  const unknown = formatId('repository', newId());
  const nobody = await put([unknown]);
  assert.equal(foreign.text.replaceAll(idOf('other/theirs'), '…'), nobody.text.replaceAll(unknown, '…'));
  for (const wrong of ['acme/shop', 'repo_x', '']) {
    refused(await put([wrong]), 422, 'VALIDATION_FAILED', 'repositories');
  }
  assert.deepEqual((await show(id)).body.repositories, [{ id: idOf('acme/shop'), full_name: 'acme/shop' }]);
});

test('writing needs the role admin, and reading needs applications:read', async () => {
  const { id } = await application('acme/shop');
  const weak = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['applications:read', 'policies:write'],
  });
  const stranger = await signInAs(server, other.people.admin.user.id);
  for (const [client, code] of [
    [sessions.member, 'TOKEN_ABILITY_DENIED'],
    [sessions.viewer, 'TOKEN_ABILITY_DENIED'],
    [clientOf(app, weak.key), 'TOKEN_ABILITY_DENIED'],
    [stranger, 'TOKEN_INVALID_FOR_TENANT'],
  ] as const) {
    refused(await make({ name: 'Mine' }, client), 403, code);
    refused(await client.patch(`${base}/${id}`, { name: 'Mine' }), 403, code);
    refused(await group(id, [], client), 403, code);
    if ('delete' in client) refused(await client.delete(`${base}/${id}`), 403, code);
  }
  const theirs = '/manage/v1/other/applications';
  refused(await stranger.patch(`${theirs}/${id}`, { name: 'Mine' }), 404, 'RESOURCE_NOT_FOUND');
  refused(await stranger.delete(`${theirs}/${id}`), 404, 'RESOURCE_NOT_FOUND');
  refused(
    await stranger.put(`${theirs}/${id}/repositories`, { repositories: [] }),
    404,
    'RESOURCE_NOT_FOUND',
  );
  refused(await stranger.get(`/console/api/v1/other/applications/${id}`), 404, 'RESOURCE_NOT_FOUND');
  const reading = clientOf(app, weak.key);
  assert.equal((await reading.get(`/api/v1/acme/applications/${id}`)).status, 200);
  for (const nobody of [formatId('application', newId()), 'app_x', 'Application 1', idOf('acme/shop')]) {
    refused(await show(encodeURIComponent(nobody)), 404, 'RESOURCE_NOT_FOUND');
    refused(await sessions.admin.delete(`${base}/${encodeURIComponent(nobody)}`), 404, 'RESOURCE_NOT_FOUND');
  }
  assert.equal((await make({ name: 'By key' }, clientOf(app, acme.people.admin.key))).status, 201);
});

test('policies follow the repositories of an application, and an application in a rule cannot be deleted', async () => {
  const { id, name } = await application('acme/shop');
  await applyAndEvaluate(
    server,
    acme.tenant.id,
    `
policies:
  - key: grouped
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '>=', value: low}]}
    rules: [{type: application, id: ${id}}]
  - key: named
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: application, operator: contains, value: '${name}'}]}
`,
  );
  const listed = async (): Promise<string[]> => {
    await sweepViolations(db, acme.tenant.id, new Date());
    const { rows } = await server.owner.query<{ text: string }>(
      `select p.key || ' ' || r.full_name as text from policy_violation v
         join policy p on p.id = v.policy_id join repository r on r.id = v.repository_id
        where v.tenant_id = $1 and v.resolved_at is null order by 1`,
      [acme.tenant.id],
    );
    return rows.map((row) => row.text);
  };
  assert.deepEqual(await listed(), ['grouped acme/shop', 'named acme/shop']);
  await group(id, ['acme/api', 'acme/shop']);
  assert.deepEqual(await listed(), [
    'grouped acme/api',
    'grouped acme/shop',
    'named acme/api',
    'named acme/shop',
  ]);
  await group(id, ['acme/api']);
  assert.deepEqual(await listed(), ['grouped acme/api', 'named acme/api']);
  // The rule refers to the application by its id, the condition by its name.
  await sessions.admin.patch(`${base}/${id}`, { name: 'Called otherwise' });
  assert.deepEqual(await listed(), ['grouped acme/api']);

  const kept = await sessions.admin.delete(`${base}/${id}`);
  refused(kept, 409, 'INVALID_TRANSITION');
  assert.match(String(kept.body.message), /grouped/);
  assert.deepEqual(await listed(), ['grouped acme/api']);
  await sessions.admin.put('/manage/v1/acme/policies/grouped', {
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    condition: { all: [{ fact: 'severity', operator: '>=', value: 'low' }] },
    rules: [{ type: 'repo', id: 'acme/Web' }],
  });
  assert.equal((await sessions.admin.delete(`${base}/${id}`)).status, 204);
});

test('a member owns an application until the membership ends; strangers are refused', async () => {
  const { member, admin } = acme.people;
  const { body: made } = await make({ name: 'Owned', owner: 'me' });
  assert.equal(made.owner?.id, formatId('user', admin.user.id));
  const set = (owner: unknown) => sessions.admin.patch<Application>(`${base}/${made.id}`, { owner });
  for (const text of [formatId('user', member.user.id), member.user.email.toUpperCase()]) {
    const answer = await set(text);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.owner, {
      id: formatId('user', member.user.id),
      display_name: member.user.name,
      email: member.user.email,
    });
  }
  const stranger = other.people.admin.user;
  for (const text of [
    formatId('user', stranger.id),
    stranger.email,
    formatId('user', newId()),
    'nobody',
    '',
  ]) {
    refused(await set(text), 422, 'VALIDATION_FAILED', 'owner');
    refused(await make({ name: 'Never', owner: text }), 422, 'VALIDATION_FAILED', 'owner');
  }
  // Fields that the request leaves out keep their values.
  assert.equal((await sessions.admin.patch(`${base}/${made.id}`, { description: 'Said' })).status, 200);
  const counts = async () =>
    (
      await sessions.viewer.get<{ items: Json[] }>(`/console/api/v1/acme/application-counts?ids=${made.id}`)
    ).body.items.map(({ owner }) => (owner as Json | null)?.display_name ?? null);
  assert.deepEqual(await counts(), [member.user.name]);
  const changes = (await events('application.change')).filter(
    ({ data }) => 'owner' in (data as { to: Json }).to,
  );
  assert.deepEqual(
    changes.map(({ data }) => [(data as { from: Json }).from.owner, (data as { to: Json }).to.owner]),
    [[formatId('user', admin.user.id), formatId('user', member.user.id)]],
  );
  const ended = await sessions.admin.delete(`/manage/v1/acme/members/${formatId('user', member.user.id)}`);
  assert.equal(ended.status, 204, ended.text);
  assert.deepEqual(await counts(), [null]);
  const { rows } = await server.owner.query('select name, owner_id from application where name_key = $1', [
    'owned',
  ]);
  assert.deepEqual(rows, [{ name: 'Owned', owner_id: null }]);
});
