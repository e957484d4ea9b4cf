/**
 * Tests of the plans for the console's pages. PostgreSQL plans and runs each statement as the running role, under
 * row-level security, with custom and generic plans, with statistics and without. The overview and the trend read
 * counters, days and ranges of an index; signals and references find each row by a key.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { recordStatements } from '../../../benchmarks/statements.ts';
import { type Database, tenantReadTx } from '../../src/db/database.ts';
import { formatId, nilId, type RepositoryId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { packViolation, violationStatuses } from '../../src/domain/violation-state.ts';
import { listReferences } from '../../src/inventory/repositories/reference-store.ts';
import { listPoliciesOf } from '../../src/policies/violations/repository-policies.ts';
import { readOverview } from '../../src/reports/overview/overview.ts';
import { readStatusReport } from '../../src/reports/overview/status-report.ts';
import { readTrend } from '../../src/reports/overview/trend.ts';
import { readFacets } from '../../src/vulnerabilities/facets.ts';
import { readGroups } from '../../src/vulnerabilities/groups.ts';
import { readSignals } from '../../src/vulnerabilities/signals.ts';
import { principalAs } from '../support/workspace.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { modes, nodesOf, type PlanNode, skipsInIndexes } from './read-plans.ts';

const { database, workspace, owner, plansOf, seed } = await createPlanWorkspace();
const { tenant, people } = workspace;
const principal = principalAs(workspace, 'member');
const repo = 'team-1/service-0';
const page = 50;
const ids: string[] = [];
let repositoryId: RepositoryId = nilId;

before(async () => {
  const grows = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`,
  );
  // Autovacuum is off, because the first round must have no statistics.
  for (const { name } of grows.rows)
    await owner.query(`alter table ${name} set (autovacuum_enabled = false)`);
  // Enough rows that a scan of a table costs the planner more than the index, and few enough to create in some seconds.
  await seed(20_000);
  await seedViolations();
  await seedExceptions();
  const found = await owner.query<{ id: VulnerabilityId; repository_id: RepositoryId }>(
    `select v.id, v.repository_id from vulnerability v join repository r on r.tenant_id = v.tenant_id and r.id = v.repository_id
      where v.tenant_id = $1 and r.name_key = $2 order by v.id limit $3`,
    [tenant.id, repo, page],
  );
  ids.push(...found.rows.map((row) => formatId('vulnerability', row.id)));
  repositoryId = found.rows[0]?.repository_id ?? nilId;
});

// Each vulnerability gets a violation with a state and a due date that depend on its id.
async function seedViolations(): Promise<void> {
  const packedStates = violationStatuses.flatMap((status) =>
    (['monitor', 'warn', 'block'] as const).map((enforcement) =>
      packViolation({ status, enforcement, targetType: 'vulnerability', snoozed: false }),
    ),
  );
  await owner.query(
    `insert into policy (tenant_id, id, key, name, type, status, target_type, enforcement_mode, condition)
     values ($1, gen_random_uuid(), 'policy', 'Policy', 'custom', 'active', 'vulnerability', 'block', '{}')`,
    [tenant.id],
  );
  await owner.query(
    `insert into policy_violation (tenant_id, id, repository_id, policy_id, target_type, target_id, packed_state, severity,
            reference_id, first_seen_at, opened_at, started_at, tracked, due_at)
     select $1, gen_random_uuid(), w.repository_id, p.id, 'vulnerability', w.id,
            (array[${packedStates.join()}])[1 + abs(hashtext(w.id::text)) % ${packedStates.length}], 'high', w.primary_reference_id,
            w.introduced_at, w.introduced_at, w.introduced_at, true, w.introduced_at + interval '1 year'
       from vulnerability w join policy p on p.tenant_id = w.tenant_id and p.key = 'policy'
      where w.tenant_id = $1`,
    [tenant.id],
  );
}

// Each violation has had an exception, and one of fifty waits for a review.
async function seedExceptions(): Promise<void> {
  await owner.query(
    `insert into policy_exception (tenant_id, id, policy_id, repository_id, violation_id, mode, status, reason, requested_by)
     select tenant_id, gen_random_uuid(), policy_id, repository_id, id, 'exempt',
            case when abs(hashtext(id::text)) % 50 = 0 then 'requested' else 'ended' end, 'known', $2
       from policy_violation where tenant_id = $1`,
    [tenant.id, people.member.user.id],
  );
}

interface Read {
  name: string;
  run: (db: Database) => Promise<unknown>;
  /** Each table must be searched by these columns. */
  indexes: Record<string, string[]>;
  /** Tables that must not be read. */
  never: string[];
  /**
   * Maximum number of rows of growing tables, by table. Other tables may give as many rows as the page has, and a few
   * more each.
   */
  most?: Record<string, number>;
}

const rowsOfFindings = [
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_location',
  'vulnerability_reporter',
];
const inTenant = <T>(db: Database, work: Parameters<typeof tenantReadTx<T>>[2]): Promise<T> =>
  tenantReadTx(db, tenant.id, work);
const now = new Date();

const reads: Read[] = [
  {
    name: 'overview',
    run: (db) => inTenant(db, (tx) => readOverview(tx, 'tracked', now, 30)),
    indexes: {
      policy_violation_due: ['tenant_id', 'packed_state'],
      vulnerability_day_pkey: ['tenant_id', 'scope', 'key', 'day'],
      vulnerability_count_pkey: ['tenant_id', 'scope', 'key'],
      vulnerability_exploitable: ['tenant_id', 'packed_state'],
      policy_exception_status: ['tenant_id', 'status'],
    },
    never: rowsOfFindings.slice(1),
    most: {
      // Only exploitable vulnerabilities, and the waiting exceptions.
      vulnerability: 1_000,
      policy_exception: 1_000,
      policy_violation: 20_000,
      vulnerability_count: 20_000,
      vulnerability_day: 90 * 6,
      scan_series: 20_000,
      // All scans of the week, because the seed's last round of scans is today's.
      scan: 6_000,
    },
  },
  {
    name: 'status report of an organization',
    run: (db) => inTenant(db, (tx) => readStatusReport(tx, { organization: 'team-1' }, now)),
    indexes: {
      policy_violation_list: ['tenant_id', 'repository_id'],
      vulnerability_day_pkey: ['tenant_id', 'scope', 'key', 'day'],
      vulnerability_exploitable: ['tenant_id', 'packed_state'],
    },
    never: rowsOfFindings.slice(1),
    most: {
      policy_violation: 5_000,
      vulnerability: 2_000,
      vulnerability_count: 20_000,
      vulnerability_day: 20_000,
      scan: 1_000,
    },
  },
  {
    name: 'status report of the workspace',
    run: (db) => inTenant(db, (tx) => readStatusReport(tx, {}, now)),
    indexes: { vulnerability_day_pkey: ['tenant_id', 'scope', 'key', 'day'] },
    never: rowsOfFindings.slice(1),
    most: {
      policy_violation: 20_000,
      vulnerability: 2_000,
      vulnerability_count: 60_000,
      vulnerability_day: 60_000,
      scan: 1_000,
    },
  },
  {
    name: 'trend',
    run: (db) => inTenant(db, (tx) => readTrend(tx, { repo, days: 90, now })),
    indexes: {
      vulnerability_day_pkey: ['tenant_id', 'scope', 'key', 'day'],
      vulnerability_count_pkey: ['tenant_id', 'scope', 'key'],
    },
    never: [...rowsOfFindings, 'policy_violation'],
    most: { vulnerability_day: 90 * 6, vulnerability_count: 500, scan: page },
  },
  {
    name: 'facets',
    run: (db) => inTenant(db, (tx) => readFacets(tx, principal, { state: 'open' })),
    indexes: {
      vulnerability_count_pkey: ['tenant_id', 'scope', 'key'],
      vulnerability_assignee: ['tenant_id', 'assignee_id'],
    },
    never: rowsOfFindings.slice(1),
    // A twentieth of all vulnerabilities is assigned to the person who asks.
    most: { vulnerability: 2_000, vulnerability_count: 500 },
  },
  {
    name: 'groups of a repository',
    run: (db) => readGroups(db, principal, 'rule', 50, { repo, state: 'open' }),
    indexes: { vulnerability_rule_key: ['tenant_id', 'rule_key'] },
    never: rowsOfFindings.slice(1),
    most: { vulnerability: 20_000, vulnerability_count: 500 },
  },
  {
    name: 'groups of what is open on default branches',
    run: (db) => readGroups(db, principal, 'rule', 50, { ref: 'HEAD', state: 'open' }),
    indexes: {
      open_group_worst: ['tenant_id', 'scope', 'kind'],
      vulnerability_rule_key: ['tenant_id', 'rule_key'],
    },
    never: rowsOfFindings.slice(1),
    // Before PostgreSQL 18, which skips in an index, the range of the default branches is read from the index alone.
    most: {
      vulnerability: (await skipsInIndexes(owner)) ? 1_000 : 5_000,
      vulnerability_count: 500,
      open_group: 10_000,
    },
  },
  {
    name: 'signals',
    run: (db) => inTenant(db, (tx) => readSignals(tx, ids, now)),
    indexes: {
      vulnerability_pkey: ['tenant_id', 'id'],
      policy_violation_target: ['tenant_id', 'repository_id', 'target_id'],
      vulnerability_reporter_pkey: ['tenant_id', 'vulnerability_id'],
      vulnerability_reference_pkey: ['tenant_id', 'vulnerability_id'],
    },
    never: ['scan', 'vulnerability_location'],
  },
  {
    name: 'policies of a repository',
    run: (db) => inTenant(db, (tx) => listPoliciesOf(tx, repo)),
    indexes: { policy_violation_list: ['tenant_id', 'repository_id', 'packed_state'] },
    never: [...rowsOfFindings, 'scan', 'scan_series', 'vulnerability_count'],
    most: { policy_violation: 2_000 },
  },
  {
    name: 'references',
    run: (db) => inTenant(db, (tx) => listReferences(tx, repositoryId, null, page)),
    indexes: {
      vulnerability_count_pkey: ['tenant_id', 'scope', 'key'],
      scan_series_key: ['tenant_id', 'reference_id'],
    },
    never: rowsOfFindings,
    most: { vulnerability_count: 2_000 },
  },
];

/** These tables grow with a workspace. Others, such as repositories, may be read completely. */
const bigTables = [
  ...rowsOfFindings,
  'vulnerability_count',
  'vulnerability_day',
  'policy_violation',
  'policy_exception',
  'location_observation',
  'scan',
  'scan_series',
];

async function problemsOf(
  read: Read,
  mode: (typeof modes)[number],
  withoutIndex?: string,
): Promise<string[]> {
  const { statements } = await recordStatements(database.db, read.run);
  const nodes = (await plansOf(statements, mode, withoutIndex)).flatMap(nodesOf);
  const problems: string[] = [];
  for (const [index, columns] of Object.entries(read.indexes)) {
    const searches = nodes.filter((node) => node['Index Name'] === index);
    if (!searches.some((node) => columns.every((column) => isSearchedBy(node, column)))) {
      problems.push(`${index}: no search by ${columns.join()}`);
    }
  }
  for (const node of nodes) {
    const table = node['Relation Name'] ?? '';
    if (read.never.includes(table)) problems.push(`${table} is read`);
    if (!bigTables.includes(table)) continue;
    if (!node['Node Type'].startsWith('Index')) problems.push(`${table}: ${node['Node Type']}`);
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    const most = read.most?.[table] ?? 5 * page;
    if (rows > most) problems.push(`${node['Index Name']}: reads ${rows} rows`);
  }
  if (read.name === 'overview') {
    const counts = nodes.filter((node) => node['Relation Name'] === 'policy_violation');
    if (!counts.every((node) => node['Node Type'] === 'Index Only Scan')) {
      problems.push('violations are counted by their rows');
    }
  }
  return problems;
}

function isSearchedBy(node: PlanNode, column: string): boolean {
  return new RegExp(`\\b${column}\\b`).test(node['Index Cond'] ?? '');
}

for (const statistics of ['without', 'with'] as const) {
  describe(`${statistics} statistics`, () => {
    before(async () => {
      if (statistics === 'with') await owner.query('vacuum (analyze)');
    });

    for (const read of reads) {
      test(`${read.name}: uses its indexes`, async () => {
        for (const mode of modes) assert.deepEqual(await problemsOf(read, mode), [], mode);
      });
    }

    test('the check fails when the index of the violation count is missing', async () => {
      const [overview] = reads;
      assert.ok(overview);
      for (const mode of modes) {
        assert.notDeepEqual(await problemsOf(overview, mode, 'policy_violation_due'), []);
      }
    });
  });
}
