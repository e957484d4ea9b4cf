/** A policy with its rules, as every part of the system reads it. */

import type { Tx } from '../../db/database.ts';
import type { PolicyId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type {
  PolicyMode,
  PolicyStatus,
  PolicyType,
  RuleAction,
  RuleScopeId,
  RuleType,
  TargetType,
} from '../../domain/policy-enums.ts';
import type { Condition } from './condition.ts';
import type { Rule } from './rules.ts';

export interface PolicyConfig {
  snooze?: { max_days?: number; max_count?: number };
}

export interface PolicyActions {
  sla?: { window: string };
}

export interface Policy {
  id: PolicyId;
  key: string;
  name: string;
  type: PolicyType;
  status: PolicyStatus;
  targetType: TargetType;
  enforcementMode: PolicyMode;
  severity: Severity | null;
  config: PolicyConfig | null;
  condition: Condition;
  actions: PolicyActions;
  revision: number;
  evaluatedRevision: number;
  progress: { done: number; total: number } | null;
  createdAt: Date;
  updatedAt: Date;
  rules: Rule[];
}

/** True while the current revision of the policy is not yet evaluated for the whole workspace. */
export function isPending({ revision, evaluatedRevision }: Policy): boolean {
  return revision > evaluatedRevision;
}

/** Holds all policies until the transaction ends: none changes, and `lockPolicies` of another transaction waits. */
export async function holdPolicies(tx: Tx): Promise<void> {
  await tx.query('select 1 from policy where tenant_id = $1 order by id for share', [tx.tenantId]);
}

interface PolicyRow {
  id: PolicyId;
  key: string;
  name: string;
  type: PolicyType;
  status: PolicyStatus;
  target_type: TargetType;
  enforcement_mode: PolicyMode;
  severity: Severity | null;
  config: PolicyConfig | null;
  condition: Condition;
  actions: PolicyActions;
  revision: number;
  evaluated_revision: number;
  progress: { done: number; total: number } | null;
  created_at: Date;
  updated_at: Date;
  rules: {
    id: string;
    type: RuleType;
    scope_id: RuleScopeId;
    excludes: boolean;
    enforcement_mode: PolicyMode | null;
  }[];
}

/** All policies of the workspace, in order of their keys. */
export async function listPolicies(tx: Tx): Promise<Policy[]> {
  const rows = await tx.query<PolicyRow>(
    `select p.id, p.key, p.name, p.type, p.status, p.target_type, p.enforcement_mode, p.severity, p.config,
            p.condition, p.actions, p.revision, p.evaluated_revision, p.progress, p.created_at, p.updated_at,
            (select coalesce(json_agg(json_build_object('id', u.id, 'type', u.type, 'scope_id', u.scope_id,
                      'excludes', u.excludes, 'enforcement_mode', u.enforcement_mode) order by u.id), '[]')
               from policy_rule u where u.tenant_id = $1 and u.policy_id = p.id) as rules
       from policy p where p.tenant_id = $1 order by p.key`,
    [tx.tenantId],
    'list-policies',
  );
  return rows.map(policyOf);
}

function policyOf(row: PolicyRow): Policy {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    type: row.type,
    status: row.status,
    targetType: row.target_type,
    enforcementMode: row.enforcement_mode,
    severity: row.severity,
    config: row.config,
    condition: row.condition,
    actions: row.actions,
    revision: row.revision,
    evaluatedRevision: row.evaluated_revision,
    progress: row.progress,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    rules: row.rules.map((rule) => ({
      id: rule.id,
      type: rule.type,
      scopeId: rule.scope_id,
      action: (rule.excludes ? 'exclude' : 'include') as RuleAction,
      enforcementMode: rule.enforcement_mode,
    })),
  };
}
