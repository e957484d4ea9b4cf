/** SQL that finds the targets to evaluate: those of a repository or an exception, or those that the clock makes due. */

import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import { separate, withoutIndex } from '../../db/planner-hints.ts';
import type {
  ExceptionId,
  PolicyId,
  ReferenceId,
  RepositoryId,
  ViolationId,
  VulnerabilityId,
} from '../../domain/ids.ts';
import { sqlStatusIn } from '../../domain/packed-state.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { agesOf } from '../definition/ages.ts';
import { builtinKeys } from '../definition/builtin.ts';
import { listPolicies } from '../definition/store.ts';

/** Vulnerabilities of the repositories without a decision that overrides policies, whether live or not. */
export async function listUndecided(
  tx: Tx,
  repositoryIds: RepositoryId[],
): Promise<{ id: VulnerabilityId; repository_id: RepositoryId }[]> {
  return tx.query(
    `select v.id, v.repository_id from unnest($2::uuid[]) k (id)
      cross join lateral ${separate(`select v.id, v.repository_id from vulnerability v
             where v.tenant_id = $1 and v.repository_id = k.id
               and (${sqlStatusIn('v.packed_state', 'open', 'fixed')} or not v.decision_overrides_policy)`)} v`,
    [tx.tenantId, repositoryIds],
  );
}

/** Repository → the number of its active references. A vulnerability matches on some of them, or on all. */
export async function countActiveReferences(
  tx: Tx,
  repositoryIds: RepositoryId[],
): Promise<ReadonlyMap<RepositoryId, number>> {
  const rows = await tx.query<{ id: RepositoryId; count: number }>(
    `select k.id, (select count(*)::int from reference f
                    where f.tenant_id = $1 and f.repository_id = k.id and f.active) as count
       from unnest($2::uuid[]) as k (id)`,
    [tx.tenantId, repositoryIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface TargetRow {
  repository_id: RepositoryId;
  target_type: TargetType;
  target_id: VulnerabilityId;
}

const snoozeEnded = 'tenant_id = $1 and snoozed_until <= $2 and resolved_at is null';

/** Targets of the violations whose snooze has ended. */
export async function listEndedSnoozes(tx: Tx, now: Date, limit: number): Promise<TargetRow[]> {
  return tx.query<TargetRow>(
    `select repository_id, target_type, target_id from policy_violation
      where ${snoozeEnded} order by snoozed_until limit $3`,
    [tx.tenantId, now, limit],
  );
}

const expired = `tenant_id = $1 and status in ('requested', 'approved') and ends_at <= $2`;

/** The repositories with the exceptions that have reached their end first. */
export async function listRepositoriesOfExpired(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ repository_id: RepositoryId }[]> {
  return tx.query(
    `select distinct repository_id
       from (select repository_id from policy_exception where ${expired} order by ends_at limit $3) e`,
    [tx.tenantId, now, limit],
  );
}

/**
 * Marks exceptions of these repositories that have reached their end as ended, and returns them with their subjects.
 * The caller holds the lock of the repositories' evaluation, under which a merge ends exceptions too.
 */
export async function endExpiredExceptions(
  tx: Tx,
  now: Date,
  repositoryIds: RepositoryId[],
  limit: number,
): Promise<
  { id: ExceptionId; policy_id: PolicyId; repository_id: RepositoryId; violation_id: ViolationId | null }[]
> {
  return tx.query(
    `update policy_exception set status = 'ended', updated_at = $2
      where tenant_id = $1 and id in (
        select id from policy_exception where ${expired} and ${withoutIndex('repository_id = any($3::uuid[])')}
         order by ends_at limit $4 for update skip locked)
     returning id, policy_id, repository_id, violation_id`,
    [tx.tenantId, now, repositoryIds, limit],
  );
}

/** Targets of single violations, or, if `violationId` is null, of all violations of a policy in a repository. */
export async function listTargets(
  tx: Tx,
  of: { policyId: PolicyId; repositoryId: RepositoryId; violationId: ViolationId | null }[],
): Promise<TargetRow[]> {
  return tx.query<TargetRow>(
    `select v.repository_id, v.target_type, v.target_id
       from json_to_recordset($2::json) as k ("policyId" uuid, "repositoryId" uuid, "violationId" uuid)
      cross join lateral (
        select * from policy_violation v
         where k."violationId" is not null and v.tenant_id = $1 and v.id = k."violationId"
        union all
        select * from policy_violation v
         where k."violationId" is null and v.tenant_id = $1 and v.policy_id = k."policyId"
           and v.repository_id = k."repositoryId") v`,
    [tx.tenantId, JSON.stringify(of)],
  );
}

export interface AgedRow {
  id: VulnerabilityId;
  repository_id: RepositoryId;
}

/** Vulnerabilities that have reached one of these ages (in days) in the window, in order of ids after `afterId`. */
export async function listAged(
  tx: Tx,
  { since, until, days, afterId, limit }: AgeWindow & { afterId: VulnerabilityId | null; limit: number },
): Promise<AgedRow[]> {
  return tx.query<AgedRow>(
    `select distinct v.id, v.repository_id from unnest($4::int[]) as k (days)
      cross join lateral ${separate(`select v.id, v.repository_id from vulnerability v
             where v.tenant_id = $1 and v.introduced_at > $2::timestamptz - make_interval(days => k.days)
               and v.introduced_at <= $3::timestamptz - make_interval(days => k.days)`)} v
      where ($5::uuid is null or v.id > $5) order by v.id limit $6`,
    [tx.tenantId, since, until, days, afterId, limit],
  );
}

export interface AgeWindow {
  since: Date;
  until: Date;
  days: number[];
}

/** Repositories which have reached one of these ages (in days) in the window, since creation or a last success. */
export async function listUnscannedSince(
  tx: Tx,
  { since, until, days }: AgeWindow,
): Promise<{ repository_id: RepositoryId }[]> {
  return tx.query(
    `select distinct t.repository_id from scan_series t cross join unnest($4::int[]) as k (days)
      where t.tenant_id = $1 and t.succeeded_at > $2::timestamptz - make_interval(days => k.days)
        and t.succeeded_at <= $3::timestamptz - make_interval(days => k.days)
     union
     select r.id from repository r cross join unnest($4::int[]) as k (days)
      where r.tenant_id = $1 and r.created_at > $2::timestamptz - make_interval(days => k.days)
        and r.created_at <= $3::timestamptz - make_interval(days => k.days)`,
    [tx.tenantId, since, until, days],
  );
}

export interface PendingRepository {
  repository_id: RepositoryId;
  /** The number of its marks so far. */
  marks: number;
}

/** Marks repositories, so that the sweep evaluates everything in them. */
export async function markPending(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  await insertRows(
    tx,
    'repository_evaluation',
    repositoryIds.map((repository_id) => ({ repository_id, marks: 1 })),
    { order: 's.repository_id', conflict: '(tenant_id, repository_id) do update set marks = t.marks + 1' },
  );
}

/**
 * True if the sweep has not yet evaluated everything in a marked repository, or has not yet ended an exception, a
 * snooze or an acceptance there that has reached its end.
 */
export async function isRepositoryPending(tx: Tx, repositoryId: RepositoryId, now: Date): Promise<boolean> {
  // The indexes of the ends find few rows, and an index of the repository would find very many.
  const isThere = withoutIndex('repository_id = $3');
  const rows = await tx.query(
    `select 1 from repository_evaluation where tenant_id = $1 and repository_id = $3 and marks > evaluated_marks
     union all (select 1 from policy_exception where ${expired} and ${isThere} limit 1)
     union all (select 1 from policy_violation where ${snoozeEnded} and ${isThere} limit 1)
     union all (select 1 from vulnerability
                 where tenant_id = $1 and accepted_until <= $2 and ${isThere} limit 1)`,
    [tx.tenantId, now, repositoryId],
  );
  return rows.length > 0;
}

/** Pending repositories without these: first those that have not failed, then the earliest failures. */
export async function listPendingRepositories(
  tx: Tx,
  withoutIds: RepositoryId[],
  limit: number,
): Promise<PendingRepository[]> {
  return tx.query<PendingRepository>(
    `select repository_id, marks from repository_evaluation
      where tenant_id = $1 and marks > evaluated_marks and repository_id <> all($2::uuid[])
      order by failed_at nulls first, repository_id limit $3`,
    [tx.tenantId, withoutIds, limit],
  );
}

/** Notes that the evaluation of the repository has failed, so that those that were not tried come before it. */
export async function setEvaluationFailed(tx: Tx, repositoryId: RepositoryId, at: Date): Promise<void> {
  await tx.query(
    'update repository_evaluation set failed_at = $3 where tenant_id = $1 and repository_id = $2',
    [tx.tenantId, repositoryId, at],
  );
}

/** Notes that everything is evaluated which these marks were set for. A later mark stays. */
export async function setEvaluatedMarks(tx: Tx, { repository_id, marks }: PendingRepository): Promise<void> {
  await tx.query(
    `update repository_evaluation set evaluated_marks = greatest(evaluated_marks, $3), failed_at = null
      where tenant_id = $1 and repository_id = $2`,
    [tx.tenantId, repository_id, marks],
  );
}

// `c` is the clock of the policies, and `k` an age. An index finds the time only in a subquery with a limit: under
// row-level security PostgreSQL searches no index by a sum of columns of another table.
const reachesAge = (time: string): string =>
  `${time} > c.swept_until - make_interval(days => k.days) and ${time} <= asked_at - make_interval(days => k.days)`;

/** Conditions in SQL: the clock or an interrupted change makes policies due for evaluation. */
export const violationsDue: DueCondition[] = [
  `not exists (select 1 from policy_clock where tenant_id = asked_tenant and builtins = '${builtinKeys}')`,
  `exists (select 1 from policy_exception where tenant_id = asked_tenant
     and status in ('requested', 'approved') and ends_at <= asked_at)`,
  `exists (select 1 from policy_violation where tenant_id = asked_tenant
     and snoozed_until <= asked_at and resolved_at is null)`,
  'exists (select 1 from repository_evaluation where tenant_id = asked_tenant and marks > evaluated_marks)',
  'exists (select 1 from policy where tenant_id = asked_tenant and revision > evaluated_revision)',
  `exists (select 1 from policy_clock c cross join unnest(c.vulnerability_ages) as k (days)
     cross join lateral (select 1 from vulnerability v where v.tenant_id = asked_tenant
       and ${reachesAge('v.introduced_at')} limit 1) v
    where c.tenant_id = asked_tenant)`,
  `exists (select 1 from policy_clock c cross join unnest(c.analysis_ages) as k (days)
     cross join lateral (
       (select 1 from scan_series s where s.tenant_id = asked_tenant and ${reachesAge('s.succeeded_at')} limit 1)
       union all
       (select 1 from repository r where r.tenant_id = asked_tenant and ${reachesAge('r.created_at')} limit 1)) a
    where c.tenant_id = asked_tenant)`,
];

/** The time up to which the sweep has worked. For a workspace without any sweep it is `now`. */
export async function getSweptUntil(tx: Tx, now: Date): Promise<Date> {
  const [row] = await tx.query<{ swept_until: Date }>(
    'select swept_until from policy_clock where tenant_id = $1',
    [tx.tenantId],
  );
  return row?.swept_until ?? now;
}

export async function setSweptUntil(tx: Tx, until: Date): Promise<void> {
  await tx.query(
    `insert into policy_clock as c (tenant_id, swept_until, builtins) values ($1, $2, $3)
     on conflict (tenant_id) do update
       set swept_until = greatest(c.swept_until, excluded.swept_until), builtins = excluded.builtins`,
    [tx.tenantId, until, builtinKeys],
  );
}

/**
 * Writes the ages at which active policies must be evaluated again. The lock makes the last of several writers the last
 * reader.
 */
export async function renewAges(tx: Tx): Promise<void> {
  await tx.query('select 1 from policy_clock where tenant_id = $1 for update', [tx.tenantId]);
  const ages = agesOf(await listPolicies(tx));
  await tx.query(
    `update policy_clock set vulnerability_ages = $2, analysis_ages = $3
      where tenant_id = $1 and (vulnerability_ages, analysis_ages) is distinct from ($2, $3)`,
    [tx.tenantId, ages.vulnerability, ages.analysis],
  );
}

/** The vulnerabilities that are live on these references. */
export async function listLiveOn(
  tx: Tx,
  referenceIds: ReferenceId[],
): Promise<{ id: VulnerabilityId; reference_id: ReferenceId }[]> {
  return tx.query(
    `select vulnerability_id as id, reference_id from vulnerability_reference
      where tenant_id = $1 and reference_id = any($2::uuid[]) and live`,
    [tx.tenantId, referenceIds],
  );
}

export async function hasActivePolicy(tx: Tx): Promise<boolean> {
  const [row] = await tx.query(`select 1 from policy where tenant_id = $1 and status = 'active' limit 1`, [
    tx.tenantId,
  ]);
  return row !== undefined;
}
