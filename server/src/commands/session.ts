/** What every operator's command shares: the database for its time, output for people or machines, exit codes. */
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { type OpenDatabase, openConfigured } from '../db/open.ts';

export const exitCodes = { ok: 0, usage: 2, refused: 3, unreachable: 4, scanFailed: 5 } as const;

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

/** One JSON document for machines. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Rows of text in columns, for people. */
export function printTable(header: string[], rows: string[][]): void {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  for (const row of all) {
    process.stdout.write(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

/** To standard error, where standard output holds a result. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
