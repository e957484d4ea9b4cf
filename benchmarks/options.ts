/** Reads the arguments that the benchmarks share, and opens the database that they name. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../server/src/config.ts';

export interface BenchOptions {
  dataDir: string;
  workspace: string;
  vulnerabilities: number;
  repositories: number;
  requests: number;
  /** The seconds of the run with 16 connections. */
  seconds: number;
}

/** Throws a TypeError for an unknown argument. */
export function readOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string', default: 'data/bench' },
      workspace: { type: 'string', default: 'bench' },
      vulnerabilities: { type: 'string', default: '1000000' },
      repositories: { type: 'string', default: '500' },
      requests: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '15' },
    },
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
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new TypeError(`--${name} ${text}: must be a number of digits`);
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
