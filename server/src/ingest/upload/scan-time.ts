/**
 * The time of a scan as its sender gives it. It orders the scans of a series, so a time that is only roughly right is
 * refused.
 */

import { parseTime } from '../../domain/time.ts';

// A clock that was never set gives 1970 (Unix) or 1980 (DOS, ZIP), and no supported scanner is older than 1990.
const leastYear = 1990;
// A clock may be a few minutes fast. A report from next week is a mistake that would make every later report late.
const aheadMs = 5 * 60 * 1000;

/** Throws RangeError with a sentence about the mistake. */
export function parseScanTime(text: string, now = new Date()): Date {
  const time = parseTime(text);
  if (time.getTime() < Date.UTC(leastYear, 0, 1)) throw new RangeError(`Must not lie before ${leastYear}.`);
  if (time.getTime() > now.getTime() + aheadMs) throw new RangeError('Must not lie in the future.');
  return time;
}
