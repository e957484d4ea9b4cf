/**
 * The reading of CSV as rows by header: the separator, quotes, line ends, and the number of a row. A broken quote
 * refuses the report, because nobody can say where the next row begins. It must never quote the report in an error.
 */

import { CsvError, parse } from 'csv-parse/sync';
import type { Sentence } from '../../domain/sentence.ts';
import { ReportError } from '../report.ts';
import type { JsonRecord } from './json.ts';
import type { ParseContext } from './limits.ts';
import { unixLines } from './text.ts';

/** Cells of one row. The widest export that we know has some 100 columns; what follows is left in the last cell. */
const maxCells = 1000;
/** A header is shorter than this, so recognising a format never reads a whole report. */
const headerLength = 65_536;

export interface Csv {
  /** The names of the columns in lower case and without white space at their ends. */
  header: string[];
  separator: string;
}

const separators = [',', ';', '\t'];

/** Reads the first row of a text that may be CSV; null for a text that is none. It does not throw. */
export function readCsvHeader(text: string): Csv | null {
  const start = text.slice(0, headerLength).trimStart();
  if (start === '' || '{[<'.includes(start.charAt(0))) return null;
  const rows = separators.map((separator) => ({ header: firstRow(start, separator), separator }));
  const widest = rows.reduce((best, row) => (row.header.length > best.header.length ? row : best));
  return widest.header.length < 2 ? null : widest;
}

function firstRow(start: string, separator: string): string[] {
  let names: string[] = [];
  try {
    readRecords(unixLines(start), separator, (cells) => {
      names = cells.map((cell) => cell.trim().toLowerCase());
      throw stop;
    });
  } catch {
    // It stops at the first row, or its quotes are not those of CSV.
  }
  return names;
}

const stop = new Error('The header has been seen.');

/**
 * Passes each row as a record by the names of its columns: the first column of each name, without white space at its
 * ends. Rows without any text are none: spreadsheets write them below a table.
 *
 * The pointer `/12` is the 12th row below the header, empty rows included, so that a spreadsheet shows it in line 13.
 * Throws `MALFORMED_REPORT` with the line of a broken quote, and `LIMIT_EXCEEDED` for too many rows. It rethrows the
 * errors of `onRow`.
 */
export function readCsv(
  text: string,
  context: ParseContext,
  onRow: (row: JsonRecord, pointer: string) => void,
): void {
  const csv = readCsvHeader(text);
  if (csv === null) throw new ReportError('MALFORMED_REPORT', 'The CSV has no header.', { line: 1 });
  const columns = firstColumns(csv.header);
  const { maxFindings } = context.limits;
  // Rows of one file may end with either line end, and the library counts a CRLF inside quotes as two lines.
  const lines = unixLines(text.trimStart());
  let number = -1;
  try {
    readRecords(lines, csv.separator, (cells) => {
      number++;
      if (number === 0) return;
      const pointer = `/${number}`;
      if (number > maxFindings) {
        const message: Sentence = `The CSV has more than ${maxFindings} rows, which is the limit for one report.`;
        throw new ReportError('LIMIT_EXCEEDED', message, { pointer });
      }
      const row = recordOf(columns, cells);
      if (row !== null) onRow(row, pointer);
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const skipped = text.length - text.trimStart().length;
    throw brokenQuote(error, lines, text.slice(0, skipped).split('\n').length - 1);
  }
}

function readRecords(text: string, separator: string, onCells: (cells: string[]) => void): void {
  parse(text, {
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    ignore_last_delimiters: maxCells,
    // The library keeps no rows, so only one row at a time is in memory in addition to the text.
    on_record: (cells: string[]) => {
      onCells(cells);
      return null;
    },
  });
}

function firstColumns(header: readonly string[]): [string, number][] {
  const columns = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    if (name !== '' && !columns.has(name)) columns.set(name, index);
  }
  return [...columns];
}

/** Returns null if all cells are empty. */
function recordOf(columns: readonly [string, number][], cells: readonly string[]): JsonRecord | null {
  // Without a prototype, `__proto__` is an ordinary name of a column.
  const record: Record<string, string> = Object.create(null);
  let isEmpty = true;
  for (const [name, index] of columns) {
    const cell = cells[index]?.trim() ?? '';
    if (cell === '') continue;
    record[name] = cell;
    isEmpty = false;
  }
  return isEmpty ? null : record;
}

/** For a quote that is never closed, the library names the last line; the line of its opening helps more. */
function brokenQuote(error: CsvError, lines: string, skippedLines: number): ReportError {
  const { code, bytes, lines: last } = error as { code: string; bytes?: number; lines?: number };
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED';
  const before = Buffer.from(lines).subarray(0, isOpen ? (bytes ?? 0) + 1 : 0);
  const line = skippedLines + (isOpen ? before.toString().split('\n').length : (last ?? 1));
  const message: Sentence = isOpen
    ? `The CSV has a quote at line ${line} that is not closed: the report was cut off.`
    : `The CSV has a broken quote at line ${line}.`;
  return new ReportError('MALFORMED_REPORT', message, { line });
}
