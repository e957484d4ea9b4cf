/**
 * If a policy blocks, a decision by a member or by a file becomes a request that somebody else approves. The mode of
 * the policy and its rules counts, so a temporary snooze or exception does not lift this protection.
 */

import type { Tx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { listRepositoryScopes } from '../definition/rule-scope-store.ts';
import { nearestRule } from '../definition/rules.ts';
import { listPolicies } from '../definition/store.ts';

/** True if a blocking policy applies in the repository; `targetType` limits this to policies of that type. */
export async function requiresApproval(
  tx: Tx,
  repositoryId: RepositoryId,
  targetType?: TargetType,
): Promise<boolean> {
  const policies = (await listPolicies(tx)).filter(
    (policy) => policy.status === 'active' && (targetType === undefined || policy.targetType === targetType),
  );
  if (policies.length === 0) return false;
  const scopes = (await listRepositoryScopes(tx, [repositoryId])).get(repositoryId);
  return policies.some((policy) => scopes && nearestRule(policy, scopes)?.mode === 'block');
}
