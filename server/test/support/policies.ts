/** Policies for tests: applied like by the operator, evaluated like by the worker. */

import { importTx } from '../../src/db/database.ts';
import type { TenantId } from '../../src/domain/ids.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import type { TestDatabase } from './database.ts';

/** Applies the policies and evaluates them for all existing data. */
export async function wantPolicies(
  { db, queue }: TestDatabase,
  tenantId: TenantId,
  yaml: string,
): Promise<void> {
  const boss = await queue.open();
  const policies = parsePolicies(yaml);
  await importTx(db, tenantId, (tx) => applyPolicies(tx, boss, policies, { actorId: null }));
  await evaluatePolicies(db, tenantId);
}
