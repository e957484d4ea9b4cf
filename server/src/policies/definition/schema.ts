/** Policies as the API shows them. */

import { type Static, Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import {
  policyModes,
  policyStatuses,
  policyTypes,
  ruleIdKinds,
  ruleTypes,
  targetTypes,
} from '../../domain/policy-enums.ts';
import {
  extendedObject,
  NullableString,
  namedObject,
  nullableString,
  oneOf,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import { operatorsOf } from './condition.ts';
import { type Fact, facts } from './facts.ts';
import { isPending, type Policy } from './policy.ts';
import type { Rule } from './rules.ts';

const open = { additionalProperties: true };

export const PolicyBrief = namedObject('PolicyBrief', {
  id: Type.String(),
  key: Type.String(),
  name: Type.String(),
  type: Type.String({ description: policyTypes.join(', ') }),
  status: Type.String({ description: policyStatuses.join(', ') }),
  target_type: Type.String({ description: targetTypes.join(', ') }),
  enforcement_mode: Type.String({ description: policyModes.join(', ') }),
  severity: NullableString,
});

export const PolicyDefinition = extendedObject('PolicyDefinition', PolicyBrief, {
  config: Type.Union([Type.Object({}, open), Type.Null()]),
  condition: Type.Object({}, open),
  actions: Type.Object({}, open),
});

export const PolicyItem = extendedObject('Policy', PolicyDefinition, {
  rules: Type.Array(
    Type.Object({
      type: Type.String({ description: ruleTypes.join(', ') }),
      id: Type.String(),
      name: nullableString(
        'org/name of a repository, path of an organization or name of an application; null for the workspace.',
      ),
      action: Type.String(),
      enforcement_mode: NullableString,
    }),
  ),
  evaluation: Type.Object({
    pending: Type.Boolean({ description: 'True: the policy is still being evaluated in the workspace.' }),
    progress: Type.Union([
      Type.Object({ done: Type.Integer(), total: Type.Integer() }, { description: 'In repositories.' }),
      Type.Null(),
    ]),
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export type PolicyShown = Static<typeof PolicyItem>;

type NameOf = (rule: Pick<Rule, 'type' | 'scopeId'>) => string | null;

export function ruleItem(rule: Omit<Rule, 'id'>, nameOf: NameOf): PolicyShown['rules'][number] {
  return {
    type: rule.type,
    id: formatId(ruleIdKinds[rule.type], rule.scopeId),
    name: nameOf(rule),
    action: rule.action,
    enforcement_mode: rule.enforcementMode,
  };
}

export const PolicyDifferenceItem = namedObject('PolicyDifference', {
  key: Type.String(),
  change: oneOf(['created', 'changed', 'same']),
  fields: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }), {
    description: 'The present and the new value of each field that would change; empty for a new policy.',
  }),
});

export function policyItem(policy: Policy, nameOf: NameOf): PolicyShown {
  return {
    id: formatId('policy', policy.id),
    key: policy.key,
    name: policy.name,
    type: policy.type,
    status: policy.status,
    target_type: policy.targetType,
    enforcement_mode: policy.enforcementMode,
    severity: policy.severity,
    config: policy.config,
    condition: policy.condition,
    actions: policy.actions,
    rules: policy.rules.map((rule) => ruleItem(rule, nameOf)),
    evaluation: { pending: isPending(policy), progress: policy.progress },
    created_at: timestamp(policy.createdAt),
    updated_at: timestamp(policy.updatedAt),
  };
}

export const FactItem = namedObject('PolicyFact', {
  name: Type.String(),
  target_types: Type.Array(Type.String()),
  kind: Type.String(),
  operators: Type.Array(Type.String()),
  values: Type.Union([Type.Array(Type.String()), Type.Null()]),
  meaning: Type.String(),
});

export function factItems() {
  return facts.map((fact: Fact) => ({
    name: fact.name,
    target_types: [...fact.targets],
    kind: fact.kind,
    operators: [...operatorsOf[fact.kind]],
    values: fact.values ? [...fact.values] : null,
    meaning: fact.meaning,
  }));
}
