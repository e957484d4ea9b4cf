/**
 * Output for people and machines. Standard output holds only the result, and all messages go to standard error. All
 * output passes through this file, and `@merlon/terminal` makes it safe.
 */
import { styleText } from 'node:util';
import { type Column, jsonText, ownEscape, safeLine, tableLines } from '@merlon/terminal';
import { clearProgress } from './progress.ts';

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
  // Newer versions of Node ask the stream, but Node 20 does not.
  if (process.env.NO_COLOR || (!process.stdout.isTTY && !process.env.FORCE_COLOR)) return text;
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

/** Prints rows in columns. A pipe gets the whole text. */
export function printTable<Row>(columns: Column<Row>[], rows: Row[]): void {
  const [header, ...lines] = tableLines(columns, rows, process.stdout.columns);
  print(colour('bold', header), ...lines);
}

/**
 * Prints a list: with --json the whole answer, else its rows in columns. For a list with pages it also says how much of
 * it is shown: `50 of 120; --limit shows more`.
 */
export function printList<Row>(
  { json }: { json?: true },
  answer: { items: Row[]; next_cursor?: string | null; summary?: { total: number } },
  columns: Column<Row>[],
): void {
  if (json) {
    printJson(answer);
    return;
  }
  const { items, next_cursor: cursor, summary } = answer;
  printTable(columns, items);
  if (cursor === undefined) return;
  const all = summary === undefined ? '' : ` of ${summary.total}`;
  say(`${items.length}${all}${cursor === null ? '' : '; --limit shows more'}`);
}
