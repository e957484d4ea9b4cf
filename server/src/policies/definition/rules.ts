/** The nearest rule of a policy says whether it applies in a repository. */
import { type ApplicationId, type OrganizationId, parseId, type RepositoryId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import {
  type PolicyMode,
  policyModes,
  type RuleAction,
  type RuleScopeId,
  type RuleType,
  ruleTypes,
} from '../../domain/policy-enums.ts';

export interface Rule {
  id: string;
  type: RuleType;
  /** Id of the workspace, organization, application or repository. */
  scopeId: RuleScopeId;
  action: RuleAction;
  /** Null means the mode of the policy. */
  enforcementMode: PolicyMode | null;
}

/**
 * The scopes that contain a repository: itself, its applications, its organization and the parents of the organization.
 */
export interface RepositoryScopes {
  repositoryId: RepositoryId;
  applicationIds: ApplicationId[];
  /** The nearest comes first. */
  organizationIds: OrganizationId[];
}

/** A policy as it applies in a repository: the nearest rule and the mode in force. */
interface AppliedPolicy {
  /** Null means that no rule includes or excludes the repository, so the policy applies by default. */
  rule: Rule | null;
  mode: PolicyMode;
}

/** Null if the policy does not apply there. If a repository is in two applications, the stricter rule counts. */
export function nearestRule(
  { rules, enforcementMode: mode }: { rules: Rule[]; enforcementMode: PolicyMode },
  scopes: RepositoryScopes,
): AppliedPolicy | null {
  const [nearest] = rules
    .flatMap((rule) => {
      const distance = distanceOf(rule, scopes);
      return distance === null ? [] : [{ rule, distance }];
    })
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        excludesFirst(a.rule, b.rule) ||
        strictness(b.rule, mode) - strictness(a.rule, mode) ||
        (a.rule.id < b.rule.id ? -1 : 1),
    );
  if (nearest) {
    const { rule } = nearest;
    return rule.action === 'exclude' ? null : { rule, mode: rule.enforcementMode ?? mode };
  }
  // If a policy has only exclude rules, it applies in all other repositories.
  return rules.some((rule) => rule.action === 'include') ? null : { rule: null, mode };
}

function excludesFirst(a: Rule, b: Rule): number {
  return Number(b.action === 'exclude') - Number(a.action === 'exclude');
}

function strictness({ enforcementMode }: Rule, mode: PolicyMode): number {
  return policyModes.indexOf(enforcementMode ?? mode);
}

// Organizations may be nested, so each rule type leaves room for more steps than any nesting has.
const organizationSteps = 1_000;

function distanceOf(rule: Rule, scopes: RepositoryScopes): number | null {
  const base = (ruleTypes.length - 1 - ruleTypes.indexOf(rule.type)) * organizationSteps;
  switch (rule.type) {
    case 'repo':
      return rule.scopeId === scopes.repositoryId ? base : null;
    case 'application':
      return scopes.applicationIds.includes(rule.scopeId as ApplicationId) ? base : null;
    case 'org': {
      const steps = scopes.organizationIds.indexOf(rule.scopeId as OrganizationId);
      return steps < 0 ? null : base + steps;
    }
    case 'workspace':
      return base;
  }
}

const scopeKinds = { org: 'organization', repo: 'repository', application: 'application' } as const;

/** The key of a scope by its name, without case, or by its id. */
export function scopeKey(type: RuleType, name: string): string {
  return `${type} ${nameKeyOf(name)}`;
}

/** Parses the text of a rule as an id; undefined if it is a name or the rule is for the workspace. */
export function scopeIdIn(type: RuleType, text: string): string | undefined {
  return type === 'workspace' ? undefined : parseId(scopeKinds[type], text);
}
