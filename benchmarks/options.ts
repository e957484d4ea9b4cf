/** Reads the arguments of the benchmarks, and the settings of their database. */
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { exitCodes } from '../server/src/commands/command-error.ts';
import { say } from '../server/src/commands/output.ts';
import { type Config, loadConfig } from '../server/src/config.ts';
import type { Sentence } from '../server/src/domain/sentence.ts';

export interface BenchOptions {
  dataDir: string;
  workspace: string;
  vulnerabilities: number;
  repositories: number;
  requests: number;
  /** The seconds of the run with 16 connections. */
  seconds: number;
}

/** Ends the program with a sentence about the arguments. */
export function refuseArguments(message: Sentence): never {
  say(`bench: ${message}`);
  process.exit(exitCodes.usage);
}

/** Returns the values of the options. Ends the program if an argument is none of them. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // The library adds advice for programs that have positional arguments.
    const [mistake] = (error as Error).message.split('. ');
    const names = Object.keys(options).map((name) => `--${name}`);
    return refuseArguments(`The arguments are wrong: ${mistake}. The options are ${names.join(', ')}.`);
  }
}

/** Returns the values of the options that several benchmarks share. Ends the program for a wrong one. */
export function readOptions(): BenchOptions {
  const values = readArguments({
    'data-dir': { type: 'string', default: 'data/bench' },
    workspace: { type: 'string', default: 'bench' },
    vulnerabilities: { type: 'string', default: '1000000' },
    repositories: { type: 'string', default: '500' },
    requests: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
  });
  return {
    dataDir: resolve(values['data-dir']),
    workspace: values.workspace,
    vulnerabilities: count('vulnerabilities', values.vulnerabilities),
    repositories: count('repositories', values.repositories),
    requests: count('requests', values.requests),
    seconds: count('seconds', values.seconds),
  };
}

function count(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text))
    refuseArguments(`The option --${name} must be a number from 1 to 999999999, not "${text}".`);
  return Number(text);
}

/** Returns the settings of a database server from the environment. Without them the embedded one is used. */
export function databaseSettings(): Record<string, string> {
  const names = ['MERLON_DATABASE_URL', 'MERLON_DATABASE_OWNER_URL', 'MERLON_SECRET_FILE'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the configuration for the data directory of a benchmark, without rate limits, logs and workers. */
export function benchConfig(dataDir: string): Config {
  return loadConfig({
    ...databaseSettings(),
    MERLON_DATA_DIR: dataDir,
    MERLON_PORT: '0',
    MERLON_RATE_LIMIT_PER_MINUTE: '0',
    MERLON_WORKERS: '0',
    MERLON_LOG_LEVEL: 'silent',
  });
}
