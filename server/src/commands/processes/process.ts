/**
 * One process of `merlond serve`. It answers requests, or works on reports. The supervisor starts it, controls it, and
 * stops it. Without the supervisor it ends at once.
 */
import { constants, setPriority } from 'node:os';
import { surviveOutputErrors } from '@merlon/terminal';
import type { Config } from '../../config.ts';
import { version } from '../../domain/version.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { connectDatabase } from '../../open.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import { listen, logger } from '../listening.ts';
import { importObserver, metricsOf } from '../measuring.ts';
import type { FromProcess, StartMessage, ToProcess } from './messages.ts';
import { type RemoteShares, remoteShares } from './share-messages.ts';
import type { StandIn } from './stand-in.ts';

interface Running {
  url: string | null;
  setupToken: string | null;
  /** Null if metrics are off. */
  metrics: Metrics | null;
  /** Only a process that answers requests stands in, and drains. */
  standIn?(isOn: boolean): void;
  drain?(): void;
  stop(): Promise<void>;
}

surviveOutputErrors(exitCodes.refused);

const tell = (message: FromProcess): void => {
  process.send?.(message, () => {});
};
const shares = remoteShares(tell);
let running: Promise<Running> | null = null;

// The terminal sends its signals to all processes, but only the supervisor knows the order in which they must stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

process.on('message', (message: ToProcess) => {
  if (message.type === 'start') running = start(message);
  else if (message.type === 'stop') void stop();
  else if (message.type === 'drain') withRunning(({ drain }) => drain?.());
  else if (message.type === 'metrics') {
    withRunning(({ metrics }) => void tellMetrics(metrics, message.withDatabase));
  } else if (message.type === 'stand in') {
    withRunning(({ standIn }) => standIn?.(message.isOn));
  } else shares.receive(message);
});

function withRunning(act: (running: Running) => void): void {
  running?.then(act, () => {});
}

async function start(message: StartMessage): Promise<Running> {
  try {
    refuseAnotherVersion(message.version);
    const started = await (message.role === 'requests' ? answerRequests(message, shares) : workOn(message));
    // V8 would keep twenty megabytes of garbage from the start. A report must not wait for this collection.
    if (message.role === 'requests')
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    tell({ type: 'ready', url: started.url, setupToken: started.setupToken });
    return started;
  } catch (error) {
    process.send?.(failureOf(error), () => process.exit(1));
    throw error;
  }
}

/** A package that was replaced under a running server may need another schema than the one that was checked. */
function refuseAnotherVersion(ofSupervisor: string): void {
  if (ofSupervisor === version) return;
  throw new CommandError(
    `The program was replaced while the server runs: the server is Merlon ${ofSupervisor}, and its files are ${version}. Restart the server (docs/upgrade.md).`,
  );
}

function failureOf(error: unknown): FromProcess {
  if (error instanceof CommandError) {
    return { type: 'failed', message: error.message, exitCode: error.exitCode };
  }
  const { message, code = null } = error as NodeJS.ErrnoException;
  return { type: 'failed', message, exitCode: null, code };
}

async function tellMetrics(metrics: Metrics | null, withDatabase: boolean): Promise<void> {
  if (metrics !== null) tell({ type: 'metrics', snapshot: await metrics.snapshot(withDatabase) });
}

async function stop(): Promise<void> {
  const { stop: stopRunning, metrics } = await (running ?? Promise.reject(new Error('nothing runs')));
  await stopRunning();
  // The supervisor keeps the counts of a process that has ended.
  if (metrics !== null) {
    const message: FromProcess = { type: 'metrics', snapshot: await metrics.snapshot(false) };
    await new Promise((resolve) => process.send?.(message, resolve));
  }
  process.exit(0);
}

async function answerRequests(
  { config, appUrl, makesSetupToken }: StartMessage,
  { shares: common }: RemoteShares,
): Promise<Running> {
  const log = logger(config);
  const { processes } = config;
  // The imports have a process of their own.
  const options = { processes, common, log: (message: string) => log.warn(message) };
  const { db, secret, tracing } = await connectDatabase({ ...config, workers: 0 }, appUrl, options);
  const { buildApp } = await import('../../app.ts');
  const wakeWorker = (): void => tell({ type: 'work' });
  const metrics = await metricsOf(config, db, 'requests');
  const app = await buildApp({ config, db, secret, log, metrics, tracing, counts: 'supervisor', wakeWorker });
  const url = await listen(app, config);
  const { createSetupToken } = await import('../../access/sign-in/setup.ts');
  const setupToken = makesSetupToken ? await createSetupToken(db, config) : null;
  const { startStandIn } = await import('./stand-in.ts');
  const openQueue = app.deps.queue.open;
  const observeDelivery = metrics?.deliveryEnded;
  let standIn: StandIn | null = null;
  const stopStandIn = async (): Promise<void> => {
    const stopped = standIn;
    standIn = null;
    await stopped?.stop();
  };
  return {
    url,
    setupToken,
    metrics,
    standIn: (isOn) => {
      if (isOn) standIn ??= startStandIn({ db, config, secret, openQueue, log, wakeWorker, observeDelivery });
      else void stopStandIn();
    },
    drain: () => {
      app.deps.isDraining = true;
    },
    stop: () => stopInOrder(config, [stopStandIn, () => app.close(), () => db.close()]),
  };
}

// The worker itself reads little beside its jobs, so it needs few of these connections.
const maxConnections = 4;
// Work that the stand-in left for a worker is done soon, but after the job for which this process starts.
const firstSweepMs = 5_000;
const lookAtIdleMs = 500;

async function workOn({ config, appUrl }: StartMessage): Promise<Running> {
  const log = logger(config);
  // People wait for the answer of a request, but not for the next second of an import.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { prepareThread } = await import('../../ingest/prepare/parser-thread.ts');
  prepareThread();
  const { db, secret, tracing } = await connectDatabase(config, appUrl, { maxConnections, yields: true });
  const { startWorker } = await import('../../worker.ts');
  const metrics = await metricsOf(config, db, 'imports');
  const observeImport = importObserver(metrics, tracing);
  const observeDelivery = metrics?.deliveryEnded;
  const worker = await startWorker({ db, secret, config, observeImport, observeDelivery }, log, firstSweepMs);
  const maxIdleMs = config.importsIdleSeconds * 1000;
  const timer = setInterval(() => {
    if (maxIdleMs > 0 && worker.idleMs() >= maxIdleMs) tell({ type: 'idle' });
  }, lookAtIdleMs);
  const stopWorker = (): Promise<void> => {
    clearInterval(timer);
    return worker.stop();
  };
  return {
    url: null,
    setupToken: null,
    metrics,
    stop: () => stopInOrder(config, [stopWorker, () => db.close()]),
  };
}

// Each step runs even if an earlier one fails, for example because the database is down: a signal must end the process.
async function stopInOrder(config: Config, steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) {
    await step().catch((error: unknown) => logger(config).warn({ err: error }, 'not stopped in order'));
  }
}
