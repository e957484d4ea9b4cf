import type { Id, IdKind } from './ids.ts';

/**
 * The enumerations of policies. Packed states store positions in `targetTypes` and `enforcementModes`
 * (`violation-state.ts`), so a value may be added at the end of these, but never moved.
 */

export const targetTypes = [
  'vulnerability',
  'package',
  'package_version',
  'manifest',
  'analysis',
  'provider',
  'asset',
  'repository',
] as const;
export type TargetType = (typeof targetTypes)[number];

/** The kind of id of each type of target. */
export const targetIdKinds = {
  vulnerability: 'vulnerability',
  package: 'package',
  package_version: 'packageVersion',
  manifest: 'manifest',
  analysis: 'analysis',
  provider: 'provider',
  asset: 'asset',
  repository: 'repository',
} as const satisfies Record<TargetType, IdKind>;
export type TargetId = Id<(typeof targetIdKinds)[TargetType]>;

/** Modes by rising strength. An exempt violation has `none`; a policy has one of the others. */
export const enforcementModes = ['none', 'monitor', 'warn', 'block'] as const;
export type EnforcementMode = (typeof enforcementModes)[number];

/** The modes of a policy, a rule or a downgrade. */
export const policyModes = ['monitor', 'warn', 'block'] as const;
export type PolicyMode = (typeof policyModes)[number];

export const policyStatuses = ['active', 'draft', 'disabled'] as const;
export type PolicyStatus = (typeof policyStatuses)[number];

export const policyTypes = ['custom', 'builtin'] as const;
export type PolicyType = (typeof policyTypes)[number];

/** Rule types by falling distance from the violation: a rule of a later type is nearer. */
export const ruleTypes = ['workspace', 'org', 'application', 'repo'] as const;
export type RuleType = (typeof ruleTypes)[number];

export const ruleActions = ['include', 'exclude'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** The kind of id that the scope of a rule has. */
export const ruleIdKinds = {
  workspace: 'tenant',
  org: 'organization',
  application: 'application',
  repo: 'repository',
} as const satisfies Record<RuleType, IdKind>;
/** The id of the workspace, organization, application or repository that a rule names. */
export type RuleScopeId = Id<(typeof ruleIdKinds)[RuleType]>;

export const verdicts = ['pass', 'warn', 'block'] as const;
export type Verdict = (typeof verdicts)[number];

/** In SQL: the strongest verdict of a group, by position in the list, as texts would sort by the alphabet. */
export function sqlStrongestVerdict(column: string): string {
  const list = `'{${verdicts.join(',')}}'::text[]`;
  return `(${list})[max(array_position(${list}, ${column}::text))]`;
}
