/**
 * Tests of the references of a repository: their order over pages, the open vulnerabilities of each, and the verdicts
 * of their scans.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { getOrCreateReference } from '../../src/inventory/repositories/create.ts';
import { getRepository } from '../../src/inventory/repositories/service.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, queryOf, refused, type Schemas, walk } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policiesOf, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';
import { fields, id, list, map, nullable, oneOf, ShapeChecker } from './shapes.ts';

type Item = Schemas['Reference'];

const shape = fields({
  id: id('ref'),
  ref: 'string',
  type: oneOf('branch', 'tag', 'pull_request'),
  sha: nullable('string'),
  is_default: 'boolean',
  tracked: 'boolean',
  active: 'boolean',
  last_scanned_at: nullable('timestamp'),
  base_ref: nullable('string'),
  environment: nullable('string'),
  open_by_severity: map('integer'),
  verdict: nullable(oneOf('pass', 'warn', 'block')),
});

const dayMs = 24 * 3600_000;
const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
const daysAgo = (days: number): Date => new Date(noon - days * dayMs);
const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.viewer.key);
const path = '/api/v1/acme/references';

await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    organizations: [{ full_path: 'acme' }],
    repositories: [
      { full_name: 'acme/shop', default_branch: 'main' },
      { full_name: 'acme/quiet', default_branch: 'trunk' },
      { full_name: 'acme/none' },
    ],
    applications: [],
  }),
);
await applyAndEvaluate(
  server,
  tenant.id,
  policiesOf(
    policyOf('severe', "{fact: severity, operator: '>=', value: critical}"),
    policyOf('other', "{fact: severity, operator: '==', value: high}", { mode: 'warn' }),
  ),
);
const found = (number: number, severity: string) => ({
  id: `CVE-2030-${1000 + number}`,
  name: `lib${number}`,
  version: '1.0.0',
  severity,
});
const scans = [
  { ref: 'main', days: 9, packages: [found(1, 'CRITICAL'), found(2, 'HIGH'), found(3, 'LOW')] },
  { ref: 'feature/a', days: 2, packages: [found(2, 'HIGH'), found(4, 'MEDIUM')] },
  // Both references have the same scan time.
  { ref: 'feature/b', days: 5, packages: [found(1, 'CRITICAL')] },
  { ref: 'feature/c', days: 5, packages: [] },
  { ref: 'refs/tags/v1', days: 5, packages: [found(3, 'LOW')] },
  { ref: 'refs/pull/7/head', days: 1, packages: [] },
  { ref: 'old', days: 80, packages: [found(1, 'CRITICAL')] },
];
await importAll(
  server,
  'acme',
  scans.map(({ ref, days, packages }, i) =>
    reportInput(trivy(packages), {
      ref,
      scannedAt: daysAgo(days),
      sha: String(i).repeat(40),
      ...(ref.startsWith('refs/pull/') ? { baseRef: parseReference('main'), environment: 'review' } : {}),
    }),
  ),
);
// A second tool scans main. Fixed and decided vulnerabilities are no longer open.
await importAll(server, 'acme', [
  reportInput(sarif([{ rule: 'sqli', path: 'src/db.ts', line: 1, code: 'a()' }]), { scannedAt: daysAgo(8) }),
  reportInput(trivy([found(1, 'CRITICAL'), found(3, 'LOW')]), { scannedAt: daysAgo(7) }),
  reportInput(sarif([]), { repository: 'acme/quiet', ref: 'work' }),
]);
const { body: lists } = await client.get<{ items: { id: string; title: string }[] }>(
  '/api/v1/acme/vulnerabilities',
);
await clientOf(server.app, people.admin.key).post('/manage/v1/acme/vulnerabilities/decisions', {
  action: 'ignore',
  reason: 'known',
  vulnerabilities: lists.items
    .filter(({ title }) => title.startsWith('lib3'))
    .map((item) => ({ id: item.id })),
});
await sweepTenant(server.db, tenant.id, new Date(), 30);
// Four references were never scanned, so that pages end among them.
await tenantTx(server.db, tenant.id, async (tx) => {
  const { id: repository } = await getRepository(tx, 'acme/shop');
  for (const name of ['n1', 'n2', 'n3', 'n4']) {
    await getOrCreateReference(tx, repository, { fullRef: `refs/heads/${name}`, type: 'branch' });
  }
});

const all = await walk<Item>(client, path, { repo: 'acme/shop', per_page: 200 });

describe('the references of a repository', () => {
  test('the default branch comes first, then the newest scanned, then those without a scan', () => {
    const names = all.map(({ ref }) => ref);
    assert.deepEqual(names.slice(0, 3), ['main', 'refs/pull/7/head', 'feature/a']);
    assert.deepEqual(names.slice(3, 6).toSorted(), ['feature/b', 'feature/c', 'v1']);
    assert.equal(names[6], 'old');
    assert.deepEqual(names.slice(7), ['n4', 'n3', 'n2', 'n1']);
    const checker = new ShapeChecker();
    assert.deepEqual(checker.problems(list(shape), all), []);
    assert.deepEqual(checker.seenNull, checker.seenValue);
    assert.deepEqual(
      fieldsOf(all.slice(0, 3), 'type', 'is_default', 'tracked', 'active', 'last_scanned_at', 'sha'),
      [
        ['branch', true, true, true, shown(7), '0'.repeat(40)],
        ['pull_request', false, false, true, shown(1), '5'.repeat(40)],
        ['branch', false, false, true, shown(2), '1'.repeat(40)],
      ],
    );
    assert.deepEqual(
      all.filter(({ active }) => !active).map(({ ref }) => ref),
      ['old'],
    );
  });

  test('pages of any size give the same rows', async () => {
    for (const perPage of [1, 2, 3, 5]) {
      assert.deepEqual(await walk<Item>(client, path, { repo: 'acme/shop', per_page: perPage }), all);
    }
  });

  test('the open count of each is that of the list there, and the verdict that of its newest scan', async () => {
    for (const item of all) {
      const query = { repo: 'acme/shop', ref: item.ref };
      const behind = await client.get<{ summary: { by_severity: Record<string, number> } }>(
        `/api/v1/acme/vulnerabilities${queryOf({ ...query, state: 'open' })}`,
      );
      assert.deepEqual(item.open_by_severity, behind.body.summary.by_severity, item.ref);
      const [newest] = await walk<{ verdict: string | null }>(client, '/api/v1/acme/scans', query);
      assert.equal(item.verdict, newest?.verdict ?? null, item.ref);
    }
    const of = (ref: string) => all.find((item) => item.ref === ref);
    assert.deepEqual(of('main')?.open_by_severity, {
      critical: 1,
      high: 1,
      medium: 0,
      low: 0,
      info: 0,
      unknown: 0,
    });
    assert.deepEqual(
      ['main', 'feature/a', 'feature/c', 'n1'].map((ref) => of(ref)?.verdict),
      ['block', 'warn', 'pass', null],
    );
  });

  test('a default branch without a scan comes first too', async () => {
    const items = await walk<Item>(client, path, { repo: 'acme/quiet', per_page: 1 });
    assert.deepEqual(fieldsOf(items, 'ref', 'is_default'), [
      ['trunk', true],
      ['work', false],
    ]);
    assert.deepEqual(await walk<Item>(client, path, { repo: 'acme/none' }), []);
  });

  test('the repository is required, and a cursor of another one is refused', async () => {
    assert.equal((await client.get(path)).status, 422);
    assert.equal((await client.get(`${path}?repo=acme%2Fnowhere`)).status, 404);
    const first = await client.get<{ next_cursor: string }>(`${path}?repo=acme%2Fshop&per_page=1`);
    const { status, body } = await client.get(
      `${path}?repo=acme%2Fquiet&per_page=1&cursor=${first.body.next_cursor}`,
    );
    assert.deepEqual([status, body.code], [422, 'VALIDATION_FAILED']);
  });
});

test('a key needs vulnerabilities:read too, because the open vulnerabilities of each reference are counted', async () => {
  const { key } = await createTestKey(server, {
    userId: people.viewer.user.id,
    role: 'viewer',
    scopes: ['repositories:read'],
  });
  const { get } = clientOf(server.app, key);
  assert.equal((await get('/api/v1/acme/repositories')).status, 200);
  refused(await get(`${path}?repo=acme%2Fshop`), 403, 'TOKEN_ABILITY_DENIED');
});

function shown(days: number): string {
  return `${daysAgo(days).toISOString().slice(0, 19)}Z`;
}

test('the last scan and the verdict of repositories come in the order of the ids', async () => {
  const repositories = (
    await walk<{ id: string; full_name: string }>(client, '/api/v1/acme/repositories')
  ).reverse();
  const ids = [...repositories.map(({ id: one }) => one), 'repo_00000000000000000000000000', 'nonsense'].join(
    ',',
  );
  const { body } = await client.get<{ items: object[] }>(`/api/v1/acme/repository-scans?ids=${ids}`);
  const expected = [];
  for (const { id: one, full_name } of repositories) {
    const references = await walk<Item>(client, path, { repo: full_name });
    const times = references.flatMap(({ last_scanned_at: time }) => time ?? []).sort();
    expected.push({
      id: one,
      last_scanned_at: times.at(-1) ?? null,
      verdict: references.find(({ is_default }) => is_default)?.verdict ?? null,
    });
  }
  assert.deepEqual(body.items, expected);
  assert.ok(expected.some(({ verdict }) => verdict === 'block'));
  assert.ok(expected.some(({ last_scanned_at: time }) => time === null));
});
