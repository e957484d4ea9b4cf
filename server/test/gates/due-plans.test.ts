/**
 * Tests of the plans for the search for due work, which asks every workspace each minute, and for that of the gate in
 * one repository. PostgreSQL plans and runs each statement as the running role, under row-level security. An index must
 * find the work among all rows that stay.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordStatements } from '../../../benchmarks/statements.ts';
import { loadConfig } from '../../src/config.ts';
import { tenantReadTx } from '../../src/db/database.ts';
import { isRepositoryPending } from '../../src/policies/evaluation/scope-store.ts';
import { dueConditions } from '../../src/sweep.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { nodesOf, type PlanNode } from './read-plans.ts';
import { seedViolations } from './violation-rows.ts';

const { database, workspace, owner, plansOf, seed } = await createPlanWorkspace();
const tenantId = workspace.tenant.id;
const conditions = dueConditions(loadConfig({ MERLON_KEEP_REPORTS_DAYS: '30' }));

/** These have so many rows that the planner scans none of them if an index finds the work. */
const filledTables = ['vulnerability', 'policy_violation', 'api_key', 'scan', 'scan_report', 'event_batch'];

before(async () => {
  await seed(10_000, [workspace.people.member, workspace.people.admin]);
  await seedViolations(owner, tenantId, 2);
  // The clocks are a minute old, so that each condition reads the window of one sweep.
  await owner.query(
    `insert into event_clock (tenant_id, swept_until) values ($1, now() - interval '1 minute')
     on conflict (tenant_id) do update set swept_until = excluded.swept_until`,
    [tenantId],
  );
  await owner.query(
    `insert into policy_clock (tenant_id, swept_until, builtins, vulnerability_ages, analysis_ages)
     values ($1, now() - interval '1 minute', '', '{30}', '{40}')`,
    [tenantId],
  );
  await owner.query(
    `insert into event_batch (tenant_id, first_number, last_number, id, types, at, content, created_at)
     select $1, n, n, gen_random_uuid(), '{}', now(), '', now() - n * interval '5 minutes' from generate_series(1, 8000) n`,
    [tenantId],
  );
  // The keys of CI runs stay for a week.
  await owner.query(
    `insert into api_key (id, kind, user_id, tenant_id, role, name, secret_sha256, last_four, scopes, expires_at,
            trust_rule_id, repository_id, bound_reference)
     select gen_random_uuid(), 'workspace', $2, $1, 'member', 'CI', sha256(n::text::bytea), 'last', '{}',
            now() - n * interval '1 minute', $2, $2, 'pull_requests' from generate_series(1, 10000) n`,
    [tenantId, workspace.people.member.user.id],
  );
  await owner.query(
    `insert into api_key (id, kind, user_id, name, secret_sha256, last_four, scopes, expires_at)
     select gen_random_uuid(), 'personal', $1, 'Key', sha256('key ' || n::text::bytea), 'last', '{}',
            now() + (n - 500.5) * interval '1 day' from generate_series(1, 1000) n`,
    [workspace.people.member.user.id],
  );
  // The reports of final scans are kept, and those of the last days may be abandoned.
  await owner.query(
    `update scan set finished_at = now() - interval '10 days', created_at = now() - interval '11 days'
      where tenant_id = $1 and status not in ('queued', 'running')`,
    [tenantId],
  );
  await owner.query(
    `insert into scan_report (tenant_id, scan_id, piece, ciphertext, created_at)
     select tenant_id, id, 0, '', created_at from scan where tenant_id = $1`,
    [tenantId],
  );
  await owner.query('vacuum (analyze)');
});

const cases = [
  { title: 'a search of all workspaces', mode: 'force_generic_plan', avoidsScans: true },
  { title: 'a search of one workspace of Citus', mode: 'force_custom_plan', avoidsScans: false },
  {
    title: 'a search of one workspace that avoids scans of small tables',
    mode: 'force_custom_plan',
    avoidsScans: true,
  },
] as const;

for (const { title, mode, avoidsScans } of cases) {
  test(`${title} finds due work by indexes`, async () => {
    for (const condition of conditions) {
      const text = `(bigint, timestamptz) as select ${condition
        .replaceAll('asked_tenant', '$1')
        .replaceAll('asked_at', '$2')}`;
      const statements = [
        ...(avoidsScans ? [{ text: 'set local enable_seqscan = off', values: [], pipelined: false }] : []),
        { text, values: [tenantId, new Date()], pipelined: false },
      ];
      const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
      // PostgreSQL scans a table of few rows, unless it avoids scans.
      const searched = nodes.filter(
        (node) => avoidsScans || filledTables.includes(node['Relation Name'] ?? ''),
      );
      assert.deepEqual(searched.flatMap(problemOf), [], condition);
    }
  });
}

for (const mode of ['force_generic_plan', 'force_custom_plan'] as const) {
  test(`the gate finds by indexes what is due in a repository (${mode})`, async () => {
    const { rows } = await owner.query('select id from repository where tenant_id = $1 limit 1', [tenantId]);
    const { statements } = await recordStatements(database.db, (recording) =>
      tenantReadTx(recording, tenantId, (tx) => isRepositoryPending(tx, rows[0].id, new Date())),
    );
    const nodes = (await plansOf(statements, mode)).flatMap(nodesOf);
    const searched = nodes.filter((node) => filledTables.includes(node['Relation Name'] ?? ''));
    assert.deepEqual(
      new Set(searched.map((node) => node['Relation Name'])),
      new Set(filledTables.slice(0, 2)),
    );
    assert.deepEqual(searched.flatMap(problemOf), []);
  });
}

function problemOf(node: PlanNode): string[] {
  const name = `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}`;
  if (node['Node Type'] === 'Seq Scan') return [name];
  if (node['Index Name'] !== undefined && node['Index Cond'] === undefined) return [`${name}: no condition`];
  if (node['Relation Name'] === undefined) return [];
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return rows < 50 ? [] : [`${name}: reads ${rows} rows`];
}
