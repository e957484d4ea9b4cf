/**
 * The parts that the operator's commands share: the database while they run, output for people or machines, exit codes.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonText, safeLine, tableLines } from '@merlon/terminal';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import type { PreparedDatabase } from '../db/prepare-database.ts';
import type { Sentence } from '../domain/sentence.ts';
import type { OpenDatabase } from '../open.ts';

export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  scanFailed: 5,
  leak: 6,
} as const;

/** Ends the command with a message on standard error. */
export class CommandError extends Error {
  declare readonly message: Sentence;
  readonly exitCode: number;

  constructor(message: Sentence, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Throws CommandError that names the wrong setting. */
export function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}

/**
 * Reads the settings of an install that is there. Throws CommandError if there is no embedded database, because a new
 * one, in a wrong directory, would look sound to a check and complete to a backup.
 */
export function readConfigOfInstall(): Config {
  const config = readConfig();
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null || existsSync(join(dataDir, 'postgres'))) return config;
  throw new CommandError(
    `There is no database in ${resolve(dataDir)}. Set MERLON_DATA_DIR or MERLON_DATABASE_URL as for the server. To make a new install, start merlond serve.`,
  );
}

/** Opens the database, runs the work, and closes the database in every case. `config` may be that of a new install. */
export async function withDatabase<T>(
  work: (open: OpenDatabase) => Promise<T>,
  config: Config = readConfigOfInstall(),
): Promise<T> {
  const { openConfigured } = await import('../open.ts');
  const open = await openConfigured(config);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/**
 * The address of the owner of the tables, for work that the running role may not do. Throws CommandError if it is not
 * known.
 */
export function ownerUrlOf({ ownerUrl }: PreparedDatabase, purpose: string): string {
  if (ownerUrl !== null) return ownerUrl;
  throw new CommandError(`MERLON_DATABASE_OWNER_URL is required ${purpose}.`, exitCodes.usage);
}

/**
 * Runs work with the address of the owner of the tables, for work that the running role may not do. Throws CommandError
 * if the address is not known.
 */
export async function withOwner<T>(purpose: string, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const { prepareDatabase } = await import('../db/prepare-database.ts');
  const prepared = await prepareDatabase(readConfigOfInstall(), say);
  try {
    return await work(ownerUrlOf(prepared, purpose));
  } finally {
    await prepared.close();
  }
}

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

/** Calls the given function at most once in `seconds`, to report progress. */
export function everySeconds(seconds: number): (act: () => void) => void {
  let last = performance.now();
  return (act) => {
    if (performance.now() - last < seconds * 1000) return;
    last = performance.now();
    act();
  };
}

// Texts of reports, files and the database are data: a terminal or a CI runner must not execute them.
function safeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${safeLine(line)}\n`)
    .join('');
}
