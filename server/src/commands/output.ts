/** The output of the operator's commands, for people and for machines. */
import { jsonText, safeLine, tableLines } from '@merlon/terminal';

/** Prints one JSON document for machines. */
export function printJson(value: unknown): void {
  process.stdout.write(jsonText(value));
}

/** Prints rows of text in columns, for people. */
export function printTable(header: string[], rows: string[][]): void {
  const columns = header.map((title, i) => ({ title, text: (row: string[]) => row[i] ?? '' }));
  for (const line of tableLines(columns, rows)) print(line);
}

/** Prints to standard output. */
export function print(text: string): void {
  process.stdout.write(safeLines(text));
}

/** Prints to standard error, if standard output holds a result. */
export function say(message: string): void {
  process.stderr.write(safeLines(message));
}

// Texts of reports, files and the database are data: a terminal or a CI runner must not execute them.
function safeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${safeLine(line)}\n`)
    .join('');
}
