/** Tests of workspaces at the console: the list of a person, creating one, and its settings. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { renameWorkspace } from '../../src/access/workspaces/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatTenantId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/http/principal.ts';
import { clientOf, type Json, refused, type Schemas, send, succeeded } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const server = await createTestServer({
  MERLON_PUBLIC_URL: 'http://localhost',
  MERLON_OIDC_ISSUER: 'https://id.acme.example',
  MERLON_OIDC_CLIENT_ID: 'merlon',
  MERLON_OIDC_CLIENT_SECRET: 'not to be shown',
  MERLON_OIDC_NAME: 'Acme ID',
  MERLON_KEEP_REPORTS_DAYS: '3',
});
const { app, db } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const base = '/manage/v1/acme/settings';
const sessions = {} as Record<Role | 'operator', SessionClient>;

before(async () => {
  for (const role of ['admin', 'member', 'viewer'] as const) {
    sessions[role] = await signInAs(server, acme.people[role].user.id);
  }
  const operator = await installTx(db, (tx) =>
    createUser(tx, 'operator@acme.example', 'Op', null, { operator: true }),
  );
  sessions.operator = await signInAs(server, operator.id);
});

type Workspaces = Schemas['MemberWorkspaceList'];

test('a person’s workspaces are listed by name, each with its own numbers', async () => {
  const packages = (count: number) =>
    trivy(
      Array.from({ length: count }, (_, i) => ({ id: `CVE-2031-${i}`, name: `lib-${i}`, version: '1.0.0' })),
    );
  await importAll(server, 'acme', [
    reportInput(packages(3)),
    reportInput(packages(2), { repository: 'acme/second' }),
  ]);
  await importAll(server, 'other', [reportInput(packages(4))]);
  const { user } = acme.people.member;
  const shown = async () => (await sessions.member.get<Workspaces>('/console/workspaces')).body;
  const first = {
    id: formatTenantId(acme.tenant.id),
    slug: 'acme',
    workspace: 'Workspace acme',
    role: 'member',
    repositories: 2,
    open: 5,
  };
  assert.deepEqual(await shown(), { items: [first], may_create: false });
  await tenantTx(db, other.tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  assert.deepEqual((await shown()).items, [
    first,
    {
      id: formatTenantId(other.tenant.id),
      slug: 'other',
      workspace: 'Workspace other',
      role: 'viewer',
      repositories: 1,
      open: 4,
    },
  ]);
  assert.deepEqual((await sessions.operator.get<Workspaces>('/console/workspaces')).body, {
    items: [],
    may_create: true,
  });
  const byKey = await send(app, {
    path: '/console/workspaces',
    authorization: `Bearer ${acme.people.admin.key}`,
  });
  refused(byKey, 401, 'AUTHENTICATION_REQUIRED');
});

test('only an operator may create a workspace, and becomes its first admin', async () => {
  const body = { slug: 'fresh', name: ' Fresh  start ' };
  for (const role of ['admin', 'member', 'viewer'] as const) {
    refused(await sessions[role].post('/console/workspaces', body), 403, 'TOKEN_ABILITY_DENIED');
  }
  const answer = await sessions.operator.post<Workspaces['items'][number]>('/console/workspaces', body);
  assert.equal(answer.status, 201, answer.text);
  const { id, ...rest } = answer.body;
  assert.match(id, /^t_/);
  assert.deepEqual(rest, {
    slug: 'fresh',
    workspace: 'Fresh  start',
    role: 'admin',
    repositories: 0,
    open: 0,
  });
  assert.equal((await sessions.operator.get('/manage/v1/fresh/settings')).status, 200);
  const { body: audit } = await sessions.operator.get<{ items: { action: string; request_id: string }[] }>(
    '/manage/v1/fresh/audit',
  );
  assert.deepEqual(fieldsOf(audit.items, 'action', 'request_id'), [
    ['member.set', answer.headers['x-request-id']],
    ['workspace.create', answer.headers['x-request-id']],
  ]);
  // Every workspace has these settings from the beginning.
  const policies = await sessions.operator.get<{ items: unknown[] }>('/manage/v1/fresh/policies');
  assert.ok(policies.body.items.length > 0);
  refused(await sessions.admin.get('/manage/v1/fresh/settings'), 403, 'TOKEN_INVALID_FOR_TENANT');

  const before = await tenants();
  for (const slug of [
    'fresh',
    'acme',
    'tenants',
    'Fresh',
    '-a',
    'a-',
    'a b',
    'ä',
    '',
    'a'.repeat(41),
    '../x',
    null,
  ]) {
    const again = await sessions.operator.post('/console/workspaces', { slug, name: 'Again' });
    refused(again, 422, 'VALIDATION_FAILED', 'slug');
  }
  for (const name of ['', '  ', 'a\nb', '\u202egpj', 'n'.repeat(256), null]) {
    const again = await sessions.operator.post('/console/workspaces', { slug: 'again', name });
    refused(again, 422, 'VALIDATION_FAILED', 'name');
  }
  assert.equal(await tenants(), before);
});

async function tenants(): Promise<number> {
  const { rows } = await server.owner.query<{ n: number }>('select count(*)::int as n from tenant');
  return rows[0]?.n ?? 0;
}

test('settings show the values of the workspace and the server, and no secret', async () => {
  const answer = await sessions.admin.get(base);
  assert.equal(answer.status, 200, answer.text);
  const { workspace, ...rest } = answer.body;
  const { created_at: createdAt, ...named } = workspace as Json;
  assert.match(String(createdAt), /^20.*Z$/);
  assert.deepEqual(named, {
    id: formatTenantId(acme.tenant.id),
    slug: 'acme',
    name: 'Workspace acme',
    new_repositories: 'any',
    tracked_branches: ['release/*', 'releases/*', 'hotfix/*', 'support/*'],
    forges: [],
    advisory_matching: 'on',
    exposed_environments: [],
    assign_owners: 'off',
  });
  assert.deepEqual(rest, {
    retention: { keep_reports_days: 3, active_days: 30 },
    limits: {
      requests_per_minute: 0,
      uploads_per_minute: 60,
      max_upload_mb: 100,
      max_inflated_mb: 256,
      max_findings: 250_000,
    },
    oidc: { name: 'Acme ID', issuer: 'https://id.acme.example', client_id: 'merlon' },
    intel: { kev: null, epss: null, osv: null, ssvc: null },
  });
  assert.ok(!answer.text.includes('not to be shown'));
});

test('a new name of a workspace is shown everywhere and audited', async () => {
  const answer = await sessions.admin.patch<{ workspace: Json }>(base, { name: '  Acme & Söhne ' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.workspace.name, 'Acme & Söhne');
  // The look-up of a slug may be a second old.
  await sleep(1000);
  const whoami = await send(app, {
    path: '/api/v1/acme/whoami',
    authorization: `Bearer ${acme.people.viewer.key}`,
  });
  assert.equal((whoami.body.tenant as Json).workspace, 'Acme & Söhne');
  const changes = async () =>
    (await sessions.admin.get<{ items: Json[] }>('/manage/v1/acme/audit?action=workspace.change')).body.items;
  const [event] = await changes();
  assert.deepEqual(event?.data, { name: { from: 'Workspace acme', to: 'Acme & Söhne' } });
  assert.equal(event?.request_id, answer.headers['x-request-id']);
  await sessions.admin.patch(base, { name: 'Acme & Söhne' });
  assert.equal((await changes()).length, 1, 'the same again is no change');
  for (const name of ['', '\t', 'a\u0000b', 'a\u2067b', 'n'.repeat(256), 7, null]) {
    refused(await sessions.admin.patch(base, { name }), 422, 'VALIDATION_FAILED', 'name');
  }
  refused(await sessions.admin.patch(base, { slug: 'mine' }), 422, 'VALIDATION_FAILED');
});

test('only admins may change settings, by session or by a key with the scope', async () => {
  for (const role of ['member', 'viewer'] as const) {
    refused(await sessions[role].get(base), 403, 'TOKEN_ABILITY_DENIED');
    refused(await sessions[role].patch(base, { name: 'Mine' }), 403, 'TOKEN_ABILITY_DENIED');
  }
  const stranger = await signInAs(server, other.people.admin.user.id);
  refused(await stranger.get(base), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await stranger.patch(base, { name: 'Mine' }), 403, 'TOKEN_INVALID_FOR_TENANT');
  refused(await sessions.operator.get(base), 403, 'TOKEN_INVALID_FOR_TENANT');
  const weak = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['policies:write'],
  });
  refused(await clientOf(app, weak.key).patch(base, { name: 'Mine' }), 403, 'TOKEN_ABILITY_DENIED');
  assert.equal((await clientOf(app, acme.people.admin.key).patch(base, { name: 'Acme' })).status, 200);
  // The caller is an admin when the request arrives, and not any more when it is carried out.
  const principal = principalAs(other, 'admin');
  await tenantTx(db, other.tenant.id, (tx) => addMember(tx, principal.user.id, 'member'));
  await assert.rejects(
    tenantTx(db, other.tenant.id, (tx) => renameWorkspace(tx, principal, 'Late')),
    { code: 'TOKEN_ABILITY_DENIED' },
  );
});

test('an admin sets which repositories a report may create, and the change is audited once', async () => {
  const set = (which: unknown) =>
    sessions.admin.patch<{ workspace: Json }>(base, { new_repositories: which });
  for (const which of ['everything', '', null]) refused(await set(which), 422, 'VALIDATION_FAILED');
  for (let times = 0; times < 2; times++) {
    const body = succeeded(await set('never'));
    assert.equal(body.workspace.new_repositories, 'never');
  }
  const { rows } = await server.owner.query<{ data: Json }>(
    `select data from audit_event where tenant_id = $1 and data ? 'new_repositories'`,
    [acme.tenant.id],
  );
  assert.deepEqual(fieldOf(rows, 'data'), [{ new_repositories: { from: 'any', to: 'never' } }]);
  assert.equal((await set('any')).status, 200);
});

test('an admin adds forges, which every member reads; invalid addresses are refused, and each change is audited', async () => {
  const forges = [
    { url: 'https://git.acme.example', kind: 'gitlab', organization: null },
    { url: 'https://git.acme.example:8443/gitea', kind: 'gitea', organization: 'acme/Tools' },
  ];
  const set = (to: unknown) => sessions.admin.patch<{ workspace: Json }>(base, { forges: to });
  for (let times = 0; times < 2; times++) {
    const answer = await set([
      { url: ' HTTPS://GIT.acme.example/ ', kind: 'gitlab' },
      { url: 'https://git.acme.example:8443/gitea/', kind: 'gitea', organization: ' acme/Tools ' },
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.workspace.forges, forges);
  }
  for (const url of [
    '',
    'git.acme.example',
    'http://git.acme.example',
    'javascript:alert(1)',
    'https://',
    'https://user@git.acme.example',
    'https://github.com@evil.example',
    'https://git.acme.example:99999',
    'https://git.acme.example:443@evil.example',
    'https://git.acme.example?x',
    'https://git.acme.example/#x',
    'https://git.acme.example\\@evil.example',
    'https://git.\u202eelpmaxe.example',
    'https://gít.example',
    'https://git.acme.example/a b',
    'https://git.acme.example/%2e%2e',
    `https://${'a'.repeat(250)}.example`,
  ]) {
    refused(await set([{ url, kind: 'gitlab' }]), 422, 'VALIDATION_FAILED');
  }
  const one = forges[0];
  for (const odd of [
    [{ ...one, kind: 'svn' }],
    [{ ...one, extra: 1 }],
    [{ ...one, organization: 'a\u0000' }],
    [one, { ...one, url: 'https://second.example' }],
    Array.from({ length: 51 }, (_, i) => ({ ...one, organization: `org-${i}` })),
    null,
  ]) {
    refused(await set(odd), 422, 'VALIDATION_FAILED');
  }
  const seen = await clientOf(app, acme.people.viewer.key).get('/manage/v1/acme/forges');
  assert.deepEqual(seen.body, { items: forges });
  const theirs = await clientOf(app, other.people.viewer.key).get('/manage/v1/other/forges');
  assert.deepEqual(theirs.body, { items: [] });
  refused(await sessions.member.patch(base, { forges: [] }), 403, 'TOKEN_ABILITY_DENIED');
  assert.equal((await set([])).status, 200);
  const { rows } = await server.owner.query<{ data: Json }>(
    `select data from audit_event where tenant_id = $1 and data ? 'forges' order by id`,
    [acme.tenant.id],
  );
  assert.deepEqual(fieldOf(rows, 'data'), [
    { forges: { from: [], to: forges } },
    { forges: { from: forges, to: [] } },
  ]);
});
