/** Policies as the API shows them, each rule with the name of its scope. */
import type { Tx } from '../../db/database.ts';
import type { Policy } from './policy.ts';
import { scopeKey } from './rules.ts';
import { type PolicyShown, policyItem } from './schema.ts';
import { listScopeNames } from './store.ts';

/** The items come in the order of `policies`. */
export async function showPolicies(tx: Tx, policies: Policy[]): Promise<PolicyShown[]> {
  const rules = policies.flatMap((policy) => policy.rules);
  const names = await listScopeNames(tx, rules);
  return policies.map((policy) =>
    policyItem(policy, ({ type, scopeId }) => names.get(scopeKey(type, scopeId)) ?? null),
  );
}
