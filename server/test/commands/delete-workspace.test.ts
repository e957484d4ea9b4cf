/** Tests of deleting a workspace: access ends at once, no row is left, and other workspaces are not affected. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAccountEmail } from '../../src/access/users/service-account.ts';
import { newId } from '../../src/domain/ids.ts';
import { countWorkspace, deleteWorkspace } from '../../src/retention/delete-workspace.ts';
import { clientOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import {
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
  type TestWorkspace,
} from '../support/workspace.ts';

const server = await createTestServer();
const settings = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };
const packages = (from: number) =>
  Array.from({ length: 10 }, (_, i) => ({
    id: `CVE-2030-${1000 + from + i}`,
    name: `lib-${i}`,
    version: '1.0.0',
  }));

/** A workspace with rows in most tables. */
async function fill(slug: string): Promise<TestWorkspace & { ci: string }> {
  const made = await createTestWorkspace(server, slug);
  const { key: ci } = await createTestWorkspaceKey(server, made.tenant, 'member');
  await importAll(server, slug, [
    reportInput(trivy(packages(0))),
    reportInput(trivy(packages(5)), { ref: 'topic' }),
    reportInput(trivy(packages(5)), { repository: 'acme/group/deep/service' }),
  ]);
  await applyAndEvaluate(
    server,
    made.tenant.id,
    `{key: severe, target_type: vulnerability, enforcement_mode: block, condition: {all: [{fact: severity, operator: '>=', value: low}]}}`,
  );
  const admin = clientOf(server.app, made.people.admin.key);
  const invited = await admin.post(`/manage/v1/${slug}/invitations`, {
    email: `guest@${slug}.example`,
    role: 'viewer',
  });
  assert.equal(invited.status, 201, invited.text);
  return { ...made, ci };
}

/** The tables with rows of a tenant, those of keys included. */
async function tablesWithRows(tenantId: string): Promise<string[]> {
  const { rows } = await server.owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'tenant_id' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await server.owner.query(`select 1 from ${name} where tenant_id = $1 limit 1`, [
      tenantId,
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}

const statusOf = async (key: string, slug: string): Promise<number> =>
  (await clientOf(server.app, key).get(`/api/v1/${slug}/vulnerabilities`)).status;

/** The answer is 403 while a key is remembered, for a second, then 404. */
async function assertClosed(key: string, slug: string): Promise<void> {
  const status = await statusOf(key, slug);
  assert.ok([403, 404].includes(status), String(status));
}

test('a deleted workspace leaves no row, no access and no service account, and its slug is free', async () => {
  const acme = await fill('acme');
  const other = await fill('other');
  const otherClient = clientOf(server.app, other.people.admin.key);
  const before = await otherClient.get('/api/v1/other/vulnerabilities');
  const filled = await tablesWithRows(acme.tenant.id);
  assert.ok(filled.length >= 25, filled.join(' '));

  const unconfirmed = await merlondHere(['workspace', 'delete', 'acme'], settings);
  assert.equal(unconfirmed.code, 2);
  assert.match(
    unconfirmed.stderr,
    /acme has 2 repositories, \d+ vulnerabilities and 3 members: add --yes to delete it/,
  );
  assert.equal(await statusOf(acme.people.admin.key, 'acme'), 200, 'nothing is deleted without --yes');

  const { code, stderr, stdout } = await merlondHere(
    ['workspace', 'delete', 'acme', '--yes', '--json'],
    settings,
  );
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).rows > 100, stdout);
  assert.deepEqual(await tablesWithRows(acme.tenant.id), []);
  const { rows: accounts } = await server.owner.query(
    `select kind, count(*)::int as n from user_account where email like '%@acme.example' or kind = 'service' group by 1 order by 1`,
  );
  assert.deepEqual(accounts, [
    { kind: 'service', n: 1 },
    { kind: 'user', n: 3 },
  ]);
  await assertClosed(acme.people.admin.key, 'acme');
  assert.equal(await statusOf(acme.ci, 'acme'), 401);
  const after = await otherClient.get('/api/v1/other/vulnerabilities');
  assert.deepEqual(after.body, before.body);
  await assertInvariants(server.owner);

  const again = await merlondHere(['workspace', 'delete', 'acme', '--yes'], settings);
  assert.equal(again.code, 3);
  assert.match(again.stderr, /There is no workspace acme/);
  const made = await merlondHere(['workspace', 'create', 'acme', '--name', 'Acme'], settings);
  assert.equal(made.code, 0, made.stderr);
});

test('an interrupted deletion keeps everyone out, and continues when it is run again', async () => {
  const cut = await fill('cut');
  await assert.rejects(
    deleteWorkspace(server.ownerUrl, 'cut', () => {
      throw new Error('cut off');
    }),
    /cut off/,
  );
  assert.ok((await tablesWithRows(cut.tenant.id)).length > 0);
  await assertClosed(cut.people.admin.key, 'cut');
  assert.equal(await statusOf(cut.ci, 'cut'), 401);
  const listed = await merlondHere(['workspace', 'list'], settings);
  assert.doesNotMatch(listed.stdout, /\bcut\b/);
  const taken = await merlondHere(['workspace', 'create', 'cut', '--name', 'Cut'], settings);
  assert.match(taken.stderr, /There is already a workspace cut/);
  const joined = await merlondHere(
    ['member', 'add', cut.people.admin.user.email, '--workspace', 'cut', '--role', 'admin'],
    settings,
  );
  assert.equal(joined.code, 3, 'nobody becomes a member of it');
  assert.ok((await countWorkspace(server.ownerUrl, 'cut')).members === 0);
  await deleteWorkspace(server.ownerUrl, 'cut', () => {});
  assert.deepEqual(await tablesWithRows(cut.tenant.id), []);
});

test('a workspace is deleted while reports are imported into it', async () => {
  const busy = await fill('busy');
  const importing = importAll(
    server,
    'busy',
    Array.from({ length: 6 }, (_, i) =>
      reportInput(trivy(packages(200 + i)), { repository: `acme/service-${i}` }),
    ),
  ).catch((error: unknown) => error);
  await deleteWorkspace(server.ownerUrl, 'busy', () => {});
  await importing;
  assert.deepEqual(await tablesWithRows(busy.tenant.id), []);
  await assertInvariants(server.owner);
});

test('a key that an admin was making when access ended goes with the workspace', async () => {
  const late = await fill('late');
  const making = await server.owner.connect();
  await making.query('begin');
  const { rows: made } = await making.query(
    `insert into user_account (id, email, name, kind) values (gen_random_uuid(), $1, 'Late', 'service') returning id`,
    [serviceAccountEmail(late.tenant.id, 'key', newId())],
  );
  await making.query(
    `insert into api_key (id, kind, user_id, tenant_id, role, name, secret_sha256, last_four, scopes)
     values (gen_random_uuid(), 'workspace', $1, $2, 'admin', 'Late', sha256($3), '', '{}')`,
    [made[0].id, late.tenant.id, late.tenant.slug],
  );
  let committed: Promise<unknown> | null = null;
  const commit = (): void => {
    committed ??= making.query('commit');
  };
  // On Citus the end of access waits for the key, because a write to a reference table waits for the one before it.
  if (process.env.TEST_CITUS_NODES !== undefined) setTimeout(commit, 500);
  await deleteWorkspace(server.ownerUrl, 'late', commit).finally(() => making.release());
  await committed;
  assert.deepEqual(await tablesWithRows(late.tenant.id), []);
  const { rows } = await server.owner.query(`select 1 from user_account where name = 'Late'`);
  assert.deepEqual(rows, []);
});
