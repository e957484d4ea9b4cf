/** Violations as the API shows them: the schemas, and the functions that build items from rows. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import { enforcementModes, ruleIdKinds, targetTypes } from '../../domain/policy-enums.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { isBlocking, unpackViolation, violationStatuses } from '../../domain/violation-state.ts';
import {
  extendedObject,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  RepositoryBrief,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { PolicyBrief } from '../definition/schema.ts';
import type { ViolationRow } from './read.ts';
import { removedSetting, Target, type TargetItem } from './targets.ts';

export const ViolationScope = namedObject('ViolationScope', {
  type: Type.String(),
  id: Type.String(),
  name: Type.String(),
});
const RuleBrief = Type.Union([
  namedObject('ViolationRule', { type: Type.String(), id: Type.String() }),
  Type.Null(),
]);

const Metadata = namedObject('ViolationMetadata', {
  severity: Type.Optional(NullableString),
  cvss_score: Type.Optional(NullableNumber),
  epss_score: Type.Optional(NullableNumber),
  reference_ref: Type.Optional(NullableString),
  environment_key: Type.Optional(NullableString),
});

export const ViolationItem = namedObject('PolicyViolation', {
  id: Type.String(),
  status: Type.String({ description: violationStatuses.join(', ') }),
  enforcement_mode: nullableString('The mode in force: block, warn, monitor; null if an exception exempts.'),
  blocking: Type.Boolean(),
  due_at: Timestamp,
  remaining_seconds: Type.Integer({
    description:
      'Seconds until the due date, negative after it; for a resolved violation those left when it was resolved.',
  }),
  snoozed: Type.Boolean(),
  snoozed_until: NullableTimestamp,
  snooze_count: Type.Integer(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  resolved_at: NullableTimestamp,
  metadata: Metadata,
  policy: PolicyBrief,
  scope: ViolationScope,
  target: Target,
  rule: RuleBrief,
});

export const ViolationInRepository = extendedObject('RepositoryPolicyViolation', ViolationItem, {
  repository: RepositoryBrief,
});

const names = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

export const ViolationSummary = namedObject('PolicyViolationSummary', {
  total: Type.Integer(),
  by_status: names(violationStatuses.join(', ')),
  by_target_type: names(targetTypes.join(', ')),
  by_enforcement_mode: names([...enforcementModes].reverse().join(', ')),
});

export function violationSummaryOf(counts: { packed_state: number; n: number }[]) {
  const zero = (list: readonly string[]): Record<string, number> =>
    Object.fromEntries(list.map((name) => [name, 0]));
  const summary = {
    total: 0,
    by_status: zero(violationStatuses),
    by_target_type: zero(targetTypes),
    by_enforcement_mode: zero([...enforcementModes].reverse()),
  };
  const add = (map: Record<string, number>, name: string, n: number): void => {
    map[name] = (map[name] ?? 0) + n;
  };
  for (const { packed_state: packedState, n } of counts) {
    const { status, targetType, enforcement } = unpackViolation(packedState);
    summary.total += n;
    add(summary.by_status, status, n);
    add(summary.by_target_type, targetType, n);
    add(summary.by_enforcement_mode, enforcement, n);
  }
  return summary;
}

export function policyBrief(row: ViolationRow) {
  return {
    id: formatId('policy', row.policy_id),
    key: row.policy_key,
    name: row.policy_name,
    type: row.policy_type,
    status: row.policy_status,
    target_type: row.policy_target_type,
    enforcement_mode: row.policy_enforcement,
    severity: row.policy_severity,
  };
}

/** The scope of the rule by which a policy applies: its type and id; null without a rule. */
export function ruleOf(row: ViolationRow) {
  const type = row.rule_type === null ? undefined : row.rule_type;
  if (type === undefined || row.rule_scope_id === null) return null;
  return { type, id: formatId(ruleIdKinds[type], row.rule_scope_id) };
}

export function violationScopeOf(row: ViolationRow) {
  return { type: 'repo', id: formatId('repository', row.repository_id), name: row.repository_name };
}

function metadataOf(row: ViolationRow) {
  const reference = {
    reference_ref: row.full_ref === null ? null : shortRef(row.full_ref),
    environment_key: row.environment_key,
  };
  if (row.vulnerability_packed_state !== null) {
    return {
      severity: unpackState(row.vulnerability_packed_state).severity,
      cvss_score: row.cvss_score,
      epss_score: row.epss_score,
      ...reference,
    };
  }
  const severity = row.policy_severity === null ? {} : { severity: row.policy_severity };
  return row.full_ref === null ? severity : { ...severity, ...reference };
}

function targetThatWas(row: ViolationRow): TargetItem {
  return row.target_type === 'provider' ? removedSetting(row.target_id, row.repository_source) : [];
}

/** If the row has a reference, its state there counts: a violation that no longer matches there is resolved. */
export function violationItem(row: ViolationRow, target: TargetItem | undefined) {
  const traits = unpackViolation(row.reference_packed_state ?? row.packed_state);
  const isResolved = traits.status === 'resolved';
  const resolvedAt = isResolved ? (row.reference_cleared_at ?? row.resolved_at) : null;
  const until = resolvedAt ?? new Date();
  return {
    id: formatId('violation', row.id),
    status: traits.status,
    enforcement_mode: traits.enforcement === 'none' ? null : traits.enforcement,
    blocking: isBlocking(traits),
    due_at: timestamp(row.due_at),
    remaining_seconds: Math.floor((row.due_at.getTime() - until.getTime()) / 1000),
    snoozed: traits.snoozed,
    snoozed_until: traits.snoozed ? timestampOrNull(row.snoozed_until) : null,
    snooze_count: row.snooze_count,
    first_seen_at: timestamp(row.first_seen_at),
    last_seen_at: timestamp(row.last_seen_at),
    resolved_at: timestampOrNull(resolvedAt),
    metadata: metadataOf(row),
    policy: policyBrief(row),
    scope: violationScopeOf(row),
    target: target ?? targetThatWas(row),
    rule: ruleOf(row),
  };
}
