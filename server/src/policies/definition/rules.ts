/**
 * Where a policy applies: the nearest of its rules says so. Plain functions; the places of a repository are read by
 * `listPlaces`.
 */
import type { Tx } from '../../db/database.ts';
import { parseId } from '../../domain/ids.ts';
import {
  type PolicyMode,
  policyModes,
  type RuleAction,
  type RuleType,
  ruleTypes,
} from '../../domain/policy-enums.ts';

export interface Rule {
  id: string;
  type: RuleType;
  /** Of the workspace, organization, application or repository. */
  scopeId: string;
  action: RuleAction;
  /** Null: the policy's own. */
  enforcementMode: PolicyMode | null;
}

/** Where a repository stands: itself, its applications, its organization and what that is part of. */
export interface RepositoryPlace {
  repositoryId: string;
  applicationIds: string[];
  /** The nearest first. */
  organizationIds: string[];
}

/** What a policy is in a repository: by which rule, and the mode that is in force. */
interface AppliedPolicy {
  /** Null: the policy has none, and applies everywhere. */
  rule: Rule | null;
  mode: PolicyMode;
}

/** Null: the policy does not apply there. Of two applications of one repository the stricter counts. */
export function nearestRule(
  { rules, enforcementMode: mode }: { rules: Rule[]; enforcementMode: PolicyMode },
  place: RepositoryPlace,
): AppliedPolicy | null {
  const [nearest] = rules
    .flatMap((rule) => {
      const distance = distanceOf(rule, place);
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
  // Who only takes places out means all the others to stay in.
  return rules.some((rule) => rule.action === 'include') ? null : { rule: null, mode };
}

function excludesFirst(a: Rule, b: Rule): number {
  return Number(b.action === 'exclude') - Number(a.action === 'exclude');
}

function strictness({ enforcementMode }: Rule, mode: PolicyMode): number {
  return policyModes.indexOf(enforcementMode ?? mode);
}

// Organizations may be nested; each step away is farther, and the workspace is farthest.
const organizationSteps = 1_000;

function distanceOf(rule: Rule, place: RepositoryPlace): number | null {
  const base = (ruleTypes.length - 1 - ruleTypes.indexOf(rule.type)) * organizationSteps;
  switch (rule.type) {
    case 'repo':
      return rule.scopeId === place.repositoryId ? base : null;
    case 'application':
      return place.applicationIds.includes(rule.scopeId) ? base : null;
    case 'org': {
      const steps = place.organizationIds.indexOf(rule.scopeId);
      return steps < 0 ? null : base + steps;
    }
    case 'workspace':
      return base;
  }
}

/** By repository. */
export async function listPlaces(
  tx: Tx,
  tenantId: string,
  repositoryIds: string[],
): Promise<Map<string, RepositoryPlace>> {
  const rows = await tx.query<{ id: string; applications: string[]; organizations: string[] }>(
    `select r.id,
            array(select x.application_id from application_repository x
                   where x.tenant_id = $1 and x.repository_id = r.id)::text[] as applications,
            array(with recursive up (id, parent_id, step) as (
                    select o.id, o.parent_id, 0 from organization o
                     where o.tenant_id = $1 and o.id = r.organization_id
                    union all
                    select o.id, o.parent_id, up.step + 1 from up
                      join organization o on o.tenant_id = $1 and o.id = up.parent_id where up.step < 50)
                  select id from up order by step)::text[] as organizations
       from repository r where r.tenant_id = $1 and r.id = any($2::uuid[])`,
    [tenantId, repositoryIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { repositoryId: row.id, applicationIds: row.applications, organizationIds: row.organizations },
    ]),
  );
}

const scopeKinds = { org: 'organization', repo: 'repository', application: 'application' } as const;

/** Of a name, without case, or an id. */
export function scopeKey(type: RuleType, name: string): string {
  return `${type} ${name.toLowerCase()}`;
}

/** The id that a rule's text is, where it is one. */
export function scopeIdIn(type: RuleType, text: string): string | undefined {
  return type === 'workspace' ? undefined : parseId(scopeKinds[type], text);
}
