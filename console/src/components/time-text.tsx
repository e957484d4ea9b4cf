/**
 * A time for people, in the reader's own zone and language, and the end of a decision as a day in UTC. The exact time
 * in UTC is in the tooltip and in the markup.
 */
import { useSyncExternalStore } from 'react';
import { dateTime, type TimeStyle } from './date-time.ts';
import { dayMs, hourMs, minuteMs } from './time-lengths.ts';

interface TimeTextProps {
  /** The time as the API writes it. Null is shown as `never`, or as `none` says. */
  value: string | null | undefined;
  /** `relative`: 3 hours ago. */
  as?: 'relative' | TimeStyle;
  none?: string;
}

export function TimeText({ value, as = 'relative', none = 'never' }: TimeTextProps) {
  const now = useNow();
  if (!value) return <span>{none}</span>;
  const date = new Date(value);
  return (
    <time dateTime={value} title={exactUtc(date)}>
      {as === 'relative' ? relativeTime(date, now) : dateTime(date, as)}
    </time>
  );
}

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['week', 7 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Returns `in 3 days`, `2 hours ago` or `now`. Weeks start at two, since "last week" may mean one day ago. */
function relativeTime(date: Date, now: number): string {
  const untilMs = date.getTime() - now;
  const fits = units.find(([unit, lengthMs]) => Math.abs(untilMs) >= (unit === 'week' ? 2 : 1) * lengthMs);
  if (!fits) return relativeFormat.format(0, 'second');
  const [unit, lengthMs] = fits;
  return relativeFormat.format(Math.trunc(untilMs / lengthMs), unit);
}

/** Returns the exact time: 2026-05-04 09:07:31 UTC. */
export function exactUtc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

// All times of a page share one clock. It ticks as often as the smallest unit in the text needs.
const tickMs = 30_000;
let clock = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    clock = Date.now();
    for (const each of watchers) each();
  }, tickMs);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the current time, and draws again as it moves on. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => {
    if (watchers.size === 0) clock = Date.now();
    return clock;
  });
}
