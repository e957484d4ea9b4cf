/**
 * The share of a pool's connections, or of heavy work, that one workspace or caller may hold. Further requests wait in
 * a queue of their own, first in first out, so that they never come before those of another workspace. The queue is
 * bounded in length and time. The time limit also ends a request that waits for a connection which it holds itself.
 *
 * No queue library is used (p-queue), because its limits and the queue for each workspace would need the same code
 * around it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { serviceUnavailable } from '../domain/errors.ts';

// Maximum number of CI jobs that may ask at the same moment. A list takes some milliseconds, so the queue is soon
// empty.
const maxWaiting = 200;
// A request waits at most this long for a connection of the pool.
const maxWaitMs = 10_000;

interface Context {
  /** The signal of the request. It leaves the queue when its sender hangs up. */
  signal: AbortSignal | null;
  /**
   * True for the work of a worker, whose number `MERLON_WORKERS` limits. It needs no share and must not wait behind
   * requests.
   */
  ofWorker: boolean;
}

const context = new AsyncLocalStorage<Context>();

/** Runs the work of a request; `signal` aborts when its sender hangs up. */
export function inRequest<T>(signal: AbortSignal, work: () => T): T {
  return context.run({ signal, ofWorker: false }, work);
}

/** Returns a function that says whether the sender of the current request has hung up. */
export function senderGone(): () => boolean {
  const signal = context.getStore()?.signal;
  return () => signal?.aborted ?? false;
}

/** Runs work that must continue after its request has ended: work that other requests share, and cleanup. */
export function beyondRequest<T>(work: () => T): T {
  return context.run({ signal: null, ofWorker: false }, work);
}

/** The request or worker that this code runs for. */
export function currentContext(): Context {
  return context.getStore() ?? { signal: null, ofWorker: false };
}

/** Runs the work of a worker, which needs no share. */
export function inWorker<T>(work: () => T): T {
  return context.run({ signal: null, ofWorker: true }, work);
}

/** Limits how much of a resource each holder, such as a workspace, has at the same time. */
export interface Share {
  /**
   * Returns a function that gives the share back. Throws 503 if the queue is full or slow, or if the sender has hung
   * up.
   */
  take(holder: string): Promise<() => void>;
}

/** The shares that all processes of a server have in common, so that a workspace gets no more with more processes. */
export type CommonShare = 'search' | 'dryRun' | 'piece';

/** Opens the common shares for the processes whose requests they bound. */
export function commonShares(): Record<CommonShare, Share> {
  return {
    // A search by words keeps a processor of the database busy, so a workspace gets fewer searches than lists (5 of
    // 16). benchmarks/fairness.ts measures how long another workspace waits for its lists meanwhile.
    search: new ConnectionShare(2),
    dryRun: new ConnectionShare(1, { maxWaiting: 0 }),
    // The reports of a workspace keep at most one processor busy with compression, even if many arrive at once.
    piece: new ConnectionShare(1, { maxWaiting: 1_000, maxWaitMs: 120_000 }),
  };
}

interface Queue {
  held: number;
  /** The waiting callers in the order of their arrival. Calling one lets it continue. */
  line: Set<() => void>;
}

type Holder = 'This workspace' | 'This caller';

interface ShareOptions {
  /** Names the holder in the error message. */
  holder?: Holder;
  /** Names what the holder has too many of. */
  resource?: string;
  maxWaiting?: number;
  maxWaitMs?: number;
}

export class ConnectionShare implements Share {
  readonly #limit: number;
  readonly #options: Required<ShareOptions>;
  readonly #queues = new Map<string, Queue>();

  constructor(limit: number, options: ShareOptions = {}) {
    this.#limit = Math.max(1, Math.floor(limit));
    this.#options = { holder: 'This workspace', resource: 'requests', maxWaiting, maxWaitMs, ...options };
  }

  /** The number of requests in all queues. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { line }) => sum + line.size, 0);
  }

  async take(holder: string): Promise<() => void> {
    const { signal, ofWorker } = currentContext();
    if (ofWorker) return () => {};
    const queue = this.#queues.get(holder) ?? { held: 0, line: new Set() };
    this.#queues.set(holder, queue);
    if (queue.held < this.#limit) queue.held++;
    else await this.#wait(queue, signal);
    return () => this.#giveBack(holder, queue);
  }

  #giveBack(holder: string, queue: Queue): void {
    // The share passes to the first in the queue, so that a later request does not overtake it.
    const [next] = queue.line;
    if (next) {
      queue.line.delete(next);
      next();
    } else if (--queue.held === 0) this.#queues.delete(holder);
  }

  #wait({ line }: Queue, signal: AbortSignal | null): Promise<void> {
    const { holder, resource, maxWaiting, maxWaitMs } = this.#options;
    if (line.size >= maxWaiting || signal?.aborted) return Promise.reject(tooMany(holder, resource));
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        line.delete(go);
        settle();
      };
      const go = end(resolve);
      const leave = end(() => reject(tooMany(holder, resource)));
      const timer = setTimeout(leave, maxWaitMs);
      signal?.addEventListener('abort', leave);
      line.add(go);
    });
  }
}

export function tooMany(holder: Holder = 'This workspace', resource = 'requests'): Error {
  return serviceUnavailable(
    `${holder} has too many ${resource} at once. Send fewer at the same time, and try again in 5 seconds.`,
  );
}
