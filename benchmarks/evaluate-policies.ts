/** Creates the fifty policies of the benchmarks in a workspace, and evaluates them. */
import { importTx } from '../server/src/db/database.ts';
import type { Tenant } from '../server/src/http/principal.ts';
import { openQueue } from '../server/src/jobs/queue.ts';
import type { OpenDatabase } from '../server/src/open.ts';
import { applyPolicies } from '../server/src/policies/definition/apply.ts';
import { evaluatePolicies } from '../server/src/policies/evaluation/evaluate-policies.ts';

import { benchPolicies } from './policies.ts';
import { round2 } from './row.ts';
import { asOwner } from './workspace.ts';

export async function createBenchPolicies(database: OpenDatabase, tenant: Tenant): Promise<number> {
  const boss = await openQueue(database.db, { supervise: false });
  try {
    const differences = await importTx(database.db, tenant.id, (tx) =>
      applyPolicies(tx, boss, benchPolicies(), { actorId: null }),
    );
    return differences.length;
  } finally {
    await boss.stop({ graceful: false });
  }
}

export interface EvaluationFigures {
  policies: number;
  /** The time of the evaluation, without the creation of the policies. */
  seconds: number;
  /** The number of open violations. */
  violations: number;
}

/** Creates the policies and evaluates the whole workspace. Throws if they were evaluated before. */
export async function evaluateAllPolicies(
  database: OpenDatabase,
  tenant: Tenant,
): Promise<EvaluationFigures> {
  const policies = await createBenchPolicies(database, tenant);
  const started = performance.now();
  if ((await evaluatePolicies(database.db, tenant.id)) === 0)
    throw new Error(`the policies of the workspace ${tenant.slug} were evaluated before`);
  const seconds = round2((performance.now() - started) / 1000);
  const violations = await countOf(database, tenant, 'policy_violation', 'resolved_at is null');
  return { policies, seconds, violations };
}

export async function countOf(
  database: OpenDatabase,
  tenant: Tenant,
  table: string,
  where: string,
): Promise<number> {
  return asOwner(database, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as n from ${table} where tenant_id = $1 and ${where}`,
      [tenant.id],
    );
    return Number(rows[0]?.n);
  });
}
