/**
 * Reports that are a stream of JSON values: one per line, several after one another with any indentation, or the
 * elements of one array. Takes time in proportion to the text. It must never know what a value means, and never drop
 * the rest of a stream because of one broken value. Only a value that the end of the text cuts off breaks the report,
 * because the findings after it are missing.
 */
import { ReportError } from '../report.ts';
import type { ReportDocument } from './decode.ts';
import { asRecord, type JsonRecord } from './json.ts';
import type { ParseContext } from './limits.ts';

export interface JsonValue {
  value: unknown;
  /** `/12` is the thirteenth value of the stream. It is empty if the report is a single value. */
  pointer: string;
}

/** The format is recognised within this much text. It is larger than the first line of any known tool. */
const maxOpening = 4 * 1024 * 1024;
const maxOpeningChunks = 20;

/**
 * Returns every value of the report. A broken one is an unreadable row; the caller counts the other rows. Throws
 * ReportError for a report that ends in the middle of a value.
 */
export function readJsonValues(document: ReportDocument, context: ParseContext): JsonValue[] {
  const { json, text } = document;
  if (Array.isArray(json)) {
    return json.map((value, index) => ({ value, pointer: `/${index}` }));
  }
  if (json !== undefined) return [{ value: json, pointer: '' }];
  const values: JsonValue[] = [];
  const lines = new LineCounter(text);
  let ordinal = 0;
  let last: Part | null = null;
  for (const part of partsOf(text)) {
    last = part;
    if (part.kind === 'noise') {
      context.warn('Text between the JSON values was ignored.');
      continue;
    }
    const pointer = `/${ordinal++}`;
    if (ordinal > context.limits.maxFindings) {
      throw new ReportError(
        'LIMIT_EXCEEDED',
        `The report has more than ${context.limits.maxFindings} JSON values, which is the limit for one report.`,
        { pointer },
      );
    }
    if (part.kind === 'value') values.push({ value: part.value, pointer });
    else {
      context.addRows(1, pointer);
      context.addUnreadable(pointer, `The value that begins at line ${lines.at(part.start)} is not JSON.`);
    }
  }
  if (last?.kind === 'broken' && !last.isClosed) {
    const line = lines.at(last.start);
    throw new ReportError(
      'MALFORMED_REPORT',
      `The report ends in the middle of the value that begins at line ${line}. Check that the tool has ended, and the disk has space.`,
      { line },
    );
  }
  return values;
}

/** Returns the first object of the stream, to recognise a format; null if the beginning of the text holds none. */
export function firstJsonRecord({ json, text }: ReportDocument): JsonRecord | null {
  if (Array.isArray(json)) return asRecord(json.find((element) => asRecord(element) !== null));
  if (json !== undefined) return asRecord(json);
  // A broken array is a broken report. If it were read as a stream, its missing rest would look fixed.
  if (text.trimStart().startsWith('[')) return null;
  let parts = 0;
  for (const part of partsOf(text.slice(0, maxOpening))) {
    const record = part.kind === 'value' ? asRecord(part.value) : null;
    if (record !== null) return record;
    if (++parts > maxOpeningChunks) break;
  }
  return null;
}

type Part =
  | { kind: 'value'; value: unknown }
  | { kind: 'broken'; start: number; isClosed: boolean }
  | { kind: 'noise' };

/**
 * A value begins at a line with a brace in its first column, because indented JSON has only its outermost braces there.
 * A broken value therefore breaks no other.
 */
function* partsOf(text: string): Generator<Part> {
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf('\n{', start);
    const end = next === -1 ? text.length : next + 1;
    const chunk = text.slice(start, end);
    if (chunk.trim() !== '') {
      const value = parseValue(chunk);
      if (value === undefined) yield* partsWithin(chunk, start);
      else yield { kind: 'value', value };
    }
    start = end;
  }
}

/** Splits a line with several values, or with other text before or after a value. */
function* partsWithin(chunk: string, offset: number): Generator<Part> {
  let at = 0;
  for (;;) {
    const open = chunk.indexOf('{', at);
    if (chunk.slice(at, open === -1 ? chunk.length : open).trim() !== '') yield { kind: 'noise' };
    if (open === -1) return;
    const end = endOfObject(chunk, open);
    const value = end === -1 ? undefined : parseValue(chunk.slice(open, end));
    yield value === undefined
      ? { kind: 'broken', start: offset + open, isClosed: end !== -1 }
      : { kind: 'value', value };
    if (end === -1) return;
    at = end;
  }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the index after the brace that closes the one at `start`, or -1. Brackets inside strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++) {
        if (text.charCodeAt(at) === 0x5c) at++;
      }
    } else if (char === 0x7b) {
      depth++;
    } else if (char === 0x7d && --depth === 0) {
      return at + 1;
    }
  }
  return -1;
}

/** Gives the line numbers of rising offsets in one pass over the text. */
class LineCounter {
  readonly #text: string;
  #line = 1;
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf('\n');
  }

  at(offset: number): number {
    while (this.#next !== -1 && this.#next < offset) {
      this.#line++;
      this.#next = this.#text.indexOf('\n', this.#next + 1);
    }
    return this.#line;
  }
}
