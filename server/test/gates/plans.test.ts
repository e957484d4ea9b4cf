/**
 * Tests of the plans for the list of vulnerabilities. PostgreSQL plans and runs each statement of the service as the
 * running role, under row-level security, with custom and generic plans. An index must do all work that grows with a
 * workspace. A plan that scans, sorts or filters instead fails here long before a page is slow.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordList, recordStatements, type Statement } from '../../../benchmarks/statements.ts';
import { tenantReadTx } from '../../src/db/database.ts';
import { type CursorValue, cursors, idIn } from '../../src/http/page.ts';
import type { Principal } from '../../src/http/principal.ts';
import { listFirstScans, sqlIsUnfinished } from '../../src/ingest/scans/store.ts';
import { namePosition, nameSearch } from '../../src/inventory/name-terms.ts';
import { listRepositories } from '../../src/inventory/repositories/store.ts';
import { countOverdue } from '../../src/reports/waiting/store.ts';
import type { ListRequest } from '../../src/vulnerabilities/list.ts';
import { principalAs } from '../support/workspace.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { type Mode, modes, nodesOf, type PlanNode } from './read-plans.ts';
import { seedViolations } from './violation-rows.ts';

// Enough rows that a scan of a table costs the planner more than the index, and few enough to create in some seconds.
const vulnerabilities = 30_000;
const perPage = 50;

const plan = await createPlanWorkspace();
const small = await createPlanWorkspace();
const { database, workspace, owner, plansOf, seed } = plan;
const principal: Principal = {
  ...principalAs(workspace, 'member'),
  scopes: ['vulnerabilities:read', 'applications:read', 'policy-violations:read'],
};

const createApplication = (client: typeof owner, tenantId: string) =>
  client.query(
    `with made as (insert into application (tenant_id, id, name, name_key) values ($1, gen_random_uuid(), 'Shop', 'shop') returning id)
     insert into application_repository (tenant_id, application_id, repository_id)
     select $1, made.id, r.id from made, repository r
      where r.tenant_id = $1 and r.name in ('service-0', 'service-3', 'service-40', 'service-200')`,
    [tenantId],
  );

before(async () => {
  await seed(vulnerabilities, [workspace.people.member, workspace.people.admin]);
  await createApplication(owner, workspace.tenant.id);
  await seedViolations(owner, workspace.tenant.id, 2);
  await owner.query('vacuum (analyze)');
});

test('a search by name reads its range of the index of terms, and the rows of the page', async () => {
  const filter = { organizationId: null, sources: null };
  for (const q of ['service-12', 'team-1/service', 'zzz']) {
    let after: CursorValue[] | null = null;
    for (let page = 0; page < 2; page++) {
      const search = nameSearch(q, { after, afterId: after && idIn(after[0]), take: 6 });
      const { statements, result } = await recordStatements(database.db, (recording) =>
        tenantReadTx(recording, workspace.tenant.id, (tx) => listRepositories(tx, filter, search)),
      );
      const last = result.at(-1);
      after = last ? namePosition(last) : null;
      for (const mode of modes) {
        const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
        const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
        // A seed has few organizations, of which the planner may read all.
        const scanned = new Set(scans.map((node) => node['Relation Name']));
        assert.deepEqual(
          [...scanned].filter((table) => table !== 'organization'),
          [],
          `${q}, ${mode}`,
        );
        const terms = nodes.filter((node) => node['Index Name'] === 'name_term_pkey');
        assert.ok(
          terms.some((node) => /term >= .*term </.test(node['Index Cond'] ?? '')),
          `${q}, ${mode}: ${terms.map((node) => node['Index Cond'])}`,
        );
        const mostRows = Math.max(...terms.map((node) => node['Actual Rows'] * node['Actual Loops']));
        assert.ok(mostRows <= 30, `${q}, ${mode}: ${mostRows} rows`);
      }
    }
  }
});

test('assigned and overdue vulnerabilities of a person are found by their index', async () => {
  const userId = workspace.people.member.user.id;
  const { statements } = await recordStatements(database.db, (recording) =>
    tenantReadTx(recording, workspace.tenant.id, (tx) => countOverdue(tx, userId, new Date())),
  );
  for (const mode of modes) {
    const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
    assert.ok(nodes.some((node) => node['Index Name'] === 'vulnerability_assignee'));
    const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    // The seed has no policy and no exception.
    assert.deepEqual(
      scanned.filter((node) => node['Relation Name']?.startsWith('vulnerability')),
      [],
      mode,
    );
  }
});

test('the next reports of a long backlog are the oldest free ones of two repositories, and few rows are read for them', async () => {
  const tenantId = workspace.tenant.id;
  // Fifteen reports of each of two hundred repositories wait, one of each after another.
  const enqueue = `insert into scan (tenant_id, id, repository_id, reference_id, format, status, attempts, scanned_at, digest,
            content_digest, updated_at)
     select $1, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, r.id, f.id, 'auto', 'queued', 0, now(), '', '', now()
       from (select n, row_number() over (order by n) % 200 as repository from generate_series(1, 3000) n) w
       join (select id, row_number() over (order by id) - 1 as number from repository where tenant_id = $1) r on r.number = w.repository
       join lateral (select id from reference where tenant_id = $1 and repository_id = r.id limit 1) f on true`;
  await owner.query(
    `update scan set status = 'completed' where tenant_id = $1 and ${sqlIsUnfinished('status')}`,
    [tenantId],
  );
  await owner.query(enqueue, [tenantId]);
  const oldest = (
    await owner.query<{ id: string; repository_id: string }>(
      `select id, repository_id from scan where tenant_id = $1 and status = 'queued' order by id limit 300`,
      [tenantId],
    )
  ).rows;
  const begin = (count: number) =>
    owner.query(`update scan set status = 'running' where tenant_id = $1 and id = any($2::uuid[])`, [
      tenantId,
      oldest.slice(0, count).map(({ id }) => id),
    ]);
  for (const held of [0, 3, 60, 199, 200]) {
    await begin(held);
    const { statements, result } = await recordStatements(database.db, (recording) =>
      tenantReadTx(recording, tenantId, (tx) => listFirstScans(tx, 30_000)),
    );
    const free = oldest.slice(held, Math.min(held + 2, 200));
    const first = [...free, ...oldest].slice(0, 2);
    assert.deepEqual(
      result,
      first.map(({ id, repository_id }) => ({
        id,
        repository_id,
        is_free: free.some((row) => row.id === id),
      })),
      `${held} repositories are held`,
    );
    if (held > 3) continue;
    for (const mode of modes) {
      const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
      const read = nodes.filter((node) => node['Relation Name'] === 'scan');
      for (const node of read) {
        const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
        assert.ok(rows < 20, `${held} held, ${mode}: ${node['Node Type']} reads ${rows} rows`);
      }
    }
  }
});

interface ScopeCase {
  name: string;
  query: ListRequest;
  /** The index whose ranges are the page, and the columns by which it is searched. */
  index: string;
  columns: string[];
  /** The column with the packed state. */
  state?: string;
}

const repo = 'team-1/service-0';
const scopes: ScopeCase[] = [
  { name: 'workspace', query: {}, index: 'vulnerability_packed_state', columns: ['tenant_id'] },
  {
    name: 'repository',
    query: { repo },
    index: 'vulnerability_repository',
    columns: ['tenant_id', 'repository_id'],
  },
  {
    name: 'reference',
    query: { repo, ref: 'main' },
    index: 'vulnerability_reference_list',
    columns: ['tenant_id', 'reference_id'],
  },
  {
    name: 'reference name',
    query: { ref: 'develop' },
    index: 'vulnerability_reference_name',
    columns: ['tenant_id', 'full_ref'],
  },
  {
    name: 'default branches',
    query: { ref: 'HEAD' },
    index: 'vulnerability_default_branch',
    columns: ['tenant_id'],
    state: 'default_branch_state',
  },
  {
    name: 'application',
    query: { application: 'Shop' },
    index: 'vulnerability_repository',
    columns: ['tenant_id', 'repository_id'],
  },
  {
    name: 'default branches of an application',
    query: { application: 'Shop', ref: 'HEAD' },
    index: 'vulnerability_reference_list',
    columns: ['tenant_id', 'reference_id'],
  },
];
// A third of the seed's three years.
const since = new Date(Date.now() - 365 * 24 * 3600_000).toISOString().slice(0, 10);
const filters: ListRequest[] = [
  {},
  { state: 'open' },
  { source: 'git_history' },
  { confirmed: 'yes' },
  { triaged: 'no' },
  { fix: 'yes' },
  { severity: ['critical'] },
  { severity: ['critical', 'high'] },
  { type: ['dependency'] },
  { assignee: 'unassigned' },
  { assignee: 'assigned' },
  { introduced_since: since },
  { introduced_since: since, state: 'open' },
  { state: 'open', triaged: 'no', severity: ['high'], type: ['dependency', 'container'] },
];
const sorts = ['severity', 'newest', 'oldest'] as const;

for (const scope of scopes) {
  for (const sort of sorts) {
    test(`${scope.name} by ${sort}: reads ranges of the index, whatever the filter`, async () => {
      for (const filter of filters) {
        const request = { ...scope.query, ...filter, sort };
        for (const statements of await firstTwoPages(request)) {
          for (const mode of modes) {
            const problems = await problemsOf(scope, request, statements, mode);
            assert.deepEqual(problems, [], `${JSON.stringify(request)}, ${mode}`);
          }
        }
      }
    });
  }
}

const filtersWithOwnIndex: ListRequest[] = [
  { assignee: 'me' },
  { exploitable: 'yes' },
  { epss_min: '0.1' },
  { package: 'openssl' },
  { due: 'soon' },
];

// Connections keep the plan of these lists, and make it from the statistics of all workspaces together.
async function keptScans(from: typeof plan): Promise<[request: string, scans: string[]][]> {
  const { db, secret } = from.database;
  const caller = { ...principal, ...principalAs(from.workspace, 'member'), scopes: principal.scopes };
  const byRanges = scopes.flatMap((scope) =>
    sorts.flatMap((sort) =>
      [{}, { state: 'open' } as const, { introduced_since: since }].map((filter): ListRequest => {
        return { ...scope.query, ...filter, sort };
      }),
    ),
  );
  const byOwnIndex = [{}, { ref: 'HEAD' }].flatMap((scope) =>
    filtersWithOwnIndex.flatMap((filter) =>
      sorts.map((sort): ListRequest => ({ ...scope, ...filter, sort })),
    ),
  );
  const kept: [string, string[]][] = [];
  for (const request of [...byRanges, ...byOwnIndex]) {
    const { statements } = await recordList(db, cursors(secret.key('cursor')), caller, request);
    assert.ok(statements.some(({ text }) => text.includes('force_generic_plan')));
    const plans = (await from.plansOf(statements, 'force_generic_plan')).slice(-1);
    const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] !== undefined);
    // Rows of a page are joined by key in any order.
    const names = scans.map((node) => `${node['Node Type']} ${node['Index Name']}`).sort();
    kept.push([JSON.stringify(request), names]);
  }
  return kept;
}

test('a list that is planned once reads the same indexes in a new, small workspace', async () => {
  await small.seed(500);
  await createApplication(small.owner, small.workspace.tenant.id);
  await seedViolations(small.owner, small.workspace.tenant.id, 2);
  assert.deepEqual(await keptScans(small), await keptScans(plan));
});

test('a list that is planned once reads the same indexes with statistics of a thousand workspaces', async () => {
  const before = await keptScans(plan);
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema::regnamespace and a.attname = 'tenant_id'`,
  );
  const set = async (value: string): Promise<void> => {
    for (const { name } of tables) await owner.query(`alter table ${name} alter column tenant_id ${value}`);
    await owner.query('analyze');
  };
  await set('set (n_distinct = 1000)');
  assert.deepEqual(await keptScans(plan), before);
  await set('reset (n_distinct)');
});

for (const scope of scopes) {
  test(`${scope.name}: the check fails when the index is missing`, async () => {
    const request: ListRequest = { ...scope.query, state: 'open', sort: 'newest' };
    const [statements = []] = await firstTwoPages(request);
    for (const mode of modes) {
      assert.notDeepEqual(await problemsOf(scope, request, statements, mode, scope.index), []);
    }
  });
}

test('the check of the newest fails when the index is missing', async () => {
  const [scope] = scopes;
  assert.ok(scope);
  const request: ListRequest = { sort: 'newest' };
  const [statements = []] = await firstTwoPages(request);
  for (const mode of modes) {
    assert.notDeepEqual(await problemsOf(scope, request, statements, mode, 'vulnerability_introduced'), []);
  }
});

interface CandidateCase {
  name: string;
  query: () => Promise<ListRequest>;
  /** Each table must be searched by these columns at least. */
  indexes: Record<string, string[]>;
  /** In the workspace and on the default branches, this index alone counts the rows. */
  counts?: string;
}

const candidateCases: CandidateCase[] = [
  {
    name: 'assignee',
    query: async () => ({ assignee: 'me' }),
    indexes: { vulnerability_assignee: ['tenant_id', 'assignee_id'] },
  },
  {
    name: 'exploitable',
    query: async () => ({ exploitable: 'yes' }),
    indexes: { vulnerability_exploitable: ['tenant_id'] },
  },
  {
    name: 'EPSS from the lowest score of a band on',
    query: async () => ({ epss_min: '0.1' }),
    indexes: { vulnerability_likely: ['tenant_id', 'epss_band'] },
    counts: 'vulnerability_likely',
  },
  {
    name: 'EPSS',
    query: async () => ({ epss_min: '0.95' }),
    indexes: {
      epss_score: ['score'],
      vulnerability_advisory: ['tenant_id', 'advisory'],
      vulnerability_cve_pkey: ['tenant_id', 'cve'],
    },
  },
  {
    name: 'EPSS from a tenth on, in the order of the ids',
    query: async () => ({ epss_min: '0.11' }),
    indexes: { epss_likely: [], vulnerability_advisory: ['tenant_id', 'advisory'] },
  },
  {
    name: 'commit',
    query: async () => ({ sha: await commit() }),
    indexes: {
      scan_sha: ['tenant_id', 'sha'],
      location_observation_open: ['tenant_id', 'series_id'],
      location_observation_ended: ['tenant_id', 'series_id', 'until_seq'],
    },
  },
  {
    name: 'package',
    query: async () => ({ package: 'openssl' }),
    indexes: { vulnerability_package: ['tenant_id', 'package_name'] },
  },
  {
    name: 'overdue',
    query: async () => ({ due: 'overdue' }),
    indexes: {},
    counts: 'policy_violation_first_due',
  },
  {
    name: 'words',
    query: async () => ({ q: 'openssl' }),
    indexes: {
      search_term_pkey: ['tenant_id', 'term'],
      search_text_pkey: ['tenant_id', 'text_key'],
      vulnerability_search: ['tenant_id', 'search_key'],
    },
    counts: 'vulnerability_search',
  },
  {
    name: 'advisory',
    query: async () => ({ q: 'CVE-2021-44228' }),
    indexes: {
      search_term_pkey: ['tenant_id', 'term'],
      search_text_pkey: ['tenant_id', 'text_key'],
      vulnerability_search: ['tenant_id', 'search_key'],
      vulnerability_advisory: ['tenant_id', 'advisory'],
      vulnerability_cve_pkey: ['tenant_id', 'cve'],
    },
  },
];

for (const { name, query, indexes, counts } of candidateCases) {
  test(`${name}: starts from its own index`, async () => {
    for (const scope of scopes) {
      const request = { ...scope.query, ...(await query()) };
      const [statements = []] = await firstTwoPages(request);
      const plans = await plansOf(statements, 'force_custom_plan');
      const nodes = plans.flatMap(nodesOf);
      for (const [index, columns] of Object.entries(indexes)) {
        const searches = nodes.filter((node) => node['Index Name'] === index);
        assert.ok(searches.length > 0, `${scope.name}: ${index} is not used`);
        for (const node of searches) {
          const condition = node['Index Cond'] ?? '';
          for (const column of columns) assert.match(condition, new RegExp(`\\b${column}\\b`), index);
        }
      }
      if (counts !== undefined && ['workspace', 'default branches'].includes(scope.name)) {
        const [counting, ...reading] = nodes.filter((node) => node['Index Name'] === counts);
        assert.equal(counting?.['Node Type'], 'Index Only Scan', scope.name);
        const rows = reading.map((node) => node['Actual Rows'] * node['Actual Loops']);
        const counted = counting?.['Actual Rows'] ?? 0;
        assert.ok(counted > 2 * perPage && Math.max(...rows) < counted, `${scope.name}: ${counted}, ${rows}`);
      }
      const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && isBig(node));
      assert.deepEqual(
        scans.map((node) => node['Relation Name']),
        [],
        scope.name,
      );
      // A search without the second column goes through the whole index by skipping.
      const skipping = nodes.filter((node) => node['Index Name'] === 'location_observation_location');
      assert.deepEqual(skipping, [], scope.name);
    }
  });
}

const bigTables = [
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_location',
  'vulnerability_count',
  'location_observation',
  'search_term',
  'search_text',
  'vulnerability_cve',
  'epss',
  'scan',
  'series_scan',
];

function isBig(node: PlanNode): boolean {
  return bigTables.includes(node['Relation Name'] ?? '');
}

/** Returns the statements that the service sends for the first page and, if there is one, for the second. */
async function firstTwoPages(request: ListRequest): Promise<Statement[][]> {
  const key = cursors(database.secret.key('cursor'));
  const first = await recordList(database.db, key, principal, { ...request, per_page: perPage });
  if (first.nextCursor === null) return [first.statements];
  const next = { ...request, per_page: perPage, cursor: first.nextCursor };
  const second = await recordList(database.db, key, principal, next);
  return [first.statements, second.statements];
}

/** Returns the problems of the plans of a list by packed states; empty if they are right. */
async function problemsOf(
  scope: ScopeCase,
  request: ListRequest,
  statements: Statement[],
  mode: Mode,
  withoutIndex?: string,
): Promise<string[]> {
  const problems: string[] = [];
  const plans = await plansOf(statements, mode, withoutIndex);
  const reads = statements.filter(({ text }) => !/^(begin|set|commit)\b/.test(text));
  const nodes = plans.flatMap(nodesOf);
  const byTimeAlone = isPlainTimeOrder(scope, request);
  const index = byTimeAlone ? 'vulnerability_introduced' : scope.index;
  const columns = byTimeAlone ? ['tenant_id'] : [...scope.columns, scope.state ?? 'packed_state'];
  const counters = nodes.filter((node) => node['Relation Name'] === 'vulnerability_count');
  const packedStates = Math.max(1, ...counters.map((node) => node['Actual Rows'] * node['Actual Loops']));
  const mostRows = packedStates * (perPage + 1);
  // The count of vulnerabilities since a time reads ranges of the index.
  const counting = plans.filter((_, i) => reads[i]?.text.includes('count(*)')).flatMap(nodesOf);

  const ranges = nodes.filter((node) => node['Index Name'] === index);
  // If the filter allows nothing, the service reads no page.
  const readsRows = nodes.some((node) => node['Relation Name'] === 'vulnerability');
  if (readsRows && ranges.length === 0) problems.push(`${index} is not used`);
  for (const node of ranges) {
    const condition = node['Index Cond'] ?? '';
    // In the order of time it reads only the rows of the page.
    if (node['Node Type'] !== 'Index Only Scan' && !byTimeAlone)
      problems.push(`${index}: ${node['Node Type']}`);
    for (const column of columns) {
      if (!new RegExp(`\\(${column} = `).test(condition))
        problems.push(`${index}: no condition on ${column}`);
    }
    // A count begins or ends at a time, a page at the last row of the previous one.
    if (!/ROW\(introduced_at, (vulnerability_)?id\) [<>]=? ROW\(|\(introduced_at [<>]=? /.test(condition)) {
      problems.push(`${index}: no condition on the position`);
    }
    if (node.Filter !== undefined) problems.push(`${index}: filters ${node.Filter}`);
  }
  for (const node of nodes.filter(isBig)) {
    const name = node['Index Name'] ?? node['Relation Name'];
    if (!node['Node Type'].startsWith('Index')) problems.push(`${name}: ${node['Node Type']}`);
    if (!(node['Index Cond'] ?? '').includes('tenant_id = '))
      problems.push(`${name}: no condition on tenant_id`);
    const isCounter = node['Relation Name'] === 'vulnerability_count';
    if (isCounter && !/\(\(scope\)::text = .*\(key = /.test(node['Index Cond'] ?? ''))
      problems.push(`${name}: not by scope and key`);
    if (!isCounter && node.Filter !== undefined) problems.push(`${name}: filters ${node.Filter}`);
    // Counters have one row for each packed state, also for those that the filter excludes.
    if (!isCounter && !counting.includes(node) && node['Actual Rows'] * node['Actual Loops'] > mostRows)
      problems.push(`${name}: reads too many rows`);
  }
  for (const node of nodes.filter((one) => one['Node Type'].includes('Sort'))) {
    const [input] = node.Plans ?? [];
    const rows = (input?.['Actual Rows'] ?? 0) * (input?.['Actual Loops'] ?? 0);
    if (rows > mostRows) problems.push(`sorts ${rows} rows`);
  }
  return problems;
}

function isPlainTimeOrder(scope: ScopeCase, { sort, introduced_since: _, ...filter }: ListRequest): boolean {
  return scope.name === 'workspace' && sort !== 'severity' && Object.keys(filter).length === 0;
}

async function commit(): Promise<string> {
  const { rows } = await owner.query<{ sha: string }>(
    `select s.sha from repository r join scan s on s.tenant_id = r.tenant_id and s.reference_id = r.default_reference_id
      where r.tenant_id = $1 and r.name_key = $2 order by s.scanned_at offset 18 limit 1`,
    [workspace.tenant.id, repo],
  );
  return rows[0]?.sha ?? '';
}
