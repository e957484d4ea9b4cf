/** The overview of a workspace: open vulnerabilities, due violations, risk by repository, times to fix and scans. */
import { isKevLoaded } from '../../actions/intel/store.ts';
import type { Tx } from '../../db/database.ts';
import { dueRange } from '../../domain/due.ts';
import { firstIdSince, formatId } from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { dayMs } from '../../domain/time.ts';
import { bySeverityOf, severityCountsOf } from '../../http/by-severity.ts';
import { timestampOrNull } from '../../http/schema.ts';
import type { ListScope } from '../../vulnerabilities/scope.ts';
import { fixTimesOf, outcomeDays, slaOf, weekOf } from './figures.ts';
import { countExploitable, countRequested, findFirstDay } from './figures-store.ts';
import {
  countFailed,
  countHeld,
  countOpenIn,
  countStale,
  countViolations,
  findLastFinished,
  listByRisk,
  listDays,
  listOutcomes,
  type RiskRow,
  type SeverityCount,
} from './store.ts';
import { datesUpTo, dayBefore } from './trend.ts';

// A page shows this many repositories without scrolling.
export const shownRepositories = 10;

// Five vulnerabilities of one severity weigh as much as one of the next, so that many small ones count but do not hide
// a severe one. A vulnerability without a rating may have any severity, and weighs as a low one.
const weights: Record<Severity, number> = {
  critical: 125,
  high: 25,
  medium: 5,
  low: 1,
  info: 0,
  unknown: 1,
};

export const riskWeights = severities.map((name) => weights[name]);

/**
 * A series is stale after `activeDays` days without a scan. `scope` says where `open` and `repositories` count open
 * vulnerabilities.
 */
export async function readOverview(tx: Tx, scope: ListScope, now: Date, activeDays: number) {
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const dates = datesUpTo(now, 14);
  const [today, quarter] = [dayBefore(now, 0), dayBefore(now, outcomeDays - 1)];
  const [open, violations, risks, outcomes, lastFinishedAt, failed, held, stale, ...figures] =
    await Promise.all([
      countOpenIn(tx, scope),
      countViolations(tx, { now, soon: dueRange('soon', now).to ?? now, onlyTracked: false }),
      listByRisk(tx, null, scope, riskWeights, shownRepositories),
      listOutcomes(tx, null, quarter),
      findLastFinished(tx),
      countFailed(tx, firstIdSince(daysAgo(7))),
      countHeld(tx),
      countStale(tx, daysAgo(activeDays)),
      listDays(tx, null, { since: dates[0] ?? '', until: today }),
      findFirstDay(tx, null, today),
      countExploitable(tx, null, scope === 'all' ? 'all' : 'tracked'),
      countRequested(tx),
      isKevLoaded(tx),
    ]);
  const [days, firstDay, exploitable, requested, kevLoaded] = figures;
  return {
    open: openSummary(open),
    violations,
    repositories: risks.map(riskItem),
    fix_time: fixTimesOf(outcomes),
    scans: {
      last_finished_at: timestampOrNull(lastFinishedAt),
      failed_week: failed,
      held_closures: held,
      stale_series: stale,
    },
    week: weekOf(dates, days, firstDay),
    exploitable,
    kev_loaded: kevLoaded,
    exceptions_requested: requested,
    sla: slaOf(outcomes),
  };
}

export function riskItem({ id, full_name, score, open }: RiskRow) {
  const counts = severityCountsOf(open);
  return {
    id: formatId('repository', id),
    full_name,
    open: sumOf(counts),
    by_severity: bySeverityOf(counts),
    score,
  };
}

export function openSummary(counts: SeverityCount[]) {
  return { total: sumOf(counts), by_severity: bySeverityOf(counts) };
}

function sumOf(counts: SeverityCount[]): number {
  return counts.reduce((sum, { n }) => sum + n, 0);
}
