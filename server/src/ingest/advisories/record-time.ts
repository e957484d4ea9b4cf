/** Reads the times in records of feeds. */
import { isLaterThanTomorrow, parseTime } from '../../domain/time.ts';

// The first CVE ids are from 1999. Go writes the year 1 where it does not know the time.
export const earliestTime = new Date('1990-01-01T00:00:00Z');

/**
 * Returns the time at which something has happened, and null if the text does not say it. A time later than tomorrow is
 * a mistake: every correction until then would be older than it.
 */
export function pastTime(text: string | null, now: Date): Date | null {
  const time = text === null ? null : parsedTime(text);
  return time === null || time < earliestTime || isLaterThanTomorrow(time, now) ? null : time;
}

/** Returns null for a text that is no time. */
export function parsedTime(text: string): Date | null {
  try {
    return parseTime(text, '');
  } catch {
    return null;
  }
}
