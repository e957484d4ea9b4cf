/** The policies that apply to a repository, each with its rule, its mode there and the number of its violations. */
import type { Tx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { listRepositoryScopes } from '../definition/rule-scope-store.ts';
import { nearestRule } from '../definition/rules.ts';
import { showPolicies } from '../definition/show.ts';
import { listPolicies } from '../definition/store.ts';
import { countByPolicy } from './policy-counts.ts';

/** Active policies in order of their keys. Throws 404 for an unknown repository. */
export async function listPoliciesOf(tx: Tx, repo: string) {
  const { id } = await getRepository(tx, repo);
  const [policies, scopesByRepository, counts] = await Promise.all([
    listPolicies(tx),
    listRepositoryScopes(tx, [id]),
    countByPolicy(tx, id),
  ]);
  const scopes = scopesByRepository.get(id);
  const applied = policies.flatMap((policy) => {
    const nearest = scopes && policy.status === 'active' ? nearestRule(policy, scopes) : null;
    return nearest ? [{ policy, ...nearest }] : [];
  });
  const shown = await showPolicies(
    tx,
    applied.map(({ policy }) => policy),
  );
  return applied.map(({ policy, rule, mode }, i) => {
    const found = counts.find((one) => one.policy === formatId('policy', policy.id));
    const shownRule = rule && shown[i]?.rules[policy.rules.indexOf(rule)];
    return {
      policy: { id: formatId('policy', policy.id), key: policy.key, name: policy.name },
      target_type: policy.targetType,
      enforcement_mode: mode,
      rule: shownRule ? { type: shownRule.type, id: shownRule.id, name: shownRule.name } : null,
      unresolved: found?.unresolved ?? 0,
      blocking: found?.blocking ?? 0,
      snoozed: found?.snoozed ?? 0,
      waived: found?.waived ?? 0,
    };
  });
}
