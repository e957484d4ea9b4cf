/** The parameter `until`: the end of a decision. */
import { invalidInput } from '../domain/errors.ts';
import { parseTime } from '../domain/time.ts';

/** Parses an RFC 3339 time. Throws 422 on `until` if it is no time in the future. */
export function parseUntil(text: string): Date {
  const time = parseTime(text, 'until');
  if (time.getTime() <= Date.now()) throw invalidInput('Must be in the future.', 'until');
  return time;
}
