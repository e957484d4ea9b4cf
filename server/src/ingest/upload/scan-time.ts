/** When a scan says it was made. It orders the scans of a series, so a time that is only nearly one is refused. */

import { parseTime } from '../../domain/time.ts';

// Clocks that nobody has set say 1970 (Unix) or 1980 (DOS, ZIP); no scanner whose reports we read is as old as 1990.
const leastYear = 1990;
// A clock may be a little ahead; a report of next week is a mistake that would make every later one late.
const aheadMs = 5 * 60 * 1000;

/** Throws RangeError that says what is wrong, as a sentence. */
export function parseScanTime(text: string, now = new Date()): Date {
  const time = parseTime(text);
  if (time.getTime() < Date.UTC(leastYear, 0, 1)) throw new RangeError(`Must not lie before ${leastYear}.`);
  if (time.getTime() > now.getTime() + aheadMs) throw new RangeError('Must not lie in the future.');
  return time;
}
