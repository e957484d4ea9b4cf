/** Tests of groups against the list: each group is as large as the list with its key, and none is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clientOf, queryOf, type Schemas, succeeded, walk } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { listQueries, type Query } from './list-queries.ts';
import { createDueDates } from './random-due-dates.ts';
import { createRandomWorkspace } from './random-workspace.ts';

type Groups = Schemas['VulnerabilityGroups'];

const seed = 20_261_123;
const server = await createTestServer();
const workspace = await createRandomWorkspace(server, 'random', seed);
await createDueDates(server, workspace);
const client = clientOf(server.app, workspace.people.member.key);
const repositories = await walk<{ id: string }>(client, '/api/v1/random/repositories');
const { sparse } = listQueries(
  workspace,
  repositories.map(({ id }) => id),
);

interface ListBody {
  summary: { total: number; by_severity: Record<string, number> };
}

async function bodyOf<Body>(path: string): Promise<Body> {
  return succeeded(await client.get<Body>(`/api/v1/random${path}`));
}

const filterOf = { package: 'package', rule: 'rule', repository: 'repo' } as const;

test('a group has the total of the list by its key, with any filters, and the most severe group is first', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      sparse,
      fc.constantFrom('package' as const, 'rule' as const, 'repository' as const),
      async ({ sort: _, ...query }, by) => {
        const { total, items } = await bodyOf<Groups>(
          `/vulnerabilities/groups${queryOf({ ...query, by, limit: 200 })}`,
        );
        assert.equal(items.length, total);
        const worst = items.map(({ by_severity: counts }) => Object.values(counts));
        assert.deepEqual(
          worst,
          worst.toSorted((a, b) => firstDifference(b, a)),
        );
        const name = filterOf[by];
        for (const group of items.slice(0, 5)) {
          const groupQuery: Query = { ...query, [name]: group.key };
          // The filter of the group replaces the filter that the query already has on the same field.
          const { summary } = await bodyOf<ListBody>(
            `/vulnerabilities${queryOf({ ...groupQuery, per_page: 1 })}`,
          );
          assert.deepEqual(
            [group.total, group.by_severity],
            [summary.total, summary.by_severity],
            `${by} ${group.key}`,
          );
          compared++;
        }
        if (by !== 'repository') return;
        const { summary } = await bodyOf<ListBody>(`/vulnerabilities${queryOf({ ...query, per_page: 1 })}`);
        assert.equal(
          items.reduce((sum, group) => sum + group.total, 0),
          summary.total,
        );
      },
    ),
    { seed, numRuns: 60, endOnFailure: true },
  );
  assert.ok(compared > 40, `only ${compared} were there`);
});

test('the stored groups of open vulnerabilities equal the counted ones', async () => {
  const everySeverity = 'severity=critical,high,medium,low,info,unknown';
  for (const by of ['package', 'rule', 'repository']) {
    for (const scope of ['scope=tracked', 'scope=default_branches', 'ref=HEAD']) {
      const path = `/vulnerabilities/groups?by=${by}&state=open&${scope}&limit=200`;
      const [kept, counted] = await Promise.all([
        bodyOf<Groups>(path),
        bodyOf<Groups>(`${path}&${everySeverity}`),
      ]);
      const byKey = ({ total, items }: Groups) => [total, items.toSorted((a, b) => (a.key < b.key ? -1 : 1))];
      assert.ok(kept.total > 0, path);
      assert.deepEqual(byKey(kept), byKey(counted), path);
    }
  }
});

function firstDifference(a: number[], b: number[]): number {
  return a.map((n, i) => n - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

test('a package has the version with every known fix, in the order of its ecosystem, and how many it fixes', async () => {
  const { people } = await createTestWorkspace(server, 'acme');
  const rows = [
    { id: 'CVE-2031-1', package: 'lib', severity: 'HIGH', version: '1.0.0', fixed: '1.9.0' },
    { id: 'CVE-2031-2', package: 'lib', severity: 'LOW', version: '1.0.0', fixed: '1.10.0' },
    { id: 'CVE-2031-3', package: 'lib', severity: 'LOW', version: '1.0.0' },
    { id: 'CVE-2031-4', package: '@acme/ui', severity: 'CRITICAL', version: '2.0.0' },
  ] as const;
  const packages = rows.map((row) => ({ ...row, title: row.id }));
  await importAll(server, 'acme', [
    reportInput(trivyReport({ packages })),
    reportInput(trivyReport({ packages: packages.slice(0, 1) }), { repository: 'acme/api' }),
  ]);
  const { body } = await clientOf(server.app, people.viewer.key).get<Groups>(
    '/api/v1/acme/vulnerabilities/groups?by=package',
  );
  assert.deepEqual(
    body.items.map(({ name, total, repositories: n, upgrade }) => ({ name, total, n, upgrade })),
    [
      { name: '@acme/ui', total: 1, n: 1, upgrade: null },
      { name: 'lib', total: 4, n: 2, upgrade: { version: '1.10.0', clears: 3 } },
    ],
  );
});

test('only a few fix versions of usual length are compared, whatever a hostile report has', async () => {
  const { people } = await createTestWorkspace(server, 'hostile');
  const row = (number: number, name: string, fixed: string) => ({
    id: `CVE-2031-${1000 + number}`,
    package: name,
    severity: 'LOW' as const,
    title: `${name} ${number}`,
    fixed,
  });
  const packages = [
    ...Array.from({ length: 201 }, (_, i) => row(i, 'many', `1.0.${i}`)),
    row(900, 'long', `1.0.0-${'a.'.repeat(60)}b`),
    row(901, 'long', '1.2.0'),
  ];
  await importAll(server, 'hostile', [reportInput(trivyReport({ packages }))]);
  const { body } = await clientOf(server.app, people.viewer.key).get<Groups>(
    '/api/v1/hostile/vulnerabilities/groups?by=package',
  );
  assert.deepEqual(
    body.items.map(({ name, upgrade }) => ({ name, version: upgrade?.version ?? null })),
    [
      { name: 'many', version: null },
      { name: 'long', version: '1.2.0' },
    ],
  );
});
