/**
 * SQL of the violation list. Exact numbers come from the index of the list alone, and a page reads one range of it for
 * each packed state, so that a request for open violations never reads resolved ones.
 */

import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import {
  type ExceptionId,
  nilId,
  type PolicyId,
  type ProviderId,
  type ReferenceId,
  type RepositoryId,
  type ViolationId,
} from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type {
  EnforcementMode,
  PolicyStatus,
  PolicyType,
  RuleScopeId,
  RuleType,
  TargetType,
} from '../../domain/policy-enums.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { sqlAllIds } from '../../vulnerabilities/identifiers.ts';
import type { ViolationFilter } from './filters.ts';

export type ViolationListScope = NonNullable<ViolationFilter['scope']>;

function sourceOf(scope: ViolationListScope): { table: string; id: string; column: string; value: string } {
  return 'referenceId' in scope
    ? { table: 'violation_reference', id: 'violation_id', column: 'reference_id', value: scope.referenceId }
    : { table: 'policy_violation', id: 'id', column: 'repository_id', value: scope.repositoryId };
}

/** The number of violations for each packed state, for the scope and its policies, before any filter by state. */
export async function countByPackedState(
  tx: Tx,
  scope: ViolationListScope,
  policyIds: PolicyId[] | null,
): Promise<{ packed_state: number; n: number }[]> {
  const { table, column, value } = sourceOf(scope);
  return tx.query(
    `select l.packed_state, count(*)::int as n from ${table} l
      where l.tenant_id = $1 and l.${column} = $2 and ($3::uuid[] is null or l.policy_id = any($3))
      group by l.packed_state`,
    [tx.tenantId, value, policyIds],
  );
}

export interface ViolationPosition {
  dueAt: Date;
  id: ViolationId;
}

export interface ViolationKeyRow {
  id: ViolationId;
  packed_state: number;
  due_at: Date;
}

/** A time and an id that come before all others. */
export const firstKey: { at: string; id: ViolationId } = { at: '-infinity', id: nilId };

/**
 * SQL of the rows with packed state `b.packed_state`, after the key ($3, $4) and due before $5. They are one range of
 * the index that begins with the scope and the packed state. `scope` null means the whole workspace.
 *
 * The packed state is part of the range and not an equality. With an equality the planner, on a table without
 * statistics, considers all indexes with that column equally good.
 */
export function packedStateRange(
  scope: ViolationListScope | null,
  scopeParameter: string,
): { rows: string; order: string } {
  const { table, id, column } = scope
    ? sourceOf(scope)
    : { table: 'policy_violation', id: 'id', column: null };
  const key = `l.packed_state, l.due_at, l.${id}`;
  return {
    rows: `select l.${id} as id, l.packed_state, l.due_at from ${table} l
           where l.tenant_id = $1 ${column === null ? '' : `and l.${column} = ${scopeParameter}`}
             and (${key}) > (b.packed_state, $3::timestamptz, $4::uuid)
             and (${key}) < (b.packed_state, $5::timestamptz, '${firstKey.id}'::uuid)`,
    order: `order by ${key}`,
  };
}

/** Keys after the position, soonest due first. `packedStates` holds only states that have violations. */
export async function listViolationKeys(
  tx: Tx,
  scope: ViolationListScope,
  packedStates: number[],
  policyIds: PolicyId[] | null,
  after: ViolationPosition | null,
  limit: number,
): Promise<ViolationKeyRow[]> {
  if (packedStates.length === 0) return [];
  const { rows, order } = packedStateRange(scope, '$8');
  return tx.query<ViolationKeyRow>(
    `select p.* from unnest($2::smallint[]) as b (packed_state)
      cross join lateral (
        ${rows} and ($6::uuid[] is null or l.policy_id = any($6)) ${order} limit $7) p
      order by p.due_at, p.id limit $7`,
    [
      tx.tenantId,
      packedStates,
      after?.dueAt.toISOString() ?? firstKey.at,
      after?.id ?? firstKey.id,
      'infinity',
      policyIds,
      limit,
      sourceOf(scope).value,
    ],
  );
}

export interface ViolationRow {
  id: ViolationId;
  packed_state: number;
  target_type: TargetType;
  target_id: ProviderId;
  severity: Severity;
  due_at: Date;
  snoozed_until: Date | null;
  snooze_count: number;
  first_seen_at: Date;
  last_seen_at: Date;
  resolved_at: Date | null;
  exception_id: ExceptionId | null;
  repository_id: RepositoryId;
  repository_name: string;
  repository_full_name: string;
  repository_source: RepositorySource;
  policy_id: PolicyId;
  policy_key: string;
  policy_name: string;
  policy_type: PolicyType;
  policy_status: PolicyStatus;
  policy_target_type: TargetType;
  policy_enforcement: EnforcementMode;
  policy_severity: Severity | null;
  rule_id: string | null;
  rule_type: RuleType | null;
  rule_scope_id: RuleScopeId | null;
  rule_excludes: boolean | null;
  rule_enforcement: EnforcementMode | null;
  full_ref: string | null;
  environment_key: string | null;
  cvss_score: number | null;
  epss_score: number | null;
  vulnerability_packed_state: number | null;
  /** The state on the requested reference; null without one. */
  reference_packed_state: number | null;
  reference_cleared_at: Date | null;
}

// The time at which the target was last seen on the shown reference. For a vulnerability it is the newest scan of a
// series before its observation ended; for other targets the newest scan of the reference, while the violation matches.
const lastSeen = `select case when v.target_type = 'vulnerability' then (
           select max(case when g.until_seq is null then t.last_scanned_at
                      else (select s.scanned_at from series_scan c
                              join scan s on s.tenant_id = $1 and s.id = c.scan_id
                             where c.tenant_id = $1 and c.series_id = g.series_id and c.seq < g.until_seq
                             order by c.seq desc limit 1) end)
             from vulnerability_location l
             join location_observation g on g.tenant_id = $1 and g.location_id = l.id
             join scan_series t on t.tenant_id = $1 and t.id = g.series_id
            where l.tenant_id = $1 and l.vulnerability_id = v.target_id
              and l.reference_id = coalesce($3::uuid, v.reference_id))
         when v.resolved_at is null then f.last_scanned_at end as at`;

// Only violations of these targets are joined with a vulnerability.
const ofVulnerability = { where: "v.target_type = 'vulnerability'" };

/** Violations by id, in no order. With `referenceId` their state on that reference is added. */
export async function listViolations(
  tx: Tx,
  ids: ViolationId[],
  referenceId: ReferenceId | null,
): Promise<ViolationRow[]> {
  return tx.query<ViolationRow>(
    `select v.id, v.packed_state, v.target_type, v.target_id, v.severity, coalesce(m.due_at, v.due_at) as due_at, v.snoozed_until, v.snooze_count,
            v.first_seen_at, v.resolved_at, v.exception_id, v.repository_id, r.name as repository_name,
            r.full_name as repository_full_name, r.source as repository_source, greatest(v.first_seen_at, coalesce(seen.at, v.opened_at)) as last_seen_at,
            p.id as policy_id, p.key as policy_key, p.name as policy_name, p.type as policy_type,
            p.status as policy_status, p.target_type as policy_target_type,
            p.enforcement_mode as policy_enforcement, p.severity as policy_severity,
            u.id as rule_id, u.type as rule_type, u.scope_id as rule_scope_id, u.excludes as rule_excludes,
            u.enforcement_mode as rule_enforcement, f.full_ref, f.environment_key,
            w.cvss_score, w.packed_state as vulnerability_packed_state, e.score as epss_score,
            m.packed_state as reference_packed_state, m.cleared_at as reference_cleared_at
       from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowByKey('policy_violation v', 'k.id')}
       -- The repository, the policy, and the rule by which the policy applies.
       join repository r on r.tenant_id = $1 and r.id = v.repository_id
       join policy p on p.tenant_id = $1 and p.id = v.policy_id
       left join policy_rule u on u.tenant_id = $1 and u.id = v.rule_id
       -- The state on the given reference, and this reference or else that of the violation itself.
       left join lateral ${rowsByKey('violation_reference m', 'v.id', { column: 'violation_id', next: 'reference_id' })}
              on m.reference_id = $3
       left join reference f on f.tenant_id = $1 and f.id = coalesce($3::uuid, v.reference_id)
       -- The vulnerability, if it is the target, with the highest EPSS score of its CVEs.
       left join lateral ${rowByKey('vulnerability w', 'v.target_id', ofVulnerability)} on true
       left join lateral (select max(e.score) as score from epss e
              where e.cve = any(${sqlAllIds('w')})) e on true
       -- The time of the last scan that saw the target.
       left join lateral (${lastSeen}) seen on true`,
    [tx.tenantId, ids, referenceId],
  );
}
