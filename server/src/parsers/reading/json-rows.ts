/**
 * The limits of nesting and of values of a JSON document, and its long lists of rows, which are decoded and parsed some
 * hundred rows at a time while they are read. So a large report is never all text or all objects in memory.
 */
import { randomUUID } from 'node:crypto';
import { asRecord, field } from './json.ts';
import { type Limits, lineOfByte, maxValues, type ParseContext, tooDeep, tooManyValues } from './limits.ts';

/** The lists that parsers read row by row: those with such a key, in the objects of a list at the top. */
const rowLists: ReadonlyMap<string, readonly string[]> = new Map([
  ['runs', ['results']],
  ['Results', ['Vulnerabilities', 'Secrets', 'Misconfigurations', 'Licenses']],
]);

/** The bytes of rows that are parsed at once, so that they live shortly; a shorter list is parsed with the rest. */
export const defaultBatchLength = 64 * 1024;

/** The rows of a long list. Each iteration parses them anew. */
export class RowList implements Iterable<unknown> {
  readonly length: number;
  readonly #bytes: Buffer;
  /** The commas between the batches, with the list's brackets before and after them. */
  readonly #cuts: readonly number[];

  constructor(bytes: Buffer, cuts: readonly number[], length: number) {
    this.#bytes = bytes;
    this.#cuts = cuts;
    this.length = length;
  }

  /** Throws `BrokenRowsError` for a batch that is no JSON. */
  *[Symbol.iterator](): Generator<unknown, void> {
    for (let index = 1; index < this.#cuts.length; index++) {
      const batch = this.#bytes.toString('utf8', (this.#cuts[index - 1] ?? 0) + 1, this.#cuts[index]);
      yield* parseBatch(batch);
    }
  }

  *entries(): Generator<[number, unknown], void> {
    let index = 0;
    for (const row of this) yield [index++, row];
  }
}

/** A row of a `RowList` is no JSON, so its report is none. */
export class BrokenRowsError extends Error {}

function parseBatch(batch: string): unknown[] {
  let rows: unknown[] = [];
  try {
    rows = JSON.parse(`[${batch}]`) as unknown[];
  } catch {}
  // There is nothing before or after a comma that is too many.
  if (rows.length === 0) throw new BrokenRowsError();
  return rows;
}

/** The rows of a list in a record, whether it is long or not; null for anything else. */
export function rowsAt(record: unknown, key: string): RowList | readonly unknown[] | null {
  const value = asRecord(record)?.[key];
  return value instanceof RowList || Array.isArray(value) ? value : null;
}

/**
 * Returns a list that a report may leave out. A value of another type may hide rows: PowerShell writes a nested list as
 * one text, and converters from XML write a list of one as an object. So it is an unreadable row, and not an empty
 * list.
 */
export function listAt(
  record: unknown,
  key: string,
  pointer: string,
  context: ParseContext,
): RowList | readonly unknown[] {
  const rows = rowsAt(record, key);
  if (rows !== null || (field(record, key) ?? null) === null) return rows ?? [];
  const at = `${pointer}/${key}`;
  context.addRows(1, at);
  context.addUnreadable(at, 'It is not a list.');
  return [];
}

/**
 * Returns the value of a document with these lists of rows. Throws SyntaxError if the text outside of them is no JSON.
 */
export function readJsonAround(bytes: Buffer, lists: readonly ScannedList[]): unknown {
  // The text cannot contain this mark, because nobody can know it.
  const mark = randomUUID();
  let text = '';
  let end = 0;
  for (const [index, { cuts }] of lists.entries()) {
    text += `${bytes.toString('utf8', end, cuts[0])}"${mark}${index}"`;
    end = (cuts.at(-1) ?? 0) + 1;
  }
  const json: unknown = JSON.parse(text + bytes.toString('utf8', end));
  for (const { record, key, value } of rowListFields(json)) {
    if (typeof value !== 'string' || !value.startsWith(mark)) continue;
    const list = lists[Number(value.slice(mark.length))];
    if (list !== undefined) record[key] = new RowList(bytes, list.cuts, list.length);
  }
  return json;
}

/** Parses all rows of long lists, for a parser that reads no such lists. Throws `BrokenRowsError`. */
export function parseAllRows(json: unknown): void {
  for (const { record, key, value } of rowListFields(json))
    if (value instanceof RowList) record[key] = [...value];
}

interface RowListField {
  record: Record<string, unknown>;
  key: string;
  value: unknown;
}

function* rowListFields(json: unknown): Generator<RowListField, void> {
  for (const [top, keys] of rowLists) {
    const records = asRecord(json)?.[top];
    for (const record of Array.isArray(records) ? records : []) {
      if (asRecord(record) === null) continue;
      for (const key of keys)
        yield { record, key, value: Object.hasOwn(record, key) ? record[key] : undefined };
    }
  }
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The depth of a list of rows: in an object, in a list, in the object at the top. */
const rowDepth = 4;

/** A list of rows in the text: see `RowList`. */
export interface ScannedList {
  cuts: number[];
  length: number;
}

/**
 * Finds the long lists of rows in UTF-8, and throws `LIMIT_EXCEEDED` if the nesting is too deep or there are too many
 * values, before JSON.parse would create them all. Brackets and commas inside strings do not count.
 */
export function scanJson(bytes: Buffer, limits: Limits, batchLength: number): ScannedList[] {
  const start = bytes.find((byte) => byte > 0x20);
  if (start !== openList && start !== openObject) return [];
  const { maxNesting } = limits;
  const most = maxValues(limits);
  const lists: ScannedList[] = [];
  let keys: readonly string[] = [];
  let list: ScannedList | null = null;
  let batchEnd = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const char = bytes[at];
    if (char === quote) {
      at = endOfString(bytes, at);
    } else if (char === comma) {
      values++;
      if (depth === rowDepth && list !== null) {
        list.length++;
        if (at >= batchEnd) {
          list.cuts.push(at);
          batchEnd = at + batchLength;
        }
      }
    } else if (char === openList || char === openObject) {
      depth++;
      values++;
      if (depth > maxNesting) throw tooDeep(limits, lineOfByte(bytes, at));
      if (char === openList && depth === 2) keys = rowLists.get(keyBefore(bytes, at)) ?? [];
      if (char === openList && depth === rowDepth && keys.includes(keyBefore(bytes, at))) {
        list = { cuts: [at], length: 1 };
        batchEnd = at + batchLength;
      }
    } else if (char === closeList || char === closeObject) {
      if (depth === rowDepth && list !== null) {
        list.cuts.push(at);
        if (char === closeList && list.cuts.length > 2) lists.push(list);
        list = null;
      }
      depth--;
    }
    if (values > most) throw tooManyValues(limits, lineOfByte(bytes, at));
  }
  return lists;
}

/** The key whose value begins at this position; empty if there is none, or if it is longer than all searched keys. */
function keyBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - 40), at);
  return /"([A-Za-z]{1,20})"\s{0,8}:\s{0,8}$/.exec(text)?.[1] ?? '';
}

/** Most strings are short, and the search of the engine costs more to begin than some steps. */
const shortLength = 96;

/** Returns the closing quote of the string that opens at `start`, or the length of the text if it is not closed. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (const end = Math.min(bytes.length, at + shortLength); at < end; at++) {
    const char = bytes[at];
    if (char === quote) return at;
    if (char === backslash) at++;
  }
  for (;;) {
    const end = bytes.indexOf(quote, at);
    if (end === -1) return bytes.length;
    let escapes = 0;
    while (end - escapes > at && bytes[end - escapes - 1] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
    at = end + 1;
  }
}
