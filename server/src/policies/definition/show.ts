/** Policies, and differences of policies, as the API shows them: each rule with the name of its scope. */
import type { Static } from 'typebox';
import type { Tx } from '../../db/database.ts';
import type { ComparedPolicy, PolicyDifference } from './apply.ts';
import type { Policy } from './policy.ts';
import { scopeKey } from './rules.ts';
import { type PolicyDifferenceItem, type PolicyShown, policyItem, ruleItem } from './schema.ts';
import { listScopeNames } from './store.ts';

/** The items come in the order of `policies`. */
export async function showPolicies(tx: Tx, policies: Policy[]): Promise<PolicyShown[]> {
  const rules = policies.flatMap((policy) => policy.rules);
  const names = await listScopeNames(tx, rules);
  return policies.map((policy) =>
    policyItem(policy, ({ type, scopeId }) => names.get(scopeKey(type, scopeId)) ?? null),
  );
}

/** The items come in the order of `differences`. */
export async function showDifferences(
  tx: Tx,
  differences: PolicyDifference[],
): Promise<Static<typeof PolicyDifferenceItem>[]> {
  const changed = differences.flatMap(({ fields: { rules } }) => (rules ? [...rules.from, ...rules.to] : []));
  const names = await listScopeNames(tx, changed);
  const shown = (rules: ComparedPolicy['rules']) =>
    rules.map((rule) => ruleItem(rule, ({ type, scopeId }) => names.get(scopeKey(type, scopeId)) ?? null));
  return differences.map(({ key, change, fields: { rules, ...fields } }) => ({
    key,
    change,
    fields: rules ? { ...fields, rules: { from: shown(rules.from), to: shown(rules.to) } } : fields,
  }));
}
