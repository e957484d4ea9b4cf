/**
 * The reading of fields from unknown JSON: a field of the wrong type counts as missing. It must never throw, and must
 * read only an object's own properties, because `__proto__` and `constructor` may be ordinary keys.
 */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Gives a non-empty text; a number becomes its decimal text. White space and control characters alone count as empty,
 * and so do integers that are too large to be exact, because two of them may be read as one.
 */
export function asString(value: unknown): string | null {
  if (typeof value === 'string') {
    const first = value.charCodeAt(0);
    // Nearly all texts begin with a letter or a sign.
    return (first > 0x20 && first < 0x7f) || !/^[\s\p{Cc}]*$/u.test(value) ? value : null;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
}

/** Returns a finite number, also from a text, because some tools write numbers as text. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > 40 || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Returns the own field of an object, and undefined for any other value. */
export function field(value: unknown, key: string): unknown {
  const record = asRecord(value);
  if (record === null || (inherited.has(key) && !Object.hasOwn(record, key))) return undefined;
  return record[key];
}

export function recordAt(value: unknown, key: string): JsonRecord | null {
  return asRecord(field(value, key));
}

export function arrayAt(value: unknown, key: string): readonly unknown[] {
  return asArray(field(value, key));
}

export function stringAt(value: unknown, key: string): string | null {
  return asString(field(value, key));
}

export function numberAt(value: unknown, key: string): number | null {
  return asNumber(field(value, key));
}

/**
 * Gives a key as a step of a JSON pointer. A key longer than 200 characters is cut, and control characters, which no
 * column can store, are left out.
 */
export function pointerStep(key: string): string {
  return key
    .slice(0, 200)
    .replace(/\p{Cc}/gu, '')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .toWellFormed();
}

// The database's integer columns hold no larger number.
const largestInteger = 2_147_483_647;

/** Returns an integer of at least `lowest`, else null, so that `startLine: 0` is no line. */
export function asInteger(value: unknown, lowest: number): number | null {
  const number = asNumber(value);
  const fits = number !== null && Number.isInteger(number) && number >= lowest && number <= largestInteger;
  return fits ? number : null;
}

export function integerAt(value: unknown, key: string, lowest: number): number | null {
  return asInteger(field(value, key), lowest);
}

/** Returns the strings of a list, or a single string instead of the list. */
export function stringsAt(value: unknown, key: string): string[] {
  const found = field(value, key);
  if (found === undefined) return [];
  const list = Array.isArray(found) ? found : [found];
  return list.map(asString).filter((text) => text !== null);
}
