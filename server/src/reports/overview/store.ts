/**
 * SQL of the overview and the trend: it reads counters, days and ranges of indexes, never the rows of vulnerabilities.
 * Each statement orders by its index, so that the planner uses it even in a workspace newer than the statistics.
 */

import type { Tx } from '../../db/database.ts';
import { separate, setPlanner } from '../../db/planner-hints.ts';
import type { CounterScope } from '../../domain/change-set.ts';
import { nilId, type RepositoryId } from '../../domain/ids.ts';
import {
  type Severity,
  sqlIsOpen,
  sqlIsOpenIn,
  sqlSeverity,
  sqlSeverityRank,
} from '../../domain/packed-state.ts';
import { blockingStates, unresolvedStates } from '../../domain/violation-state.ts';
import { sqlHeldSeries, sqlStaleSeries } from '../../ingest/series/series-store.ts';
import { counterKeys, type ListScope } from '../../vulnerabilities/scope.ts';

export interface SeverityCount {
  severity: Severity;
  n: number;
}

/** Some repositories; null means the whole workspace. */
export type OverviewSubject = { repositoryIds: RepositoryId[] } | null;

/** The scope and the keys of counters and days. */
export function counterScopeOf(subject: OverviewSubject): [CounterScope, string[]] {
  return subject === null ? ['workspace', [nilId]] : ['repository', subject.repositoryIds];
}

/** The number of vulnerabilities that are open on tracked references, by severity. */
export async function countOpen(tx: Tx, subject: OverviewSubject): Promise<SeverityCount[]> {
  return countBySeverity(tx, counterScopeOf(subject), isOpenHere('tracked'));
}

/** The number of vulnerabilities of the workspace that are open in this scope, by severity. */
export async function countOpenIn(tx: Tx, scope: ListScope): Promise<SeverityCount[]> {
  const { scope: counted } = counterKeys(
    scope === 'default_branches' ? { kind: 'default-branches' } : { kind: 'tenant' },
  );
  return countBySeverity(tx, [counted, [nilId]], isOpenHere(scope));
}

// Counters of references count vulnerabilities that are open there.
export function isOpenHere(scope: ListScope): string {
  return scope === 'default_branches' ? sqlIsOpen('packed_state') : sqlIsOpenIn('packed_state', scope);
}

async function countBySeverity(
  tx: Tx,
  counters: [CounterScope, string[]],
  isOpen: string,
): Promise<SeverityCount[]> {
  return tx.query<SeverityCount>(
    `select ${sqlSeverity('packed_state')} as severity, sum(count)::int as n from vulnerability_count
      where tenant_id = $1 and scope = $2 and key = any($3::uuid[]) and ${isOpen} group by 1`,
    [tx.tenantId, ...counters],
  );
}

export interface DayRow {
  /** YYYY-MM-DD; changes that are dated after `until` count for that day. */
  day: string;
  severity: Severity;
  introduced: number;
  fixed: number;
  /** The number of open ones at the end of the day minus that at its beginning. */
  gained: number;
}

/** The rows of the days from `since` on. */
export async function listDays(
  tx: Tx,
  subject: OverviewSubject,
  { since, until }: { since: string; until: string },
): Promise<DayRow[]> {
  return tx.query<DayRow>(
    `select least(day, $5::date)::text as day, severity, sum(introduced)::int as introduced, sum(fixed)::int as fixed,
            sum(opened - closed)::int as gained
       from vulnerability_day where tenant_id = $1 and scope = $2 and key = any($3::uuid[]) and day >= $4 group by 1, 2`,
    [tx.tenantId, ...counterScopeOf(subject), since, until],
  );
}

export interface OutcomeRow {
  severity: Severity;
  fixed: number;
  seconds: number;
  resolved: number;
  in_time: number;
}

/** The numbers of fixed and resolved vulnerabilities since a day, and the sum of the times to fix, by severity. */
export async function listOutcomes(tx: Tx, subject: OverviewSubject, since: string): Promise<OutcomeRow[]> {
  return tx.query<OutcomeRow>(
    `select severity, sum(fixed)::int as fixed, sum(fix_seconds)::float8 as seconds,
            sum(resolved)::int as resolved, sum(resolved_in_time)::int as in_time
       from vulnerability_day where tenant_id = $1 and scope = $2 and key = any($3::uuid[]) and day >= $4 group by 1`,
    [tx.tenantId, ...counterScopeOf(subject), since],
  );
}

export interface RiskRow {
  id: RepositoryId;
  full_name: string;
  score: number;
  /** Open vulnerabilities by severity; a severity without any is missing. */
  open: Partial<Record<Severity, number>>;
}

/** The repositories with the highest score: the sum of their open vulnerabilities, weighted by severity rank. */
export async function listByRisk(
  tx: Tx,
  subject: OverviewSubject,
  scope: ListScope,
  weights: number[],
  limit: number,
): Promise<RiskRow[]> {
  const isOpen = isOpenHere(scope);
  const [counted, keyed, isCounted]: [CounterScope, string, string] =
    scope === 'default_branches'
      ? [
          'reference',
          'default_reference_id',
          'and key in (select id from reference where tenant_id = $1 and is_default and active)',
        ]
      : ['repository', 'id', ''];
  // Parallel workers cost more here than they save: 36 ms with them and 22 without, for a hundred thousand counters.
  // The setting travels together with the statement that follows.
  const withoutWorkers = setPlanner(tx, { max_parallel_workers_per_gather: '0' });
  const rows = tx.query<RiskRow>(
    `select r.id, r.full_name, t.score::float8 as score, c.open
       from (select key, sum(count * ($3::int[])[${sqlSeverityRank('packed_state')} + 1]) as score from vulnerability_count
              where tenant_id = $1 and scope = $2 and ${isOpen} and count > 0 and ($5::uuid[] is null or key = any($5)) ${isCounted}
              group by key order by score desc, key limit $4) t
       join repository r on r.tenant_id = $1 and r.${keyed} = t.key
      cross join lateral (
        select json_object_agg(severity, n) as open
          from (select ${sqlSeverity('packed_state')} as severity, sum(count) as n from vulnerability_count
                 where tenant_id = $1 and scope = $2 and key = t.key and ${isOpen} and count > 0
                 group by 1) c) c
      order by t.score desc, t.key`,
    [tx.tenantId, counted, weights, limit, subject?.repositoryIds ?? null],
  );
  return (await Promise.all([rows, withoutWorkers]))[0];
}

export interface RepositoryCountRow {
  id: RepositoryId;
  severity: Severity;
  n: number;
}

/** The number of vulnerabilities that are open on tracked references of each of these repositories, by severity. */
export async function countOpenByRepository(
  tx: Tx,
  repositoryIds: RepositoryId[],
): Promise<RepositoryCountRow[]> {
  return tx.query<RepositoryCountRow>(
    `select k.id, c.severity, c.n from unnest($3::uuid[]) k (id)
      cross join lateral (
        select ${sqlSeverity('packed_state')} as severity, sum(count)::int as n from vulnerability_count
         where tenant_id = $1 and scope = $2 and key = k.id and ${isOpenHere('tracked')} and count > 0
         group by 1) c`,
    [tx.tenantId, 'repository', repositoryIds],
  );
}

export interface ViolationCounts {
  open: number;
  blocking: number;
  overdue: number;
  due_soon: number;
}

/**
 * Counts the unresolved violations, of pull requests too unless `onlyTracked`. A violation is due soon if it is due
 * from `now` up to `soon`.
 */
export async function countViolations(
  tx: Tx,
  { now, soon, onlyTracked }: { now: Date; soon: Date; onlyTracked: boolean },
): Promise<ViolationCounts> {
  const [row] = await tx.query<ViolationCounts>(
    `select coalesce(sum(c.n), 0)::int as open,
            coalesce(sum(c.n) filter (where b.packed_state = any($3::smallint[])), 0)::int as blocking,
            coalesce(sum(c.overdue), 0)::int as overdue, coalesce(sum(c.soon), 0)::int as due_soon
       from unnest($2::smallint[]) as b (packed_state)
      cross join lateral (
        select count(*) as n, count(*) filter (where v.due_at < $4) as overdue,
               count(*) filter (where v.due_at >= $4 and v.due_at < $5) as soon
          from ${separate(`select due_at from policy_violation
                 where tenant_id = $1 and packed_state = b.packed_state${onlyTracked ? ' and tracked' : ''} order by due_at, id`)} v) c`,
    [tx.tenantId, unresolvedStates, blockingStates, now, soon],
  );
  return row ?? { open: 0, blocking: 0, overdue: 0, due_soon: 0 };
}

/** The last end of a completed scan. The newest fifty are read, because they may end in another order. */
export async function findLastFinished(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(
    `select max(finished_at) as at
       from (select finished_at from scan
              where tenant_id = $1 and status = 'completed' and not dry_run order by id desc limit 50) s`,
    [tx.tenantId],
  );
  return row?.at ?? null;
}

/** The number of failed scans with an id from this one on. */
export async function countFailed(tx: Tx, fromId: string): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*)::int as n from scan where tenant_id = $1 and id >= $2 and status = 'failed' and not dry_run`,
    [tx.tenantId, fromId],
  );
  return row?.n ?? 0;
}

/** The number of series with a closure that the mass-closure check holds. */
export async function countHeld(tx: Tx): Promise<number> {
  return countRows(tx, sqlHeldSeries);
}

/** The number of series of active references that have had no scan since then and are not retired. */
export async function countStale(tx: Tx, before: Date): Promise<number> {
  return countRows(tx, sqlStaleSeries('$2'), before);
}

async function countRows(tx: Tx, source: string, ...values: unknown[]): Promise<number> {
  const [row] = await tx.query<{ n: number }>(`select count(*)::int as n from ${source}`, [
    tx.tenantId,
    ...values,
  ]);
  return row?.n ?? 0;
}
