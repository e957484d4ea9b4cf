/** SQL of policies and their rules, as people write them. */
import { insertRows, replacing, rowsOf } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { PolicyId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
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
import type { Policy, PolicyActions, PolicyConfig } from './policy.ts';
import { type Rule, scopeIdIn, scopeKey } from './rules.ts';

/** The fields that a policy document sets, and the id; the service sets all others. */
export type PolicyValues = Pick<
  Policy,
  | 'id'
  | 'key'
  | 'name'
  | 'type'
  | 'status'
  | 'targetType'
  | 'enforcementMode'
  | 'severity'
  | 'config'
  | 'condition'
  | 'actions'
>;

/** Inserts the policy, or updates the one with this id. `decides`: a field that violations depend on has changed. */
export async function upsertPolicy(tx: Tx, policy: PolicyValues, decides: boolean): Promise<void> {
  await tx.query(
    `insert into policy as p (tenant_id, id, key, name, type, status, target_type, enforcement_mode, severity, config,
            condition, actions)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (tenant_id, id) do update set name = excluded.name, status = excluded.status,
       enforcement_mode = excluded.enforcement_mode, severity = excluded.severity, config = excluded.config,
       condition = excluded.condition, actions = excluded.actions, updated_at = excluded.updated_at,
       revision = p.revision + case when $13 then 1 else 0 end`,
    [
      tx.tenantId,
      policy.id,
      policy.key,
      policy.name,
      policy.type,
      policy.status,
      policy.targetType,
      policy.enforcementMode,
      policy.severity,
      policy.config === null ? null : JSON.stringify(policy.config),
      JSON.stringify(policy.condition),
      JSON.stringify(policy.actions),
      decides,
    ],
  );
}

/** Replaces all rules of the policy; a rule for the same scope keeps its id. */
export async function replaceRules(tx: Tx, policyId: PolicyId, rules: Rule[]): Promise<void> {
  const rows = rules.map((rule) => ({
    id: rule.id,
    policy_id: policyId,
    type: rule.type,
    scope_id: rule.scopeId,
    excludes: rule.action === 'exclude',
    enforcement_mode: rule.enforcementMode,
  }));
  await tx.query(
    `delete from policy_rule u where u.tenant_id = $1 and u.policy_id = $2 and not exists (
       select 1 from ${rowsOf('policy_rule', '$3')} s where s.type = u.type and s.scope_id = u.scope_id)`,
    [tx.tenantId, policyId, JSON.stringify(rows)],
  );
  await insertRows(tx, 'policy_rule', rows, {
    conflict: replacing(['policy_id', 'type', 'scope_id'], ['excludes', 'enforcement_mode']),
  });
}

/** Looks up scopes by name (without case) or id: `type name` → id, for those that exist in the workspace. */
export async function listScopeIds(
  tx: Tx,
  names: { type: RuleType; name: string }[],
): Promise<Map<string, RuleScopeId>> {
  const found = new Map<string, RuleScopeId>();
  if (names.length === 0) return found;
  const rows = await tx.query<{ type: RuleType; name: string; id: RuleScopeId }>(
    `select k.type, k.name, o.id
       from json_to_recordset($2::json) as k (type text, name text, id uuid)
      cross join lateral (
        select r.id from repository r where k.type = 'repo' and r.tenant_id = $1 and (r.name_key = k.name or r.id = k.id)
        union all
        select r.id from organization r where k.type = 'org' and r.tenant_id = $1 and (r.path_key = k.name or r.id = k.id)
        union all
        select r.id from application r
         where k.type = 'application' and r.tenant_id = $1 and (r.name_key = k.name or r.id = k.id)) o`,
    [
      tx.tenantId,
      JSON.stringify(
        names.map(({ type, name }) => ({
          type,
          name: nameKeyOf(name),
          id: scopeIdIn(type, name) ?? null,
        })),
      ),
    ],
  );
  for (const row of rows) found.set(scopeKey(row.type, row.name), row.id);
  return found;
}

/** The names of the scopes of rules: `type id` → name. The workspace itself has no entry. */
export async function listScopeNames(
  tx: Tx,
  rules: Pick<Rule, 'type' | 'scopeId'>[],
): Promise<Map<string, string>> {
  const named = rules.filter(({ type }) => type !== 'workspace');
  if (named.length === 0) return new Map();
  const rows = await tx.query<{ type: RuleType; id: string; name: string }>(
    `select k.type, k.id, o.name
       from (select distinct s.type, s.id from json_to_recordset($2::json) as s (type text, id uuid)) k
      cross join lateral (
        select r.full_name as name from repository r where k.type = 'repo' and r.tenant_id = $1 and r.id = k.id
        union all
        select r.full_path from organization r where k.type = 'org' and r.tenant_id = $1 and r.id = k.id
        union all
        select r.name from application r where k.type = 'application' and r.tenant_id = $1 and r.id = k.id) o`,
    [tx.tenantId, JSON.stringify(named.map(({ type, scopeId }) => ({ type, id: scopeId })))],
  );
  return new Map(rows.map((row) => [scopeKey(row.type, row.id), row.name]));
}

/** Locks all policies until the transaction ends, so that two transactions never apply policies at the same time. */
export async function lockPolicies(tx: Tx): Promise<void> {
  await tx.query('select 1 from policy where tenant_id = $1 order by id for update', [tx.tenantId]);
}

/** Inserts those whose key is free. Their revision is 0: they need no evaluation until somebody enables them. */
export async function insertBuiltins(tx: Tx, policies: PolicyValues[]): Promise<void> {
  const rows = policies.map((policy) => ({
    id: policy.id,
    key: policy.key,
    name: policy.name,
    type: 'builtin',
    status: 'disabled',
    target_type: policy.targetType,
    enforcement_mode: policy.enforcementMode,
    severity: policy.severity,
    condition: policy.condition,
    actions: policy.actions,
    revision: 0,
  }));
  await insertRows(tx, 'policy', rows, { conflict: '(tenant_id, key) do nothing' });
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
