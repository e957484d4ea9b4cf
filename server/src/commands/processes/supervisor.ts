/**
 * The supervisor of `merlond serve`. It starts the processes that answer requests, which share the port, and one for
 * imports while there is work. It replaces a process that dies, keeps the limits that they share, and stops them in
 * order. It does nothing else, so that it stays small and always has time.
 */
import cluster, { type Worker } from 'node:cluster';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import { version } from '../../domain/version.ts';
import { CommandError } from '../command-error.ts';
import type { FromProcess, ProcessRole, ToProcess } from './messages.ts';
import type { MetricsCollector } from './metrics-messages.ts';
import { flagsOf } from './process-flags.ts';
import { type ShareKeeper, shareKeepers } from './share-messages.ts';

export interface Processes {
  url: string;
  /** Null if the install has people. */
  setupToken: string | null;
  /** Makes all processes report from now on that they are not ready. They still answer. */
  drain(): void;
  /** Lets the processes finish their work, and ends them. */
  stop(): Promise<void>;
}

interface SharedByProcesses {
  log: FastifyBaseLogger;
  /** Null if metrics are off. */
  metrics: MetricsCollector | null;
}

// A process that dies once is replaced at once. One that cannot start is tried twice a minute.
const firstDelayMs = 200;
const longestDelayMs = 30_000;
// A process that has lived for this long did not die at its start.
const steadyMs = 60_000;

// The file is process.js in the built package.
const program = fileURLToPath(new URL(`process${extname(import.meta.url)}`, import.meta.url));

/** Resolves when all processes are ready. Throws the error of the first one that failed, after all have ended. */
export async function startProcesses(
  config: Config,
  appUrl: string,
  { log, metrics }: SharedByProcesses,
): Promise<Processes> {
  new RateLimiterClusterMaster();
  const createKeeper = shareKeepers();
  const stopping = new AbortController();
  const running = new Map<Worker, ProcessRole>();
  const kept = new Set<Promise<void>>();
  const { importsIdleSeconds, workers } = config;
  const importsOnDemand = workers > 0 && importsIdleSeconds > 0;
  let importer: Slot | null = null;
  // The process for imports once it sweeps and delivers. Null while none runs, and while one starts or cannot start.
  let readyImporter: Worker | null = null;
  let port: number | null = null;
  let isDraining = false;

  const fork = (role: ProcessRole, makesSetupToken: boolean): { worker: Worker; ready: Promise<Ready> } => {
    const isOnly = ![...running.values()].includes('requests');
    // Port 0 means the port that the first process has chosen, as long as one of them is alive.
    const listensAt = isOnly && port !== null ? { ...config, port } : config;
    cluster.setupPrimary({ exec: program, args: [], execArgv: [...process.execArgv, ...flagsOf[role]] });
    const worker = cluster.fork();
    running.set(worker, role);
    closeLostConnection(worker);
    const keeper = createKeeper((message) => send(worker, message));
    const ready = readyOf(worker, keeper);
    ready.then(
      () => {
        log.info({ role, of: worker.process.pid }, 'a process is ready');
        if (importer?.worker === worker) setReadyImporter(worker);
        if (metrics !== null) measure(worker, metrics);
      },
      (error: unknown) => log.error({ err: error, role }, 'a process has not started'),
    );
    worker.on('message', ({ type }: FromProcess) => {
      if (type === 'work') wakeImporter();
      else if (type === 'idle') releaseImporter(worker);
    });
    worker.once('exit', () => {
      running.delete(worker);
      if (readyImporter === worker) setReadyImporter(null);
    });
    send(worker, { type: 'start', version, role, config: listensAt, appUrl, makesSetupToken });
    if (isDraining) send(worker, { type: 'drain' });
    return { worker, ready };
  };

  const keepRunning = async (slot: Slot): Promise<void> => {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
      const { worker, role } = slot;
      const startedAt = performance.now();
      const { code, signal } = await endOf(worker);
      if (stopping.signal.aborted || slot.isReleased) return;
      if (performance.now() - startedAt > steadyMs) delayMs = firstDelayMs;
      log.error({ role, of: worker.process.pid, code, signal, delayMs }, 'a process has ended');
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      slot.worker = fork(role, false).worker;
      sayStandIn();
    }
  };

  /** Starts a process and keeps it running. */
  const addSlot = (role: ProcessRole, makesSetupToken: boolean): { slot: Slot; ready: Promise<Ready> } => {
    const { worker, ready } = fork(role, makesSetupToken);
    const slot = { role, worker, isReleased: false };
    const keeping = keepRunning(slot).finally(() => kept.delete(keeping));
    kept.add(keeping);
    return { slot, ready };
  };

  const wakeImporter = (): void => {
    if (!importsOnDemand || importer !== null || stopping.signal.aborted) return;
    importer = addSlot('imports', false).slot;
  };

  // The process finishes its work. Work that arrives meanwhile gets another process at once.
  const releaseImporter = (worker: Worker): void => {
    if (importer?.worker !== worker || stopping.signal.aborted) return;
    importer.isReleased = true;
    importer = null;
    log.info({ role: 'imports', of: worker.process.pid }, 'a process is not needed');
    send(worker, { type: 'stop' });
    setReadyImporter(null);
  };

  const setReadyImporter = (worker: Worker | null): void => {
    readyImporter = worker;
    sayStandIn();
  };

  // The stand-in ends only when the process for imports is ready. Leases let both work for a moment.
  const sayStandIn = (): void => {
    if (!importsOnDemand || stopping.signal.aborted) return;
    send(answering[0]?.slot.worker, { type: 'stand in', isOn: readyImporter === null });
  };

  const answering = Array.from({ length: config.processes }, (_, i) => addSlot('requests', i === 0));
  const started = answering.map(({ ready }) => ready);
  if (workers > 0 && !importsOnDemand) started.push(addSlot('imports', false).ready);
  sayStandIn();
  const drain = (): void => {
    isDraining = true;
    for (const worker of running.keys()) send(worker, { type: 'drain' });
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const worker of running.keys()) send(worker, { type: 'stop' });
    await Promise.all(kept);
  };
  try {
    const [first] = await Promise.all(started);
    if (first?.url == null) throw new Error('no process answers');
    port = first.port;
    return { url: first.url, setupToken: first.setupToken, drain, stop };
  } catch (error) {
    stopping.abort();
    for (const worker of running.keys()) worker.process.kill('SIGKILL');
    await Promise.all(kept);
    throw error;
  }
}

/** A process and its replacements. */
interface Slot {
  readonly role: ProcessRole;
  worker: Worker;
  /** True if no process replaces this one. */
  isReleased: boolean;
}

// An error of a message to the process, with which `once` of `node:events` would reject, is not its end.
function endOf(worker: Worker): Promise<{ code: number | null; signal: string | null }> {
  const { process: ended } = worker;
  if (worker.isDead()) return Promise.resolve({ code: ended.exitCode, signal: ended.signalCode });
  return new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));
}

function measure(worker: Worker, metrics: MetricsCollector): void {
  const { receive, end } = metrics.add((message) => send(worker, message));
  worker.on('message', (message: FromProcess) => {
    if (message.type === 'metrics') receive(message);
  });
  worker.once('exit', end);
}

function send(worker: Worker | undefined, message: ToProcess): void {
  worker?.send(message, () => {});
}

interface Ready {
  url: string | null;
  /** The port that it listens on; null for imports. */
  port: number | null;
  setupToken: string | null;
}

/** Passes messages about shares on, and resolves when the process is ready. Rejects if it fails or ends before that. */
function readyOf(worker: Worker, keeper: ShareKeeper): Promise<Ready> {
  // A message to a process that is just ending is lost, like everything else in it.
  worker.on('error', () => {});
  return new Promise((resolve, reject) => {
    let port: number | null = null;
    worker.on('listening', (address) => {
      port = address.port;
    });
    worker.on('message', (message: FromProcess) => {
      if (message.type === 'ready') {
        resolve({ url: message.url, port, setupToken: message.setupToken });
      } else if (message.type === 'failed') reject(errorOf(message));
      else if (message.type === 'take share' || message.type === 'give share back') keeper.receive(message);
    });
    worker.once('exit', (code, signal) => {
      keeper.end();
      reject(new Error(`a process of the server ended with ${signal ?? code} before it was ready`));
    });
  });
}

/**
 * Node hands a process one connection at a time and waits for its answer. If the process dies meanwhile, Node forgets
 * the connection and its client would wait for ever, so it is closed here.
 */
function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  let lastSent: { close(): void } | undefined;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isClosable(handle)) lastSent = handle;
    return send(message, handle, ...rest);
  };
  // Closing it again has no effect.
  worker.once('exit', () => lastSent?.close());
}

function isClosable(handle: unknown): handle is { close(): void } {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}

function errorOf(failure: Extract<FromProcess, { type: 'failed' }>): Error {
  if (failure.exitCode !== null) return new CommandError(failure.message, failure.exitCode);
  return Object.assign(new Error(failure.message), { code: failure.code });
}
