/**
 * Everything that the operator's commands share: the database while they run, output for people or machines, exit
 * codes.
 */
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { type OpenDatabase, openConfigured } from '../open.ts';

export const exitCodes = { ok: 0, usage: 2, refused: 3, unreachable: 4, scanFailed: 5, leak: 6 } as const;

/** Ends the command with a message on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Throws CommandError with the wrong setting. */
export function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}

/** Opens the database, works, closes it, whatever happens. */
export async function withDatabase<T>(work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const open = await openConfigured(readConfig());
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/** Prints one JSON document for machines. */
export function printJson(value: unknown): void {
  const escaped = JSON.stringify(value, null, 2).replace(
    /#(?=#)|:(?=:)|[^\P{Cc}\n]|[\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (found) =>
      found
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  );
  print(escaped);
}

/** Rows of text in columns, for people. */
export function printTable(header: string[], rows: string[][]): void {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  for (const row of all) {
    print(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Prints to standard output. */
export function print(text: string): void {
  process.stdout.write(`${safeText(text)}\n`);
}

/** Prints to standard error, if standard output holds a result. */
export function say(message: string): void {
  process.stderr.write(`${safeText(message)}\n`);
}

/**
 * Texts of reports, files and the database are data: no terminal and no CI runner may obey one. GitHub Actions reads
 * `::` at the start of a line, and GitHub, Azure Pipelines and TeamCity read `##` before a bracket anywhere; runners
 * overlook format characters in them.
 */
function safeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\n]+|[\u2028\u2029]/gu, ' ')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/#(?=#)/g, '# ')
    .replace(/^(\s*):(?=:)/gm, '$1: ');
}
