/**
 * Reads FIRST's daily file of exploit predictions: a comment line with model and date, a header, and one row per CVE.
 * It reads the file as a stream and holds only a piece of it and the ids seen so far.
 */

import type { DomainError } from '../../domain/domain-error.ts';
import { invalidInput } from '../../domain/errors.ts';
import { lengthRule } from '../../domain/field-rules.ts';
import type { Sentence } from '../../domain/sentence.ts';

export interface EpssRow {
  cve: string;
  score: number;
  percentile: number;
}

export interface EpssFile {
  version: string;
  publishedAt: Date;
  /** Yields batches of some ten thousand rows. Throws DomainError with the number of a wrong line. */
  rows: AsyncIterable<EpssRow[]>;
}

const commentPattern = /^#model_version:(v[0-9A-Za-z.]{1,40}),score_date:([0-9T:.+Z-]{10,40})$/;
const header = 'cve,epss,percentile';
const rowPattern = /^(CVE-[0-9]{4}-[0-9]{4,19}),([0-9.eE+-]{1,40}),([0-9.eE+-]{1,40})$/;
const batchSize = 20_000;
// A row has about forty characters. A longer line is from another file, and the reader must not hold it as a whole.
const maxLineLength = 1_000;

/** Reads the decompressed text from `chunks`. Throws DomainError if the first two lines are not those of EPSS. */
export async function readEpss(chunks: AsyncIterable<Uint8Array>): Promise<EpssFile> {
  const lines = linesOf(chunks);
  const comment = commentPattern.exec((await nextLine(lines)) ?? '');
  if (!comment) throw notEpss(1, '#model_version:…,score_date:…');
  const publishedAt = new Date((comment[2] ?? '').replace(/\+0000$/, 'Z'));
  if (Number.isNaN(publishedAt.getTime())) throw wrong(1, 'The score_date is not a time.');
  if ((await nextLine(lines)) !== header) throw notEpss(2, header);
  return { version: comment[1] ?? '', publishedAt, rows: rowsOf(lines) };
}

async function nextLine(lines: AsyncGenerator<string>): Promise<string | undefined> {
  const { value, done } = await lines.next();
  return done ? undefined : value;
}

async function* rowsOf(lines: AsyncGenerator<string>): AsyncGenerator<EpssRow[]> {
  const seen = new Set<string>();
  let batch: EpssRow[] = [];
  let number = 2;
  for await (const line of lines) {
    number++;
    if (line === '') continue;
    const row = readRow(line, number);
    if (seen.has(row.cve)) throw wrong(number, `The id ${row.cve} is in the file twice.`);
    seen.add(row.cve);
    batch.push(row);
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function readRow(line: string, number: number): EpssRow {
  const found = rowPattern.exec(line);
  if (!found) throw wrong(number, 'It must be a CVE id, a score and a percentile.');
  const [, cve = '', ...numbers] = found;
  const [score = Number.NaN, percentile = Number.NaN] = numbers.map(Number);
  if (!isShare(score)) throw wrong(number, `The score ${numbers[0]} is not between 0 and 1.`);
  if (!isShare(percentile)) throw wrong(number, `The percentile ${numbers[1]} is not between 0 and 1.`);
  return { cve, score: storable(score), percentile: storable(percentile) };
}

// The columns have single precision and refuse numbers that are too small for it.
function storable(share: number): number {
  return Math.fround(share) === 0 ? 0 : share;
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 1;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number++;
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    if (rest.length > maxLineLength) throw wrong(number, lengthRule(maxLineLength));
  }
  // A line without an end was cut off, even if what is left of it can be read.
  if (rest + decoder.decode() !== '')
    throw wrong(number, 'The file is cut off in it: a line feed must end it.');
}

function notEpss(number: number, expected: string): DomainError {
  return wrong(number, `In FIRST's file of EPSS scores it is ${expected}.`);
}

function wrong(number: number, rule: Sentence): DomainError {
  return invalidInput(`Line ${number} is wrong. ${rule}`);
}
