/**
 * The figures of a number of days: new and fixed vulnerabilities, the time to fix, and the share of violations that
 * were resolved in time.
 */
import { severities } from '../../domain/packed-state.ts';
import type { DayRow, OutcomeRow } from './store.ts';

/** Days that count for times to fix and for the SLA: a quarter of a year. */
export const outcomeDays = 90;

/** Mean time to fix by severity, the highest first. */
export function fixTimesOf(rows: OutcomeRow[]) {
  return severities
    .map((severity) => {
      const { fixed = 0, seconds = 0 } = rows.find((row) => row.severity === severity) ?? {};
      return { severity, fixed, mean_seconds: meanOf(seconds, fixed) };
    })
    .reverse();
}

export function meanOf(seconds: number, fixed: number): number | null {
  return fixed === 0 ? null : Math.round(seconds / fixed);
}

/** The share of violations that were resolved by their due date, rounded down: 100 means all of them. */
export function slaOf(rows: { resolved: number; in_time: number }[]) {
  const [resolved, kept] = [sumOf(rows, 'resolved'), sumOf(rows, 'in_time')];
  return { resolved, kept, percent: resolved === 0 ? null : Math.floor((100 * kept) / resolved) };
}

/**
 * The numbers of new and fixed vulnerabilities in the second week of these fourteen days, and in the first. The numbers
 * of the first week are null if the history begins within it.
 */
export function weekOf(dates: string[], rows: DayRow[], firstDay: string | null) {
  const [before, current] = [dates.slice(0, 7), dates.slice(7)];
  const isKnown = firstDay !== null && firstDay <= (before[0] ?? '');
  const of = (days: string[], column: 'introduced' | 'fixed'): number =>
    sumOf(
      rows.filter(({ day }) => days.includes(day)),
      column,
    );
  return {
    new: of(current, 'introduced'),
    new_before: isKnown ? of(before, 'introduced') : null,
    fixed: of(current, 'fixed'),
    fixed_before: isKnown ? of(before, 'fixed') : null,
  };
}

export interface TrendDay {
  date: string;
  open: number;
  new: number;
  fixed: number;
  open_by_severity: Record<string, number>;
}

export interface TrendWeek {
  from: string;
  to: string;
  open: number;
  new: number;
  fixed: number;
}

/** Weeks that run back from the last day, so that the last week is complete. The first may be shorter. */
export function weeksOf(days: TrendDay[]): TrendWeek[] {
  const weeks: TrendWeek[] = [];
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(0, end - 7), end);
    const [first, last] = [week[0], week.at(-1)];
    if (!first || !last) continue;
    weeks.push({
      from: first.date,
      to: last.date,
      open: last.open,
      new: sumOf(week, 'new'),
      fixed: sumOf(week, 'fixed'),
    });
  }
  return weeks.reverse();
}

function sumOf<Key extends string>(rows: Record<Key, number>[], key: Key): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}
