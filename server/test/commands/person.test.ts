/** Tests of a person's data: it can be exported in full and erased, while the record of their actions stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personColumns } from '../../src/db/tables.ts';
import { newId } from '../../src/domain/ids.ts';
import type { PersonRow } from '../../src/retention/person.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { createTestWorkspace, createTestWorkspaceKey, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const settings = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
await importAll(server, 'acme', [reportInput(trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0' }]))]);
const { admin, member } = acme.people;
const email = member.user.email;

const invited = await clientOf(server.app, other.people.admin.key).post('/manage/v1/other/invitations', {
  email,
  role: 'viewer',
});
assert.equal(invited.status, 201, invited.text);
const { items } = (
  await clientOf(server.app, admin.key).get<{ items: { id: string }[] }>('/api/v1/acme/vulnerabilities')
).body;
const vulnerability = `/api/v1/acme/vulnerabilities/${items[0]?.id}`;
for (const [key, assignee] of [
  [admin.key, email],
  [member.key, admin.user.email],
  [member.key, email],
] as const) {
  succeeded(await clientOf(server.app, key).patch(`${vulnerability}/assignment`, { assignee }));
}

const applicationId = newId();
await server.owner.query(
  `insert into application (tenant_id, id, name, name_key) values ($1, $2, 'Shop', 'shop')`,
  [acme.tenant.id, applicationId],
);
await server.owner.query(
  `insert into cra_notification (tenant_id, application_id, cve, aware_at, changed_by, changed_at)
   values ($1, $2, 'CVE-2030-1', now(), $3, now())`,
  [acme.tenant.id, applicationId, member.user.id],
);

// A tracker knows people by their address or their name, in its own case.
const trackerId = newId();
await server.owner.query(
  `insert into issue_tracker (tenant_id, id, name, kind, url, project, sealed, user_name, position, enabled)
   values ($1, $2, 'Tracker', 'jira', 'https://jira.example.com', 'GARDEN', '', $3, 0, false)`,
  [acme.tenant.id, trackerId, email.toUpperCase()],
);
for (const assignee of [email.toUpperCase(), member.user.name.toUpperCase(), 'Somebody else']) {
  await server.owner.query(
    `insert into linked_issue (tenant_id, id, tracker_id, repository_id, state, by_rule, issue_assignee, created_at)
     select $1, $2, $3, id, 'deleted', false, $4, now() from repository where tenant_id = $1 limit 1`,
    [acme.tenant.id, newId(), trackerId, assignee],
  );
}

const ofWorkspace = await createTestWorkspaceKey(server, acme.tenant, 'viewer');
await server.owner.query('update api_key set created_by = $2 where id = $1', [
  ofWorkspace.id,
  member.user.id,
]);

/** The tables in whose rows a text is. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await server.owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await server.owner.query(
      `select 1 from ${name} t where strpos(lower(t::text), lower($1)) > 0 limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

test('the export of a person has all that is stored of them, without credentials', async () => {
  const { code, stdout, stderr } = await merlondHere(['user', 'export', email], settings);
  assert.equal(code, 0, stderr);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PersonRow);
  const places = new Set(rows.map(({ workspace, table }) => `${workspace ?? 'install'} ${table}`));
  for (const place of [
    'install user_account',
    'install api_key',
    'acme member',
    'acme vulnerability',
    'acme vulnerability_event',
    'acme audit_event',
    'acme cra_notification',
    'acme issue_tracker',
    'acme linked_issue',
    'other invitation',
  ]) {
    assert.ok(places.has(place), `${place} in ${[...places].join(', ')}`);
  }
  const keys = rows.filter(({ table }) => table === 'api_key').map(({ row }) => row.kind);
  assert.deepEqual(
    keys.sort(),
    ['personal', 'workspace'],
    'the own key, and the one that the person has made',
  );
  assert.equal(rows.filter(({ table }) => table === 'linked_issue').length, 2, 'the issues of the person');
  assert.doesNotMatch(stdout, /secret_sha256|"password"|"token"|"sealed"/);
  assert.doesNotMatch(stdout, new RegExp(admin.user.email));
  const unknown = await merlondHere(['user', 'export', 'nobody@acme.example'], settings);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /There is no user nobody@acme\.example/);
});

test('every column with the person of an action is in the list of columns that name a person', async () => {
  const { rows } = await server.owner.query<{ name: string }>(
    `select distinct column_name as name from information_schema.columns c
      where table_schema = 'public' and data_type = 'uuid' and column_name like '%\\_by' and exists (
              select 1 from information_schema.columns t
               where t.table_schema = 'public' and t.table_name = c.table_name and t.column_name = 'tenant_id'
                 and t.table_name <> 'api_key')`,
  );
  const others = rows.map(({ name }) => name).filter((name) => !personColumns.has(name));
  assert.deepEqual(others, ['replaced_by'], 'a series');
});

test('an erased person is in no row by name or address, has no access, and their actions stay', async () => {
  const unconfirmed = await merlondHere(['user', 'erase', email], settings);
  assert.equal(unconfirmed.code, 2);
  assert.ok((await tablesWith(email)).length > 0);
  const history = async () => {
    const { rows } = await server.owner.query(
      'select kind, count(*)::int as n from vulnerability_event group by 1 order by 1',
    );
    return new Map(rows.map(({ kind, n }) => [kind, n]));
  };
  const before = await history();
  const { code, stderr } = await merlondHere(['user', 'erase', email, '--yes'], settings);
  assert.equal(code, 0, stderr);
  assert.deepEqual(await tablesWith(email), []);
  assert.deepEqual(await tablesWith(member.user.name), []);
  assert.deepEqual(await tablesWith('Somebody else'), ['linked_issue']);
  const answer = await clientOf(server.app, member.key).get(vulnerability);
  // The key is remembered for a second.
  assert.ok([401, 403].includes(answer.status), answer.text);
  const now = await clientOf(server.app, admin.key).get<{ assignee: unknown }>(vulnerability);
  assert.equal(now.body.assignee, null, 'nobody is assigned any more');
  assert.match(now.text, /Erased user/, 'the history says that somebody acted');
  assert.equal((await history()).get('assigned'), before.get('assigned'));
  await assertInvariants(server.owner);
  const again = await merlondHere(['user', 'erase', email, '--yes'], settings);
  assert.equal(again.code, 3);
  const made = await merlondHere(['user', 'create', email, '--name', 'Another', '--json'], settings);
  assert.equal(made.code, 0, made.stderr);
});
