/**
 * The digest of what a report shows: of its bytes without the times and numbers by which a tool tells one run from
 * another. Two scans of the same code then have the same digest, and the second is not read (ADR 89).
 */
import { createHash } from 'node:crypto';
import { ReusedBuffer } from './reused-buffer.ts';

// A colon and a text or number of JSON, with the white space of any formatter. Other values are no times and stay.
const valuePattern =
  /^\s{0,8}:\s{0,8}(?:"[ !#-[\]-~]{0,64}"|-?(?:0|[1-9]\d{0,15})(?:\.\d{1,16})?(?:[eE][+-]?\d{1,4})?(?=[\s,}\]]))/;
const maxValueLength = 96;

/** The fields that differ from run to run are known by the beginning, and the first bytes wait until it is there. */
export class ReportDigest {
  readonly #hash = createHash('sha256');
  readonly #runFieldsOf: (beginning: Buffer, isWhole: boolean) => readonly string[];
  readonly #beginningBytes: number;
  #names: Buffer[] | null = null;
  #maxMatchLength = 0;
  #waiting = new ReusedBuffer();

  /** `runFieldsOf` gets so many bytes, or the whole report if it has fewer. It may throw. */
  constructor(
    beginningBytes: number,
    runFieldsOf: (beginning: Buffer, isWhole: boolean) => readonly string[],
  ) {
    this.#beginningBytes = beginningBytes;
    this.#runFieldsOf = runFieldsOf;
  }

  /** Throws what `runFieldsOf` throws. */
  add(chunk: Buffer): void {
    if (this.#names?.length === 0) return;
    this.#waiting.add(chunk);
    if (this.#waiting.size >= this.#beginningBytes || this.#names !== null) this.#take(false);
  }

  /**
   * Ends the report. Null if it has no such fields: then its content is all of its bytes. Throws what `runFieldsOf`
   * throws.
   */
  end(): Buffer | null {
    this.#take(true);
    return this.#names?.length === 0 ? null : this.#hash.digest();
  }

  #take(isEnd: boolean): void {
    const { bytes } = this.#waiting;
    if (this.#names === null) {
      const fields = this.#runFieldsOf(bytes.subarray(0, this.#beginningBytes), isEnd);
      this.#names = fields.map((field) => Buffer.from(`"${field}"`));
      this.#maxMatchLength = Math.max(0, ...this.#names.map(({ length }) => length + maxValueLength));
    }
    if (this.#names.length === 0) {
      this.#waiting = new ReusedBuffer();
      return;
    }
    // A value near the end of these bytes may go on in the next ones.
    const until = isEnd ? bytes.length : Math.max(0, bytes.length - this.#maxMatchLength);
    let from = 0;
    for (const { at, start, end } of findValues(bytes, this.#names, until)) {
      if (at < from) continue;
      this.#hash.update(bytes.subarray(from, start));
      from = end;
    }
    this.#hash.update(bytes.subarray(from, Math.max(from, until)));
    this.#waiting.remove(Math.max(from, until));
  }
}

interface FoundValue {
  /** The position at which the name of its field begins. */
  at: number;
  start: number;
  end: number;
}

/** Finds the values of the fields whose names begin before `until`, in their order. */
function findValues(bytes: Buffer, names: readonly Buffer[], until: number): FoundValue[] {
  const values: FoundValue[] = [];
  for (const name of names) {
    for (let at = bytes.indexOf(name); at !== -1 && at < until; at = bytes.indexOf(name, at + 1)) {
      const start = at + name.length;
      const [value] = valuePattern.exec(bytes.toString('latin1', start, start + maxValueLength)) ?? [];
      if (value !== undefined) values.push({ at, start, end: start + value.length });
    }
  }
  return values.sort((a, b) => a.at - b.at);
}
