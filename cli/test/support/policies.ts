/** Policies of a workspace, as an operator applies them. */
import { importTx } from '../../../server/src/db/database.ts';
import { applyPolicies } from '../../../server/src/features/policies/apply.ts';
import { parsePolicies } from '../../../server/src/features/policies/document.ts';
import { evaluatePolicies } from '../../../server/src/features/violations/evaluate-policies.ts';
import type { TestDatabase } from '../../../server/test/support/database.ts';

/** Critical vulnerabilities block for seven days, high ones are warned of. */
export const blockCritical = `
policies:
  - key: no-critical
    name: No critical vulnerabilities
    target_type: vulnerability
    enforcement_mode: block
    severity: critical
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
    actions: {sla: {window: 7d}}
  - key: no-high
    name: No high vulnerabilities
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
`;

/** In force when it returns. */
export async function applyTestPolicies(
  { db, queue }: TestDatabase,
  tenantId: string,
  text: string,
): Promise<void> {
  const boss = await queue.open();
  const policies = parsePolicies(text);
  await importTx(db, tenantId, (tx) => applyPolicies(tx, boss, tenantId, policies, { actorId: null }));
  await evaluatePolicies(db, tenantId);
}
