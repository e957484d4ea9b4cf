/** Policies in a test's workspace: applied as an operator does, and asked at once instead of by the worker. */
import { importTx } from '../../src/db/database.ts';
import { applyPolicies } from '../../src/features/policies/apply.ts';
import { parsePolicies } from '../../src/features/policies/document.ts';
import { evaluatePolicies } from '../../src/features/violations/evaluate-policies.ts';
import type { TestDatabase } from './database.ts';

/** What the file does not mention stays; when this returns, every repository has been asked. */
export async function applyPolicyFile(
  { db, queue }: TestDatabase,
  tenantId: string,
  yaml: string,
): Promise<void> {
  const boss = await queue.open();
  await importTx(db, tenantId, (tx) =>
    applyPolicies(tx, boss, tenantId, parsePolicies(yaml), { actorId: null }),
  );
  await evaluatePolicies(db, tenantId);
}
