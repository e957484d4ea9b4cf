/**
 * `merlond serve`: the server, as a supervisor with several processes, or as a single process that also imports
 * reports. `merlond worker`: the worker alone. `merlond migrate`: the schema, as its owner.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { prepareDatabase } from '../db/prepare-database.ts';
import { invalidInput } from '../domain/errors.ts';
import { isLoopback } from '../domain/loopback.ts';
import type { OpenDatabase } from '../open.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { ensureConsole } from './console-build.ts';
import { listen, logger } from './listening.ts';
import { collectOf, importObserver, listenForMetrics, metricsOf } from './measuring.ts';
import { printJson, say } from './output.ts';
import type { MetricsCollector } from './processes/metrics-messages.ts';
import type { Processes } from './processes/supervisor.ts';
import { readConfig } from './read-config.ts';

export function addServeCommands(program: Command): void {
  program
    .command('serve')
    .description('Run the server')
    .option('--port <port>', 'instead of MERLON_PORT')
    .option('--host <host>', 'instead of MERLON_HOST')
    .option('--json', 'log JSON only (always on)')
    .action(async (options: { port?: string; host?: string }) => {
      const config = withOptions(readConfig(), options);
      // A signal during the start must not leave the embedded PostgreSQL behind, so the server stops after the start.
      const signal = untilSignal();
      const processes = config.processes + (config.workers > 0 ? 1 : 0);
      const server = await (processes > 1 ? serveWithProcesses(config) : serveAlone(config));
      say(`Merlon answers at ${server.url}`);
      if (config.publicUrl === null && !isLoopback(config.host)) {
        say(
          'The console answers under localhost alone until MERLON_PUBLIC_URL is the address that people open.',
        );
      }
      const { setupToken } = server;
      if (setupToken !== null)
        say(
          `There is no account yet. Create the first one with this link, which works once: ${server.url}/setup#${setupToken}`,
        );
      await signal;
      await drained(server, config);
      say('stopping');
      await server.stop();
    });
  program
    .command('worker')
    .description('Import reports, without answering requests')
    .option('--json', 'log JSON only (always on)')
    .action(async () => {
      const config = readConfig();
      if (config.workers === 0) {
        throw new CommandError(
          'MERLON_WORKERS is 0, and a worker needs at least one: set it to 1 or more.',
          exitCodes.usage,
        );
      }
      const signal = untilSignal();
      const { openConfigured } = await import('../open.ts');
      const { startWorker } = await import('../worker.ts');
      const open = await openConfigured(config, say);
      open.keepRunning(say);
      const metrics = await metricsOf(config, open.db, 'imports');
      const listener = await listenForMetrics(config, collectOf(metrics));
      const observeImport = importObserver(metrics, open.tracing);
      const worker = await startWorker(
        { ...open, config, observeImport, observeDelivery: metrics?.deliveryEnded },
        logger(config),
      );
      say('working');
      await signal;
      say('stopping');
      await worker.stop();
      await listener.close();
      await open.close();
    });
  program
    .command('migrate')
    .description('Migrate the database to the schema of this version')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const report = await migrateConfigured(readConfig());
      if (options.json) printJson(report);
      else
        say(
          report.applied.length > 0
            ? `applied ${report.applied.join(', ')}`
            : `nothing to do: ${report.version}`,
        );
    });
}

/** Lets proxies notice that the server is about to stop. */
async function drained(server: Processes, { drainSeconds }: Config): Promise<void> {
  if (drainSeconds === 0) return;
  say(`draining for ${drainSeconds} seconds`);
  server.drain();
  await sleep(drainSeconds * 1000);
}

async function migrateConfigured(config: Config) {
  const { migrate } = await import('../db/migrate.ts');
  const { databaseUrl, databaseOwnerUrl } = config;
  if (databaseUrl === null) {
    const prepared = await prepareDatabase(config);
    try {
      if (prepared.ownerUrl === null) throw new Error('the embedded database has no owner');
      return await migrate(prepared.ownerUrl, prepared.appUrl);
    } finally {
      await prepared.close();
    }
  }
  if (databaseOwnerUrl === null) {
    throw new CommandError('MERLON_DATABASE_OWNER_URL is required to migrate a server.', exitCodes.usage);
  }
  return migrate(databaseOwnerUrl, databaseUrl);
}

const leftOpenMs = 1_000;

/** The supervisor with its processes. */
async function serveWithProcesses(config: Config): Promise<Processes> {
  // The supervisor stays in memory, so only its own code is loaded.
  const { startProcesses } = await import('./processes/supervisor.ts');
  const prepared = await prepareDatabase(config, say);
  try {
    prepared.keepRunning(say);
    await ensureConsole(say);
    const metrics = config.metrics === null ? null : await collectorOf();
    const listener = await listenForMetrics(config, async () => (await metrics?.collect()) ?? []);
    const shared = { log: logger(config), metrics };
    const processes = await startProcesses(config, prepared.appUrl, shared);
    const stop = async (): Promise<void> => {
      await processes.stop();
      await listener.close();
      await prepared.close();
      // Node may hold a connection for a process that has died. It does not keep the stopped server.
      setTimeout(() => process.exit(), leftOpenMs).unref();
    };
    return { ...processes, stop };
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

async function collectorOf(): Promise<MetricsCollector> {
  const { metricsCollector } = await import('./processes/metrics-messages.ts');
  return metricsCollector();
}

/** Runs everything in this process. */
async function serveAlone(config: Config): Promise<Processes> {
  const { openConfigured } = await import('../open.ts');
  const { createSetupToken } = await import('../access/sign-in/setup.ts');
  const open = await openConfigured(config, say);
  const server = await startServer(config, open);
  const stop = async (): Promise<void> => {
    await server.stop();
    await open.close();
  };
  return { ...server, setupToken: await createSetupToken(open.db, config), stop };
}

export interface RunningServer {
  url: string;
  drain(): void;
  stop(): Promise<void>;
}

/** Listens in this process, and works unless MERLON_WORKERS is 0. The caller must close `open`. */
export async function startServer(config: Config, open: OpenDatabase): Promise<RunningServer> {
  const log = logger(config);
  open.keepRunning(say);
  await ensureConsole(say);
  const { buildApp } = await import('../app.ts');
  const { startWorker } = await import('../worker.ts');
  const metrics = await metricsOf(config, open.db, config.workers > 0 ? 'requests and imports' : 'requests');
  const listener = await listenForMetrics(config, collectOf(metrics));
  const app = await buildApp({ ...open, config, log, metrics });
  const observeImport = importObserver(metrics, open.tracing);
  const worker =
    config.workers > 0
      ? await startWorker({ ...open, config, observeImport, observeDelivery: metrics?.deliveryEnded }, log)
      : null;
  const stop = async (): Promise<void> => {
    // Each part is closed even if another fails, for example because the database is down: a signal must end the
    // process.
    for (const stopped of await Promise.allSettled([app.close(), worker?.stop(), listener.close()])) {
      if (stopped.status === 'rejected') log.warn({ err: stopped.reason }, 'not stopped in order');
    }
  };
  try {
    const drain = (): void => {
      app.deps.isDraining = true;
    };
    return { url: await listen(app, config), drain, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function withOptions(config: Config, options: { port?: string; host?: string }): Config {
  const port = options.port ?? String(config.port);
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) {
    throw invalidInput('Must be an integer from 0 to 65535.', 'port');
  }
  return { ...config, port: Number(port), host: options.host ?? config.host };
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.off(signal, stop);
        process.once(signal, () => process.exit(130));
      }
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
