/**
 * Creates or changes policies to match a document, and reports the differences. A policy that the document does not
 * mention stays; a missing field takes its default. The document is applied as a whole or not at all: rules, audit and
 * the job that evaluates the workspace belong to the same transaction.
 */
import type { PgBoss } from 'pg-boss';
import { type Actor, recordAudits } from '../../access/audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { formatTenantId, newId, nilId, type TenantId, tenantUuid } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { PolicyMode, RuleScopeId, RuleType } from '../../domain/policy-enums.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { sendPolicyJob } from '../../jobs/queue.ts';
import { isObject, type Problems } from './condition.ts';
import { invalidPolicies, joined, type PolicyInput, type RuleInput } from './document.ts';
import type { Policy } from './policy.ts';
import { type Rule, scopeKey } from './rules.ts';
import {
  listPolicies,
  listScopeIds,
  lockPolicies,
  type PolicyValues,
  replaceRules,
  upsertPolicy,
} from './store.ts';

export interface PolicyDifference {
  key: string;
  change: 'created' | 'changed' | 'same';
  /** Field → value before and after; empty for a new policy. */
  fields: { [Name in keyof ComparedPolicy]?: { from: ComparedPolicy[Name]; to: ComparedPolicy[Name] } };
}

/** A change of one of these fields needs an evaluation of the whole workspace. */
const deciding = ['status', 'enforcement_mode', 'severity', 'condition', 'actions', 'rules'];

export interface PlannedPolicy {
  input: PolicyInput;
  values: PolicyValues;
  rules: Rule[];
  difference: PolicyDifference;
}

// Limit: every active policy is evaluated at each import, and people cannot oversee more of them.
const maxPoliciesOfWorkspace = 250;

/**
 * Works out all changes without writing. `path` gives the document path of a policy. Throws DomainError with all
 * mistakes.
 */
export async function planPolicies(
  tx: Tx,
  inputs: PolicyInput[],
  path: (i: number) => string = (i) => `policies[${i}]`,
): Promise<PlannedPolicy[]> {
  const known = new Map((await listPolicies(tx)).map((policy) => [policy.key, policy]));
  const problems: Problems = new Map();
  const scopes = await listScopeIds(
    tx,
    inputs.flatMap((input) => input.rules ?? []).flatMap(({ type, id }) => (id ? [{ type, name: id }] : [])),
  );
  const planned = inputs.map((input, i): PlannedPolicy => {
    const before = known.get(input.key);
    if (before && before.targetType !== input.target_type) {
      problems.set(
        joined(path(i), 'target_type'),
        `Is ${before.targetType} for ${input.key}, and cannot change: disable it and make another.`,
      );
    }
    const values = valuesOf(input, before);
    const rules = (input.rules ?? []).map((rule, n) => {
      const scopeId = scopeIdOf(rule, tx.tenantId, scopes);
      if (scopeId === undefined) {
        problems.set(
          joined(path(i), `rules[${n}].id`),
          rule.id === undefined ? `Is required for ${rule.type}.` : unknownScope(rule.type, rule.id),
        );
      }
      return ruleOf(rule, scopeId ?? nilId, before);
    });
    const applied = rules.map((rule) => `${rule.type} ${rule.scopeId}`);
    const twice = applied.findIndex((text, n) => applied.indexOf(text) < n);
    if (twice >= 0) problems.set(joined(path(i), `rules[${twice}]`), 'Is the second rule for one scope.');
    return { input, values, rules, difference: differenceOf(before, values, rules) };
  });
  const created = planned.filter(({ difference }) => difference.change === 'created').length;
  if (known.size + created > maxPoliciesOfWorkspace) {
    problems.set('policies', `Would be more than the ${maxPoliciesOfWorkspace} that a workspace may have.`);
  }
  if (problems.size > 0) throw invalidPolicies(problems);
  return planned;
}

/**
 * Applies the policies under a lock and returns the differences, in the order of `inputs`. Throws DomainError with all
 * mistakes.
 */
export async function applyPolicies(
  tx: Tx,
  boss: PgBoss,
  inputs: PolicyInput[],
  actor: Actor,
  path?: (i: number) => string,
): Promise<PolicyDifference[]> {
  await lockPolicies(tx);
  const planned = await planPolicies(tx, inputs, path);
  const changed = planned.filter(({ difference }) => difference.change !== 'same');
  for (const { values, rules, difference } of changed) {
    const decides = Object.keys(difference.fields).some((field) => deciding.includes(field));
    await upsertPolicy(tx, values, decides);
    await replaceRules(tx, values.id, rules);
  }
  await recordAudits(
    tx,
    changed.map(({ values, difference }) => ({
      ...actor,
      action: difference.change === 'created' ? 'policy.create' : 'policy.change',
      targetId: values.id,
      data: { key: values.key, fields: difference.fields },
    })),
  );
  if (changed.length > 0) await sendPolicyJob(boss, tx);
  return planned.map(({ difference }) => difference);
}

function valuesOf(input: PolicyInput, before: Policy | undefined): PolicyValues {
  return {
    id: before?.id ?? newId(),
    key: input.key,
    name: input.name ?? input.key,
    type: before?.type ?? 'custom',
    status: input.status ?? 'active',
    targetType: input.target_type,
    enforcementMode: input.enforcement_mode,
    severity: input.severity ?? null,
    config: input.config ?? null,
    condition: input.condition,
    actions: input.actions ?? {},
  };
}

function ruleOf(rule: RuleInput, scopeId: RuleScopeId, before: Policy | undefined): Rule {
  const known = before?.rules.find((one) => one.type === rule.type && one.scopeId === scopeId);
  return {
    id: known?.id ?? newId(),
    type: rule.type,
    scopeId,
    action: rule.action ?? 'include',
    enforcementMode: rule.enforcement_mode ?? null,
  };
}

/** Says what makes the scope, because a policy is often written before the first report. */
function unknownScope(type: RuleType, id: string): Sentence {
  const unknown = `No such ${type}: ${id}.` as const;
  switch (type) {
    case 'workspace':
      return unknown;
    case 'application':
      return `${unknown} An admin makes it, or merlond inventory apply.`;
    default:
      return `${unknown} The first report makes it, or merlond inventory apply.`;
  }
}

function scopeIdOf(
  { type, id }: RuleInput,
  tenantId: TenantId,
  scopes: Map<string, RuleScopeId>,
): RuleScopeId | undefined {
  if (type === 'workspace') {
    return id === undefined || id === formatTenantId(tenantId) ? tenantUuid(tenantId) : undefined;
  }
  return id === undefined ? undefined : scopes.get(scopeKey(type, id));
}

export interface ComparedPolicy {
  name: string;
  status: string;
  enforcement_mode: PolicyMode;
  severity: Severity | null;
  config: unknown;
  condition: unknown;
  actions: unknown;
  rules: Omit<Rule, 'id'>[];
}

function fieldsOf(
  policy: Omit<PolicyValues, 'id' | 'key' | 'type' | 'targetType'>,
  rules: Rule[],
): ComparedPolicy {
  return {
    name: policy.name,
    status: policy.status,
    enforcement_mode: policy.enforcementMode,
    severity: policy.severity,
    config: policy.config,
    condition: policy.condition,
    actions: policy.actions,
    rules: rules
      .map(({ type, scopeId, action, enforcementMode }) => ({ type, scopeId, action, enforcementMode }))
      .sort((a, b) => (`${a.type} ${a.scopeId}` < `${b.type} ${b.scopeId}` ? -1 : 1)),
  };
}

function differenceOf(before: Policy | undefined, values: PolicyValues, rules: Rule[]): PolicyDifference {
  const { key } = values;
  if (!before) return { key, change: 'created', fields: {} };
  const [from, to] = [fieldsOf(before, before.rules), fieldsOf(values, rules)];
  const fields = Object.fromEntries(
    (Object.keys(from) as (keyof ComparedPolicy)[])
      .filter((name) => canonical(from[name]) !== canonical(to[name]))
      .map((name) => [name, { from: from[name], to: to[name] }]),
  );
  return { key, change: Object.keys(fields).length > 0 ? 'changed' : 'same', fields };
}

// PostgreSQL stores the keys of a jsonb object in its own order, so they are sorted before a comparison.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
