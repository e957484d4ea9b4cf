/** Times as people and programs write them, and the lengths of the second, the minute, the hour and the day. */

import { invalidInput } from './errors.ts';
import type { Sentence } from './sentence.ts';

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const hourSeconds = hourMs / secondMs;
export const daySeconds = dayMs / secondMs;

/** A repository or an analysis without a scan for this many days is stale. By default a branch stays active as long. */
export const staleAfterDays = 30;

/** True for a time after tomorrow, in UTC. Time zones allow a date of tomorrow. */
export function isLaterThanTomorrow(time: Date, now: Date): boolean {
  return Math.floor(time.getTime() / dayMs) > Math.floor(now.getTime() / dayMs) + 1;
}

// RFC 3339 allows letters of either case. It requires a date, a time with seconds, and an offset.
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Parses an RFC 3339 time. Throws DomainError on `field`. */
export function parseTime(text: string, field: string): Date {
  const invalid = (message: Sentence) => invalidInput(message, field);
  const [, day = '', timeOfDay = ''] = rfc3339.exec(text) ?? [];
  if (day === '') {
    const plus = /\d [\d:]+$/.test(text) ? ' In a URL a + is written %2B.' : '';
    throw invalid(`Must be an RFC 3339 time with seconds and offset, such as 2026-01-31T12:00:00Z.${plus}`);
  }
  // Date reads 30 February as 2 March, so its result must print as the same text.
  const local = new Date(`${day}T${timeOfDay}Z`);
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${day}T${timeOfDay}`)) {
    throw invalid(`Must be a time that there is: ${day} ${timeOfDay} is none.`);
  }
  const time = new Date(text.toUpperCase());
  // The database has no year 0, and an offset can lead to it or to a year with five digits.
  const year = time.getUTCFullYear();
  if (year < 1 || year > 9999) throw invalid('Must be a time of the years 1 to 9999 in UTC.');
  return time;
}
