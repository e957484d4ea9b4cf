/**
 * Tests of the vulnerability list with the demo's reports: summary and rows agree for every filter, and a walk over the
 * pages meets each row once while reports arrive. (`list-properties.test.ts` compares it with a model.)
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseId } from '../../src/domain/ids.ts';
import { clientOf, type Page, queryOf, type Schemas, succeeded, walk } from '../support/client.ts';
import { createDemoWorkspace } from '../support/demo-workspace.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { reportInput } from '../support/workspace.ts';
import { severityOrder, statuses, vulnerabilityTypes } from './spec-tables.ts';

type Item = Schemas['Vulnerability'];

interface ListBody extends Page<Item> {
  filters: Record<string, unknown>;
  summary: { total: number; by_severity: Record<string, number>; by_type: Record<string, number> };
}

const server = await createTestServer();
const recent = Date.now() - 12 * 24 * 3600_000;
const demo = await createDemoWorkspace(
  server,
  'demo',
  ({ repository, scannedAt }) =>
    ['kestrel-freight/storefront', 'kestrel-freight/tracking-api'].includes(repository) &&
    Date.parse(scannedAt) > recent,
);
const client = clientOf(server.app, demo.people.member.key);
const list = '/api/v1/demo/vulnerabilities';

type Query = Record<string, string | number | undefined>;

async function listOf(query: Query): Promise<ListBody> {
  return succeeded(await client.get<ListBody>(`${list}${queryOf({ per_page: 200, ...query })}`));
}

function countBy(items: Item[], field: 'severity' | 'type'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item[field]] = (counts[item[field]] ?? 0) + 1;
  return counts;
}

function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
}

describe('filters', () => {
  const sha = demo.scans[0]?.sha ?? '';
  const combinations: Query[] = [
    {},
    ...statuses.map((state) => ({ state })),
    ...severityOrder.map((severity) => ({ severity })),
    ...vulnerabilityTypes.map((type) => ({ type })),
    { severity: 'critical,high', type: 'dependency,sast', state: 'open' },
    { repo: 'kestrel-freight/storefront' },
    { repo: 'Kestrel-Freight/StoreFront', state: 'open' },
    { ref: 'main' },
    { ref: 'refs/heads/main', severity: 'high' },
    { ref: 'HEAD', state: 'fixed' },
    { ref: 'HEAD', repo: 'kestrel-freight/tracking-api' },
    { ref: 'refs/pull/214/head' },
    { repo: 'kestrel-freight/storefront', ref: 'refs/pull/214/head', state: 'open' },
    { sha },
    { sha: sha.slice(0, 7).toUpperCase(), severity: 'high,medium' },
    { source: 'current' },
    { source: 'git_history' },
    { confirmed: 'no', triaged: 'no' },
    { confirmed: 'yes' },
    { triaged: 'yes' },
    { assignee: 'unassigned', type: 'sast' },
    { assignee: 'me' },
    { q: 'injection' },
    { q: 'sql inj', state: 'open' },
  ];

  test('the summary counts the rows of the whole walk, whatever the filters and the order', async () => {
    let rows = 0;
    for (const query of combinations) {
      for (const sort of [undefined, 'severity', 'newest', 'oldest']) {
        const shown = JSON.stringify({ ...query, sort });
        const { summary, filters } = await listOf({ ...query, sort });
        const items = await walk<Item>(client, list, { ...query, sort, per_page: 23 });
        rows += items.length;
        assert.equal(summary.total, items.length, shown);
        assert.equal(new Set(items.map((item) => item.id)).size, items.length, shown);
        assert.deepEqual(withoutZeros(summary.by_severity), countBy(items, 'severity'), shown);
        assert.deepEqual(withoutZeros(summary.by_type), countBy(items, 'type'), shown);
        assert.deepEqual(
          filters,
          {
            ...Object.fromEntries(
              ['repo', 'ref', 'sha', 'confirmed', 'triaged', 'state', 'source', 'assignee'].map((name) => [
                name,
                query[name] ?? null,
              ]),
            ),
            sort: sort ?? null,
            severity: String(query.severity ?? '')
              .split(',')
              .filter(Boolean),
            type: String(query.type ?? '')
              .split(',')
              .filter(Boolean),
          },
          shown,
        );
      }
    }
    assert.ok(rows > 3000, `${rows} rows`);
  });

  test('every row matches its filter', async () => {
    const every = async (query: Query, holds: (item: Item) => boolean): Promise<void> => {
      const { items } = await listOf(query);
      assert.ok(items.length > 0, JSON.stringify(query));
      assert.deepEqual(
        items.filter((item) => !holds(item)),
        [],
        JSON.stringify(query),
      );
    };
    await every({ state: 'fixed' }, (item) => item.status === 'fixed');
    await every({ severity: 'low,critical' }, (item) => ['low', 'critical'].includes(item.severity));
    await every({ type: 'secret' }, (item) => item.type === 'secret');
    await every(
      { repo: 'KESTREL-freight/tracking-api' },
      (item) => item.repository.full_name === 'kestrel-freight/tracking-api',
    );
    await every({ ref: 'HEAD' }, (item) => item.location.reference.ref === 'main');
    await every(
      { ref: 'refs/pull/214/head' },
      ({ location: { reference } }) =>
        reference.type === 'pull_request' && reference.ref === 'refs/pull/214/head',
    );
  });

  test('the repository counts the same by its id and by its name', async () => {
    const named = await listOf({ repo: 'kestrel-freight/storefront' });
    const repositoryId = named.items[0]?.repository.id;
    const byId = await listOf({ repo: repositoryId });
    assert.deepEqual([byId.summary, byId.items], [named.summary, named.items]);
    assert.equal(byId.filters.repo, repositoryId);
  });

  test('a filter without matches gives an empty list, not an error', async () => {
    for (const query of [
      { ref: 'nowhere' },
      { repo: 'kestrel-freight/storefront', ref: 'nowhere' },
      { sha: 'f'.repeat(40) },
      { q: 'xyzzyplugh' },
    ]) {
      const { summary, items, next_cursor } = await listOf(query);
      assert.deepEqual([summary.total, items, next_cursor], [0, [], null], JSON.stringify(query));
      assert.deepEqual(Object.keys(summary.by_severity).sort(), severityOrder.toSorted());
      assert.deepEqual(Object.keys(summary.by_type).sort(), vulnerabilityTypes.toSorted());
    }
  });

  test('a list parameter may be repeated as well as separated by commas', async () => {
    const commas = await listOf({ severity: 'high,low' });
    const repeated = await client.get<ListBody>(`${list}?severity=high&severity=low&per_page=200`);
    assert.deepEqual(repeated.body, commas);
    assert.deepEqual(repeated.body.filters.severity, ['high', 'low']);
  });
});

describe('a walk while reports come in', () => {
  let number = 0;
  // Each report adds rows before, among and after the rows that are walked.
  const bringMore = (): Promise<unknown> =>
    importAll(server, 'demo', [
      reportInput(
        trivyReport({
          packages: (['CRITICAL', 'HIGH', 'LOW', 'UNKNOWN'] as const).map((severity) => {
            number++;
            return { id: `CVE-2029-${1000 + number}`, package: `late-${number}`, severity };
          }),
        }),
        { repository: `late/repo-${number}`, scannedAt: new Date(Date.now() - (number % 9) * 24 * 3600_000) },
      ),
    ]);

  for (const sort of ['severity', 'newest', 'oldest']) {
    test(`by ${sort}: each row is returned exactly once`, async () => {
      const before = (await walk<Item>(client, list, { sort, per_page: 200 })).map((item) => item.id);
      const met = await walk<Item>(client, list, { sort, per_page: 37 }, async () => {
        if (number < 400) await bringMore();
      });
      const ids = met.map((item) => item.id);
      assert.equal(new Set(ids).size, ids.length, 'a row came twice');
      const known = new Set(before);
      assert.deepEqual(
        ids.filter((id) => known.has(id)),
        before,
        'a row was left out, or came in another order',
      );
    });
  }

  test('the summary is current on each page, and the cursor keeps its position', async () => {
    const first = await listOf({ per_page: 10 });
    await bringMore();
    const second = await listOf({ per_page: 10, cursor: String(first.next_cursor) });
    assert.equal(second.summary.total, first.summary.total + 4);
  });
});

test('a repository with six million vulnerabilities of one packed state is listed by time', async () => {
  const { id } = succeeded(
    await client.get<{ id: string }>('/api/v1/demo/repositories/kestrel-freight%2Fstorefront'),
  );
  const add = (count: number) =>
    server.owner.query(
      `update vulnerability_count set count = count + $1 where scope = 'repository' and key = $2`,
      [count, parseId('repository', id)],
    );
  await add(6_000_000);
  try {
    for (const sort of ['newest', 'oldest']) {
      assert.ok((await listOf({ repo: 'kestrel-freight/storefront', sort })).items.length > 0);
    }
  } finally {
    await add(-6_000_000);
  }
});
