/**
 * The time of a scan as its sender gives it. It orders the scans of a series, so a time that is only roughly right is
 * refused.
 */

import { invalidInput } from '../../domain/errors.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { parseTime } from '../../domain/time.ts';

// A clock that was never set gives 1970 (Unix) or 1980 (DOS, ZIP), and no supported scanner is older than 1990.
const leastYear = 1990;
// A clock may be a few minutes fast. A report from next week is a mistake that would make every later report late.
const aheadMs = 5 * 60 * 1000;

/** Throws DomainError on `field`. */
export function parseScanTime(text: string, field: string, now = new Date()): Date {
  const time = parseTime(text, field);
  const invalid = (message: Sentence) => invalidInput(message, field);
  if (time.getTime() < Date.UTC(leastYear, 0, 1)) throw invalid(`Must not lie before ${leastYear}.`);
  if (time.getTime() > now.getTime() + aheadMs) throw invalid('Must not lie in the future.');
  return time;
}

/** Returns the time by which a scan is ordered. A fast clock must not make the reports of the next minutes late. */
export function scanTimeOf(given: Date | null, arrivedAt: Date): Date {
  return given !== null && given < arrivedAt ? given : arrivedAt;
}
