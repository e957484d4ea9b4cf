/**
 * The trend gives for each day the vulnerabilities that were open at its end, and those that were new or fixed. It goes
 * back from the current open ones by the changes of each day, so that it always ends at the number that every list
 * shows. If a workspace is older than these rows, the days before the first row show the number of open ones at that
 * time, and nothing new or fixed.
 */
import type { Tx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { bySeverityOf } from '../../http/by-severity.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { type TrendDay, weeksOf } from './figures.ts';
import { findFirstDay } from './figures-store.ts';
import { countOpen, type DayRow, listDays, type OverviewSubject, type SeverityCount } from './store.ts';

/** The date that is this many days before `now`, as `YYYY-MM-DD` in UTC. */
export function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
}

/** The trend of the last days up to today. Throws 404 for an unknown repository. */
export async function readTrend(
  tx: Tx,
  { repo, days, now }: { repo: string | undefined; days: number; now: Date },
) {
  const repository = repo === undefined ? null : await getRepository(tx, repo);
  return {
    repository: repository && { id: formatId('repository', repository.id), full_name: repository.full_name },
    ...(await readHistory(tx, repository && { repositoryIds: [repository.id] }, { days, now })),
  };
}

/** The days up to today, the first day of the history, and the weeks since then. */
export async function readHistory(
  tx: Tx,
  subject: OverviewSubject,
  { days, now }: { days: number; now: Date },
) {
  const dates = datesUpTo(now, days);
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const [open, rows, since] = await Promise.all([
    countOpen(tx, subject),
    listDays(tx, subject, { since: first, until: last }),
    findFirstDay(tx, subject, last),
  ]);
  const history = walkBack(dates, open, rows);
  return {
    since,
    days: history,
    weeks: weeksOf(since === null ? [] : history.filter(({ date }) => date >= since)),
  };
}

/** This many dates up to today; the oldest comes first. */
export function datesUpTo(now: Date, days: number): string[] {
  return Array.from({ length: days }, (_, i) => dayBefore(now, days - 1 - i));
}

/** `dates` come in order of time, and the last of them is today. `open` is the current number. */
export function walkBack(dates: string[], open: SeverityCount[], rows: DayRow[]): TrendDay[] {
  const ofDay = new Map<string, DayRow[]>();
  for (const row of rows) ofDay.set(row.day, [...(ofDay.get(row.day) ?? []), row]);
  const left = new Map(open.map(({ severity, n }) => [severity, n]));
  const days: TrendDay[] = [];
  for (const date of dates.toReversed()) {
    const today = ofDay.get(date) ?? [];
    // An older document may date a closing before the opening, so the number must not fall below zero.
    const counts = [...left].map(([severity, n]) => ({ severity, n: Math.max(0, n) }));
    days.push({
      date,
      open: counts.reduce((sum, { n }) => sum + n, 0),
      new: today.reduce((sum, row) => sum + row.introduced, 0),
      fixed: today.reduce((sum, row) => sum + row.fixed, 0),
      open_by_severity: bySeverityOf(counts),
    });
    for (const { severity, gained } of today) left.set(severity, (left.get(severity) ?? 0) - gained);
  }
  return days.reverse();
}
