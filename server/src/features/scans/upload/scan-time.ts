/** When a scan says it was made. It orders the scans of a stream, so a time that is only nearly one is refused. */

// RFC 3339, letters of either case: a date, a time with its seconds, an offset.
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
// Clocks that nobody has set say 1970 (Unix) or 1980 (DOS, ZIP); no scanner whose reports we read is as old as 1990.
const leastYear = 1990;
// A clock may be a little ahead; a report of next week is a mistake that would make every later one late.
const aheadMs = 5 * 60 * 1000;

/** Throws RangeError that says what is wrong, as a sentence. */
export function parseScanTime(text: string, now = new Date()): Date {
  const [, day = '', timeOfDay = ''] = rfc3339.exec(text) ?? [];
  if (day === '') {
    const plus = /\d [\d:]+$/.test(text) ? ' In a URL a + is written %2B.' : '';
    throw new RangeError(
      `Must be an RFC 3339 time with seconds and offset, such as 2026-01-31T12:00:00Z.${plus}`,
    );
  }
  // Date takes 30 February as 2 March: what it makes of the text must read as the text does.
  const local = new Date(`${day}T${timeOfDay}Z`);
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${day}T${timeOfDay}`)) {
    throw new RangeError(`Must be a time that there is: ${day} ${timeOfDay} is none.`);
  }
  const time = new Date(text.toUpperCase());
  if (time.getTime() < Date.UTC(leastYear, 0, 1)) throw new RangeError(`Must not lie before ${leastYear}.`);
  if (time.getTime() > now.getTime() + aheadMs) throw new RangeError('Must not lie in the future.');
  return time;
}
