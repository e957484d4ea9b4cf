/**
 * Tests of conformance: real answers of every endpoint, compared with the tables of the contract. Each nullable field
 * is seen both null and not null. (Policy violations: `violations-conformance.test.ts`.)
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { formatTenantId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, send } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';
import { type Shape, ShapeChecker } from './shapes.ts';
import * as spec from './spec-tables.ts';

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
await fill();
const client = clientOf(server.app, people.admin.key);
const base = '/api/v1/acme';
const checker = new ShapeChecker();

async function fill(): Promise<void> {
  await tenantTx(server.db, tenant.id, (tx) =>
    applyInventory(tx, {
      organizations: [
        { full_path: 'acme', name: 'Acme', type: 'github_org', external_id: '1', description: 'All of it' },
        { full_path: 'acme/team', type: 'gitlab_group', parent: 'acme' },
        { full_path: 'bucket', type: 'bitbucket_workspace', orphaned: true },
        { full_path: 'azure', type: 'azure_project' },
        { full_path: 'here', type: 'local' },
      ],
      repositories: [
        { full_name: 'acme/shop', source: 'ghc', default_branch: 'main', is_private: false },
        { full_name: 'acme/team/api', source: 'gitlab', is_monorepo: true },
        { full_name: 'acme/old', source: 'ghe', is_enabled: false, is_archived: true },
        { full_name: 'bucket/one', source: 'bitbucket' },
        { full_name: 'azure/one', source: 'azure_devops', default_branch: 'trunk' },
        { full_name: 'here/quiet', source: 'local' },
      ],
      applications: [{ name: 'Shop', description: 'Where people buy' }, { name: 'Office' }],
    }),
  );
  const packages = (['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const).map((severity, i) => ({
    id: `CVE-2030-100${i}`,
    package: `lib${i}`,
    severity,
  }));
  const day = 24 * 3600_000;
  const at = (days: number) => ({ scannedAt: new Date(Date.now() - days * day) });
  const sha = 'c0ffee0123456789abcdef0123456789abcdef01';
  const code = (count: number) =>
    codeReport(
      Array.from({ length: count }, (_, i) => ({
        rule: `rule-${i}`,
        title: `Rule ${i}`,
        path: `src/f${i}.ts`,
        line: i + 1,
        code: `call${i}(input)`,
      })),
    );
  const secret = { rule: 'garden', title: 'Garden token', path: 'a.yml' };
  await importAll(server, 'acme', [
    reportInput(trivyReport({ packages }), { ...at(3), sha }),
    reportInput(code(3), { ...at(3), sha }),
    reportInput(code(2), { ...at(2), sha }),
    reportInput(secretReport([{ ...secret, secret: 'gdn-not-a-real-token-1', verified: true }]), at(2)),
    reportInput(trivyReport({ packages: packages.slice(0, 2) }), { ...at(1), ref: 'refs/tags/v1' }),
    reportInput(trivyReport({ packages: packages.slice(0, 2) }), { ...at(1), ref: 'refs/pull/7/head' }),
    reportInput(
      trivyReport({
        misconfigurations: [{ id: 'GDN-0001', severity: 'HIGH', title: 'Open gate' }],
        licenses: [{ name: 'GPL-3.0', package: 'lib1', severity: 'LOW' }],
      }),
      { ...at(1), ref: 'feature/x' },
    ),
    reportInput(secretReport([{ ...secret, secret: 'gdn-not-a-real-token-2' }]), {
      ...at(2),
      repository: 'acme/team/api',
      source: 'git_history',
    }),
    reportInput(code(1), { ...at(40), repository: 'here/quiet' }),
  ]);
  // No supported format creates an artifact of an image or a file, so the test inserts one.
  await server.owner.query(
    `update artifact set type = 'image', purl = null, digest = 'sha256:00' where tenant_id = $1 and name = 'lib0'`,
    [tenant.id],
  );
  await server.owner.query(`update artifact set type = 'file' where tenant_id = $1 and name = 'lib1'`, [
    tenant.id,
  ]);
}

function fits(shape: Shape, answer: Answer, name: string): void {
  assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  assert.equal(answer.headers.vary, 'Authorization');
  assert.ok(answer.headers['x-request-id']);
  assert.deepEqual(checker.problems(shape, answer.body, name), []);
}

async function first(path: string): Promise<Json> {
  const { body } = await client.get<{ items: Json[] }>(path);
  const [item] = body.items;
  assert.ok(item, `${path} is empty`);
  return item;
}

describe('conformance', () => {
  test('1: /tenants', async () => {
    const answer = await client.get('/api/v1/tenants');
    fits(spec.tenants, answer, 'tenants');
    assert.deepEqual((answer.body.items as Json[])[0]?.slug, 'acme');
    const { user } = people.admin;
    const other = await createTestWorkspace(server, 'second');
    await server.owner.query("insert into member (tenant_id, user_id, role) values ($1, $2, 'viewer')", [
      other.tenant.id,
      user.id,
    ]);
    fits(spec.tenants, await client.get('/api/v1/tenants?per_page=1'), 'tenants');
    await server.owner.query('delete from member where tenant_id = $1 and user_id = $2', [
      other.tenant.id,
      user.id,
    ]);
  });

  test('2: whoami', async () => {
    const own = await client.get(`${base}/whoami`);
    fits(spec.whoami, own, 'whoami');
    const { scopes } = own.body.token as { scopes: string[] };
    assert.deepEqual(
      spec.scopeNames.filter((name) => !scopes.includes(name)),
      [],
      'an admin may hold every scope',
    );
    const endless = await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      expires: 'never',
    });
    fits(spec.whoami, await clientOf(server.app, endless.key).get(`${base}/whoami`), 'whoami');
    const service = await createTestWorkspaceKey(server, tenant, 'member');
    const answer = await clientOf(server.app, service.key).get<{ actor: Json; token: Json }>(
      `${base}/whoami`,
    );
    fits(spec.whoami, answer as Answer, 'whoami');
    const { actor, token } = answer.body;
    const email = `${token.id}@${formatTenantId(tenant.id)}.service.invalid`;
    assert.deepEqual([actor.type, actor.name, actor.email], ['service', 'ci', email]);
    assert.deepEqual([...(checker.seenValues.get('whoami.actor.type') ?? [])].sort(), ['service', 'user']);
  });

  test('3: organizations', async () => {
    fits(spec.organizations, await client.get(`${base}/organizations`), 'organizations');
    fits(spec.organizations, await client.get(`${base}/organizations?per_page=1`), 'organizations');
    assert.equal(checker.seenValues.get('organizations.items[].type')?.size, 5);
  });

  test('4: an organization, by id and by full path, raw and encoded, without case', async () => {
    const { body } = await client.get<{ items: Json[] }>(`${base}/organizations`);
    for (const { id, full_path } of body.items) {
      const byId = await client.get(`${base}/organizations/${id}`);
      fits(spec.organization, byId, 'organization');
      const path = String(full_path);
      for (const written of [
        path,
        path.toUpperCase(),
        path.replaceAll('/', '%2F'),
        path.replaceAll('/', '%2f'),
      ]) {
        const answer = await client.get(`${base}/organizations/${written}`);
        assert.deepEqual(answer.body, byId.body, written);
      }
    }
    const team = (await client.get(`${base}/organizations/acme%2Fteam`)).body;
    const acme = (await client.get(`${base}/organizations/acme`)).body;
    assert.deepEqual(team.parent, { id: acme.id, name: 'Acme', full_path: 'acme' });
    assert.equal(acme.repositories_count, 2);
    assert.match(String(team.external_id), /^local:org_/);
  });

  test('5: repositories', async () => {
    fits(spec.repositories, await client.get(`${base}/repositories`), 'repositories');
    fits(spec.repositories, await client.get(`${base}/repositories?per_page=2`), 'repositories');
    const values = (field: string) => checker.seenValues.get(`repositories.items[].${field}`);
    assert.equal(values('source')?.size, 6);
    assert.deepEqual([...(values('scan_state') ?? [])].sort(), ['active', 'disabled', 'never', 'stale']);
    const ofTeam = await client.get<{ items: Json[] }>(`${base}/repositories?org=ACME/team`);
    assert.deepEqual(fieldOf(ofTeam.body.items, 'full_name'), ['acme/team/api']);
    const bySource = await client.get<{ items: Json[] }>(`${base}/repositories?source=ghc,gitlab&org=acme`);
    assert.deepEqual(fieldOf(bySource.body.items, 'full_name'), ['acme/shop']);
  });

  test('6: a repository, by id and by name, raw and encoded, without case', async () => {
    const { body } = await client.get<{ items: Json[] }>(`${base}/repositories`);
    for (const { id, full_name } of body.items) {
      const byId = await client.get(`${base}/repositories/${id}`);
      fits(spec.repository, byId, 'repository');
      const name = String(full_name);
      for (const written of [name, name.toUpperCase(), name.replaceAll('/', '%2F')]) {
        assert.deepEqual((await client.get(`${base}/repositories/${written}`)).body, byId.body, written);
      }
    }
  });

  test('7: applications', async () => {
    fits(spec.applications, await client.get(`${base}/applications`), 'applications');
    fits(spec.applications, await client.get(`${base}/applications?per_page=1`), 'applications');
  });

  test('10: assignment', async () => {
    const { id } = await first(`${base}/vulnerabilities`);
    const path = `${base}/vulnerabilities/${id}/assignment`;
    for (const assignee of ['me', null]) {
      fits(spec.assignment, await client.patch(path, { assignee }), 'assignment');
    }
  });

  test('8: vulnerabilities', async () => {
    const { body } = await client.get<{ items: { id: string }[] }>(`${base}/vulnerabilities?state=open`);
    for (const [i, action] of ['accept', 'ignore', 'reject', 'confirm'].entries()) {
      const answer = await client.post('/manage/v1/acme/vulnerabilities/decisions', {
        action,
        reason: 'To be seen.',
        vulnerabilities: [{ id: body.items[i]?.id }],
      });
      assert.equal(answer.status, 200, answer.text);
    }
    const everything =
      'repo=acme/shop&ref=main&sha=c0ffee0&confirmed=no&triaged=no&state=open&source=current';
    for (const query of [
      '',
      '?per_page=2',
      '?ref=HEAD',
      '?ref=v1',
      '?ref=refs/pull/7/head',
      '?ref=feature/x',
    ]) {
      fits(spec.vulnerabilities, await client.get(`${base}/vulnerabilities${query}`), 'list');
    }
    const all = `${everything}&assignee=unassigned&sort=newest&severity=high&type=sast,dependency`;
    fits(spec.vulnerabilities, await client.get(`${base}/vulnerabilities?${all}`), 'list');
    const values = (field: string) => [...(checker.seenValues.get(`list.items[].${field}`) ?? [])].sort();
    assert.deepEqual(values('status'), spec.statuses.toSorted());
    assert.deepEqual(values('source'), ['current', 'git_history']);
    assert.deepEqual(values('location.reference.type'), ['branch', 'pull_request', 'tag']);
  });

  test('9: locations', async () => {
    const { body } = await client.get<{ items: { id: string }[] }>(`${base}/vulnerabilities?per_page=200`);
    for (const { id } of body.items) {
      for (const scope of ['live', 'all']) {
        const path = `${base}/vulnerabilities/${id}/locations`;
        const answer = await client.get<{ items: Json[]; summary: Json; filters: Json }>(
          `${path}?scope=${scope}`,
        );
        fits(spec.locations, answer as unknown as Answer, 'locations');
        const { items, summary, filters } = answer.body;
        assert.equal(filters.scope, scope);
        assert.equal(summary.total, Number(summary.active) + Number(summary.fixed));
        assert.equal(items.length, scope === 'all' ? summary.total : summary.active);
        if (scope === 'live') assert.ok(items.every((item) => item.is_vulnerable === true));
        fits(spec.locations, await client.get(`${path}?scope=${scope}&per_page=1`), 'locations');
        if (scope === 'live') assert.deepEqual((await client.get(path)).body, answer.body);
      }
    }
  });

  test('every nullable field was seen both null and with a value', () => {
    assert.deepEqual(checker.unseen(), { value: [], null: [] });
  });

  test('errors: status, code, message and details of the table', async () => {
    const admin = `Bearer ${people.admin.key}`;
    const other = await createTestWorkspace(server, 'other');
    const poor = await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      scopes: ['scans:read'],
    });
    const { id } = await first(`${base}/vulnerabilities`);
    const assign = {
      method: 'PATCH',
      path: `${base}/vulnerabilities/${id}/assignment`,
      authorization: admin,
    } as const;
    const list = `${base}/vulnerabilities`;
    const cases: [string, Parameters<typeof send>[1]][] = [
      ['AUTHENTICATION_REQUIRED', { path: list }],
      ['AUTHENTICATION_REQUIRED', { path: list, authorization: 'Bearer nonsense' }],
      ['TOKEN_INVALID_FOR_TENANT', { path: `/api/v1/${other.tenant.slug}/whoami`, authorization: admin }],
      ['TOKEN_ABILITY_DENIED', { path: list, authorization: `Bearer ${poor.key}` }],
      ['TENANT_NOT_FOUND', { path: '/api/v1/nowhere/whoami', authorization: admin }],
      ['RESOURCE_NOT_FOUND', { path: `${base}/repositories/acme/nowhere`, authorization: admin }],
      ['RESOURCE_NOT_FOUND', { path: `${list}/vc_nonsense`, authorization: admin }],
      ['RESOURCE_NOT_FOUND', { path: `${base}/nothing`, authorization: admin }],
      ['VALIDATION_FAILED', { path: `${list}?per_page=0&state=closed`, authorization: admin }],
      ['VALIDATION_FAILED', { ...assign, body: {} }],
      ['INVALID_FILTER_VALUE', { path: `${list}?severity=high,awful`, authorization: admin }],
      ['MALFORMED_REQUEST', { ...assign, body: '{' }],
      ['METHOD_NOT_ALLOWED', { path: list, method: 'DELETE', authorization: admin }],
      ['STATUS_VERSION_CONFLICT', { ...assign, body: { assignee: null, status_version: '999' } }],
      ['PAYLOAD_TOO_LARGE', { ...assign, body: { assignee: 'x'.repeat(2 * 1024 * 1024) } }],
      ['UNSUPPORTED_MEDIA_TYPE', { ...assign, body: 'x', headers: { 'content-type': 'text/plain' } }],
    ];
    for (const [code, request] of cases) {
      const row = spec.errors[code];
      assert.ok(row);
      const answer = await send(server.app, request);
      const shown = `${code}: ${answer.text}`;
      assert.deepEqual([answer.status, answer.body.code], [row.status, code], shown);
      if (row.message !== null) assert.equal(answer.body.message, row.message, shown);
      else assert.equal(typeof answer.body.message, 'string', shown);
      const names = ['code', 'message', ...(row.details ? ['details'] : [])];
      if (code === 'VALIDATION_FAILED') names.push('errors');
      assert.deepEqual(Object.keys(answer.body).sort(), names.sort(), shown);
      if (row.details) assert.deepEqual(checker.problems(row.details, answer.body.details, code), [], shown);
      if (code === 'VALIDATION_FAILED') {
        assert.deepEqual(answer.body.errors, (answer.body.details as Json).errors, 'the alternative shape');
      }
    }
    const invalid = await client.get<{ message: string; details: Json }>(
      `${list}?severity=awful,high&type=bad`,
    );
    assert.deepEqual(invalid.body.details, { invalid_values: ['awful', 'bad'] });
    assert.match(
      invalid.body.message,
      /: awful, bad; severity takes unknown, info, .*; type takes other, dependency, /,
    );
  });
});
