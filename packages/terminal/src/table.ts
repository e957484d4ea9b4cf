/** Rows in columns, for people. */
import { plain } from './safe-text.ts';

export interface Column<Row> {
  title: string;
  text(row: Row): string;
  /** Adds a style to the text, which has its final width. */
  colour?(text: string): string;
  /** The column shrinks if the terminal is too narrow for all columns. */
  gives?: true;
}

const gap = '  ';
const narrowest = 16;

/** Returns a line of titles and one line for each row. `width` is that of the terminal, in characters. */
export function tableLines<Row>(
  columns: Column<Row>[],
  rows: Row[],
  width: number = Number.POSITIVE_INFINITY,
): [header: string, ...rows: string[]] {
  const cells = rows.map((row) => columns.map((column) => plain(column.text(row))));
  const widths = columns.map(({ title }, i) =>
    Math.max(title.length, ...cells.map((row) => lengthOf(row[i] ?? ''))),
  );
  const spare = width - sum(widths) - gap.length * (widths.length - 1);
  const giving = columns.findIndex((column) => column.gives);
  if (spare < 0 && giving >= 0) widths[giving] = Math.max(narrowest, (widths[giving] ?? 0) + spare);
  const line = (texts: string[], paint: (text: string, column: Column<Row>) => string): string =>
    columns
      .map((column, i) => paint(fit(texts[i] ?? '', widths[i] ?? 0, i === columns.length - 1), column))
      .join(gap)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.title),
      (text) => text,
    ),
    ...cells.map((row) => line(row, (text, column) => column.colour?.(text) ?? text)),
  ];
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
