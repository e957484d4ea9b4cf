/** Parses the end of a decision from the command line. */
import { daySeconds } from './time-lengths.ts';

// The server has limits such as 90 days. Its clock may be slower than this one, and the end must be within the limit
// there.
const marginMs = 60_000;

/**
 * `2027-01-31` gives its last second in UTC, and `14d` the time after that many days, less a minute. Any other text
 * stays unchanged, because the server parses RFC 3339.
 */
export function endOf(text: string, now: number = Date.now()): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T23:59:59Z`;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined) return text;
  return new Date(now + Number(days) * daySeconds * 1000 - marginMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
