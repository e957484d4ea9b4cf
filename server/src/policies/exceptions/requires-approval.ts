/**
 * If a policy blocks, a decision by a member or by a file becomes a request that somebody else approves. The mode of
 * the policy and its rules counts, so a temporary snooze or exception does not lift this protection.
 */

import type { Tx } from '../../db/database.ts';
import type { RepositoryId, ViolationId, VulnerabilityId } from '../../domain/ids.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { listPolicies } from '../definition/policy.ts';
import { listRepositoryScopes, nearestRule } from '../definition/rules.ts';
import { violationsOfVulnerability } from '../violations/joins.ts';

// SQL: the policy of violation `v` is active, and its nearest rule, or else the policy itself, blocks.
const blocks = `p.status = 'active' and coalesce(
    (select u.enforcement_mode from policy_rule u where u.tenant_id = $1 and u.id = v.rule_id), p.enforcement_mode) = 'block'`;

/** Vulnerability id → ids of its violations of policies that block, including resolved ones. */
export async function listApprovalViolations(
  tx: Tx,
  vulnerabilityIds: VulnerabilityId[],
): Promise<Map<VulnerabilityId, ViolationId[]>> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId; id: ViolationId }>(
    `select k.id as vulnerability_id, v.id
       from unnest($2::uuid[]) as k (id)
      ${violationsOfVulnerability('k.id')}
       join policy p on p.tenant_id = $1 and p.id = v.policy_id
      where ${blocks}`,
    [tx.tenantId, vulnerabilityIds],
  );
  const byVulnerability = new Map<VulnerabilityId, ViolationId[]>();
  for (const row of rows) {
    byVulnerability.set(row.vulnerability_id, [...(byVulnerability.get(row.vulnerability_id) ?? []), row.id]);
  }
  return byVulnerability;
}

/** The ids of the violations whose policy blocks. */
export async function listRequiringApproval(tx: Tx, violationIds: ViolationId[]): Promise<Set<ViolationId>> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id from policy_violation v join policy p on p.tenant_id = $1 and p.id = v.policy_id
      where v.tenant_id = $1 and v.id = any($2::uuid[]) and ${blocks}`,
    [tx.tenantId, violationIds],
  );
  return new Set(rows.map((row) => row.id));
}

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
