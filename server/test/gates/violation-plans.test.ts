/**
 * Tests of the plans for the list of policy violations. PostgreSQL plans and runs each statement as the running role,
 * under row-level security, with custom and generic plans, with statistics and without. Numbers come from the list's
 * index alone, a page is ranges of it, and other columns are looked up for the rows of the page.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { recordStatements, type Statement } from '../../../benchmarks/statements.ts';
import type { Database } from '../../src/db/database.ts';
import { cursors } from '../../src/http/page.ts';
import { listPolicyViolations, type ViolationListRequest } from '../../src/policies/violations/service.ts';
import {
  listWorkspaceViolations,
  type WorkspaceViolationRequest,
} from '../../src/policies/violations/workspace-violations.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { type Mode, modes, nodesOf, type PlanNode } from './read-plans.ts';
import { seedViolations } from './violation-rows.ts';

const perPage = 50;
const policies = 3;

const { database, workspace, owner, plansOf, seed } = await createPlanWorkspace();
const { tenant } = workspace;

before(async () => {
  // Enough rows that a scan of a table costs the planner more than the index, and few enough to create in some seconds.
  await seed(20_000);
  await seedViolations(owner, tenant.id, policies);
});

type Request = WorkspaceViolationRequest;

interface ScopeCase {
  name: string;
  query: Request;
  list: (db: Database, request: Request) => Promise<{ next_cursor: string | null }>;
  index: string;
  /** The columns at the beginning of the index, between the workspace and the packed state. */
  columns: string[];
  id: string;
}

const key = cursors(database.secret.key('cursor'));
const listOne: ScopeCase['list'] = (db, request) =>
  listPolicyViolations(db, key, tenant.id, request as ViolationListRequest);
const listAll: ScopeCase['list'] = (db, request) => listWorkspaceViolations(db, key, tenant.id, request);

const repo = 'team-1/service-0';
const scopes: ScopeCase[] = [
  {
    name: 'repository',
    query: { repo },
    list: listOne,
    index: 'policy_violation_list',
    columns: ['repository_id'],
    id: 'id',
  },
  {
    name: 'reference',
    query: { repo, ref: 'main' } as Request,
    list: listOne,
    index: 'violation_reference_list',
    columns: ['reference_id'],
    id: 'violation_id',
  },
  {
    name: 'all repositories',
    query: {},
    list: listAll,
    index: 'policy_violation_due',
    columns: [],
    id: 'id',
  },
  {
    name: 'all, of one repository',
    query: { repo },
    list: listAll,
    index: 'policy_violation_list',
    columns: ['repository_id'],
    id: 'id',
  },
];
const filters: Request[] = [
  {},
  { status: ['open'] },
  { status: ['open', 'pending_review'], enforcement: ['block'] },
  { policy: ['policy-2'] },
  { policy: ['policy-1', 'policy-3'], status: ['resolved'] },
  { target_type: ['vulnerability'] },
];
const filtersOfAll: Request[] = [
  ...filters,
  { due: 'overdue' },
  { due: 'later' },
  { due: 'soon', per_page: 1 },
  { blocking: 'yes' },
  { snoozed: 'no', policy: ['policy-3'], due: 'overdue' },
];

for (const statistics of ['without', 'with'] as const) {
  describe(`${statistics} statistics`, () => {
    before(async () => {
      if (statistics === 'with') await owner.query('vacuum (analyze)');
    });

    for (const scope of scopes) {
      test(`${scope.name}: reads ranges of the index, whatever the filter`, async () => {
        for (const filter of scope.list === listAll ? filtersOfAll : filters) {
          const request = { ...scope.query, ...filter };
          for (const statements of await firstTwoPages(scope, request)) {
            for (const mode of modes) {
              const problems = await problemsOf(scope, request, statements, mode);
              assert.deepEqual(problems, [], `${JSON.stringify(request)}, ${mode}`);
            }
          }
        }
      });

      test(`${scope.name}: the check fails when the index is missing`, async () => {
        const request: Request = { ...scope.query, status: ['open'] };
        const [statements = []] = await firstTwoPages(scope, request);
        for (const mode of modes) {
          assert.notDeepEqual(await problemsOf(scope, request, statements, mode, scope.index), []);
        }
      });
    }

    test('a search reads the terms, the vulnerabilities that have them, and the violations of each', async () => {
      const { statements } = await recordStatements(database.db, (recording) =>
        listAll(recording, { q: 'lodash', status: ['open'] }),
      );
      for (const mode of modes) {
        const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
        const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
        const large = ['vulnerability', 'policy_violation', 'search_term'];
        assert.deepEqual(
          scanned.filter((node) => large.includes(node['Relation Name'] ?? '')),
          [],
          mode,
        );
        for (const index of ['search_term_pkey', 'policy_violation_target']) {
          assert.ok(
            nodes.some((node) => node['Index Name'] === index),
            `${index}, ${mode}`,
          );
        }
      }
    });

    test('a page of 200 takes as many statements as a page of 1', async () => {
      for (const scope of scopes) {
        const [few = [], many = []] = await Promise.all(
          [1, 200].map(async (size) => (await record(scope, { ...scope.query, per_page: size })).statements),
        );
        assert.equal(many.length, few.length);
      }
    });
  });
}

async function record(
  { list }: ScopeCase,
  request: Request,
): Promise<{ statements: Statement[]; nextCursor: string | null }> {
  const { statements, result } = await recordStatements(database.db, (recording) => list(recording, request));
  return { statements, nextCursor: result.next_cursor };
}

async function firstTwoPages(scope: ScopeCase, request: Request): Promise<Statement[][]> {
  const first = await record(scope, { per_page: perPage, ...request });
  assert.ok(first.nextCursor, `${JSON.stringify(request)} has one page only`);
  const second = await record(scope, { per_page: perPage, ...request, cursor: first.nextCursor });
  return [first.statements, second.statements];
}

/** These tables grow with a workspace. Others, such as repositories, may be read completely. */
const bigTables = ['policy_violation', 'violation_reference', 'vulnerability', 'vulnerability_reference'];

function isBig(node: PlanNode): boolean {
  return bigTables.includes(node['Relation Name'] ?? '');
}

/** True if the plan reads all violations of the policies with few violations there, whatever their state. */
function isByPolicy(node: PlanNode): boolean {
  return (
    node['Index Name'] === 'policy_violation_policy' &&
    ['tenant_id = ', 'policy_id = ANY', 'repository_id = '].every((part) =>
      (node['Index Cond'] ?? '').includes(part),
    )
  );
}

/** Returns the plans of the statements that read. */
function readsOf(statements: Statement[]): Statement[] {
  return statements.filter(({ text }) => !/^(begin|set|commit)\b/.test(text));
}

/** Returns the problems of the plans of the list; empty if they are right. */
async function problemsOf(
  scope: ScopeCase,
  request: Request,
  statements: Statement[],
  mode: Mode,
  withoutIndex?: string,
): Promise<string[]> {
  const problems: string[] = [];
  const plans = await plansOf(statements, mode, withoutIndex);
  const nodes = plans.flatMap(nodesOf);
  if (request.policy && nodes.some(isByPolicy)) return [];
  const searches = nodes.filter((node) => node['Index Name'] === scope.index);
  const isRange = (node: PlanNode): boolean =>
    ['>', '<'].every((sign) =>
      (node['Index Cond'] ?? '').includes(`ROW(packed_state, due_at, ${scope.id}) ${sign} ROW(`),
    );
  const counting = plans.filter((_, i) => readsOf(statements)[i]?.text.includes('count(*)')).flatMap(nodesOf);
  const counts = searches.filter((node) => counting.includes(node));
  const ranges = searches.filter((node) => !counts.includes(node));
  if (ranges.length === 0) problems.push(`${scope.index}: no page by it`);
  if (counts.length === 0) problems.push(`${scope.index}: nothing is counted by it`);
  for (const node of searches) {
    const condition = node['Index Cond'] ?? '';
    for (const column of ['tenant_id', ...scope.columns]) {
      if (!new RegExp(`\\(${column} = `).test(condition)) problems.push(`${scope.index}: not by ${column}`);
    }
    // A repository or a reference is counted completely.
    if (!isRange(node) && !(counts.includes(node) && scope.list === listOne)) {
      problems.push(`${scope.index}: no range of it`);
    }
    // The index contains the policy, but not as a column of its order.
    if (node.Filter !== undefined && !/^\(.*(policy_id = ANY \(|array_position\()/.test(node.Filter)) {
      problems.push(`${scope.index}: filters ${node.Filter}`);
    }
  }
  for (const node of nodes.filter((one) => isBig(one) && !counts.includes(one))) {
    const name = node['Index Name'] ?? node['Relation Name'];
    if (!node['Node Type'].startsWith('Index')) problems.push(`${name}: ${node['Node Type']}`);
    if (!(node['Index Cond'] ?? '').includes('tenant_id = ')) problems.push(`${name}: not by tenant_id`);
    // The time of the last observation is read only for rows that still match.
    if (node.Filter !== undefined && !ranges.includes(node) && node.Filter !== '(cleared_at IS NULL)') {
      problems.push(`${name}: filters ${node.Filter}`);
    }
    const rows = node['Actual Rows'] * node['Actual Loops'];
    // A row of the page matches on one or two references.
    const most = ranges.includes(node) ? 12 * (perPage + 1) : 4 * (perPage + 1);
    if (rows > most) problems.push(`${name}: reads ${rows} rows`);
  }
  return problems;
}
