/** Policies for tests: applied like by the operator, evaluated like by the worker. */

import { importTx } from '../../src/db/database.ts';
import type { TenantId } from '../../src/domain/ids.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import type { Schemas } from './client.ts';
import type { TestDatabase } from './database.ts';

/** A violation of a list. The document of the API has a schema for each kind of target. */
export type Violation = Omit<Schemas['PolicyViolation'], 'target'> & {
  target: { type: string; id: string; title?: string; status?: string };
};

/** Applies the policies and evaluates them for all existing data. */
export async function applyAndEvaluate(
  { db, queue }: TestDatabase,
  tenantId: TenantId,
  yaml: string,
): Promise<void> {
  const boss = await queue.open();
  const policies = parsePolicies(yaml);
  await importTx(db, tenantId, (tx) => applyPolicies(tx, boss, policies, { actorId: null }));
  await evaluatePolicies(db, tenantId);
}

/**
 * The document of a policy. `clauses` are those of its condition, `window` is the time until a violation is due, and
 * `rule` says where the policy applies.
 */
export function policyOf(
  key: string,
  clauses: string,
  {
    mode = 'block',
    target = 'vulnerability',
    window,
    rule,
  }: { mode?: string; target?: string; window?: string; rule?: string } = {},
): string {
  const actions = window === undefined ? '' : `, actions: {sla: {window: ${window}}}`;
  const rules = rule === undefined ? '' : `, rules: [${rule}]`;
  return `{key: ${key}, target_type: ${target}, enforcement_mode: ${mode}, condition: {all: [${clauses}]}${actions}${rules}}`;
}

/** A clause of a condition. */
export function factIs(fact: string, value: string | boolean): string {
  return `{fact: ${fact}, operator: '==', value: ${value}}`;
}

export function packageIs(name: string): string {
  return factIs('package.name', name);
}

/** The document of several policies. */
export function policiesOf(...policies: string[]): string {
  return `{policies: [${policies.join(', ')}]}`;
}
