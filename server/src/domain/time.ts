/** Times as people and programs write them. */

// RFC 3339, letters of either case: a date, a time with its seconds, an offset.
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Throws RangeError that says what is wrong, as a sentence. */
export function parseTime(text: string): Date {
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
  return new Date(text.toUpperCase());
}
