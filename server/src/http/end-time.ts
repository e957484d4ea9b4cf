/** The parameter `until`: the end of a decision. */
import { validationFailed } from '../domain/errors.ts';
import { readTime } from './time-input.ts';

/** Parses an RFC 3339 time. Throws 422 on `until` if it is no time in the future. */
export function parseUntil(text: string): Date {
  const time = readTime('until', text);
  if (time.getTime() <= Date.now()) throw validationFailed({ until: ['Must be in the future.'] });
  return time;
}
