/**
 * Output for people and machines. Standard output holds only the result, and all messages go to standard error. All
 * output passes through this file, and `safe-text.ts` makes it safe.
 */
import { styleText } from 'node:util';
import { clearProgress } from './progress.ts';
import { jsonText, ownEscape, plain, safeLine } from './safe-text.ts';

/** Writes messages to standard error. Each argument is one line. */
export function say(...lines: string[]): void {
  clearProgress();
  process.stderr.write(lines.map((line) => `${safeLine(line)}\n`).join(''));
}

/** Writes the result to standard output. Each argument is one line. */
export function print(...lines: string[]): void {
  clearProgress();
  process.stdout.write(lines.map((line) => `${safeLine(line)}\n`).join(''));
}

/** Writes one JSON document for machines. */
export function printJson(value: unknown): void {
  clearProgress();
  process.stdout.write(jsonText(value));
}

type Style = Parameters<typeof styleText>[0];

/** Colours text on a terminal. With NO_COLOR or a pipe there is no colour. */
export function colour(style: Style, text: string): string {
  return styleText(style, '\0')
    .replaceAll('\u001b', ownEscape)
    .replace('\0', () => text);
}

const severityColours: Record<string, Style> = {
  critical: ['bold', 'red'],
  high: ['red'],
  medium: ['yellow'],
  low: ['cyan'],
};

export function severityColour(text: string): string {
  return colour(severityColours[text.trim()] ?? ['dim'], text);
}

export interface Column<Row> {
  title: string;
  text(row: Row): string;
  colour?(text: string): string;
  /** The column shrinks if the terminal is too narrow for all columns. */
  gives?: true;
}

const gap = '  ';
const narrowest = 16;

/** Prints rows in columns. A pipe gets the whole text. */
export function printTable<Row>(columns: Column<Row>[], rows: Row[]): void {
  const cells = rows.map((row) => columns.map((column) => plain(column.text(row))));
  const widths = columns.map(({ title }, i) =>
    Math.max(title.length, ...cells.map((row) => lengthOf(row[i] ?? ''))),
  );
  const spare =
    (process.stdout.columns ?? Number.POSITIVE_INFINITY) - sum(widths) - gap.length * (widths.length - 1);
  const giving = columns.findIndex((column) => column.gives);
  if (spare < 0 && giving >= 0) widths[giving] = Math.max(narrowest, (widths[giving] ?? 0) + spare);
  const line = (texts: string[], paint: (text: string, column: Column<Row>) => string): string =>
    columns
      .map((column, i) => paint(fit(texts[i] ?? '', widths[i] ?? 0, i === columns.length - 1), column))
      .join(gap)
      .trimEnd();
  const header = columns.map((column) => column.title);
  print(line(header, (text) => colour('bold', text)));
  for (const row of cells) print(line(row, (text, column) => column.colour?.(text) ?? text));
}

function fit(text: string, width: number, last: boolean): string {
  const length = lengthOf(text);
  if (length > width) return `${[...text].slice(0, width - 1).join('')}…`;
  return last ? text : text + ' '.repeat(width - length);
}

function lengthOf(text: string): number {
  return [...text].length;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
