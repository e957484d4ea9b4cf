/**
 * A workspace's or caller's share of a pool's connections, in this process. A workspace that holds its share waits in a line of its
 * own, first in first out, so that its requests never stand before those of another workspace. The line is bounded in
 * length and time; because of the second bound nobody waits for ever, not even for a connection of their own.
 *
 * A queue library (p-queue) needs the same lines around it for the bounds and the workspaces, so there is none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { serviceUnavailable } from '../errors.ts';

// A list takes some milliseconds: two hundred, as many jobs of CI at the same moment, are served in a second or two.
const maxWaiting = 200;
// As long as a request waits for a connection of the pool.
const maxWaitMs = 10_000;

interface Context {
  /** The request's: whoever hung up leaves the line. */
  signal: AbortSignal | null;
  /** Work of a worker, whose number `MERLON_WORKERS` bounds: it needs no share, and must not wait behind requests. */
  ofWorker: boolean;
}

const context = new AsyncLocalStorage<Context>();

/** Runs what belongs to a request. */
export function inRequest<T>(signal: AbortSignal, work: () => T): T {
  return context.run({ signal, ofWorker: false }, work);
}

/** Gives what says whether the sender of the request that this belongs to has hung up. */
export function hungUp(): () => boolean {
  const signal = context.getStore()?.signal;
  return () => signal?.aborted ?? false;
}

/** Runs what goes on when the request that began it is gone: what it shares with others, and cleaning up. */
export function beyondRequest<T>(work: () => T): T {
  return context.run({ signal: null, ofWorker: false }, work);
}

/** Runs what a worker does. */
export function inWorker<T>(work: () => T): T {
  return context.run({ signal: null, ofWorker: true }, work);
}

interface Workspace {
  held: number;
  /** Each lets one waiter go on. */
  line: Set<() => void>;
}

export class ConnectionShare {
  readonly #limit: number;
  readonly #whose: string;
  readonly #workspaces = new Map<string, Workspace>();

  /** `whose` says in the refusal what has a share. */
  constructor(limit: number, whose = 'This workspace') {
    this.#limit = Math.max(1, Math.floor(limit));
    this.#whose = whose;
  }

  /** Gives what returns the place. Throws 503 where the line is full or too slow, or the request is gone. */
  async take(tenantId: string): Promise<() => void> {
    const { signal, ofWorker } = context.getStore() ?? { signal: null, ofWorker: false };
    if (ofWorker) return () => {};
    const workspace = this.#workspaces.get(tenantId) ?? { held: 0, line: new Set() };
    this.#workspaces.set(tenantId, workspace);
    if (workspace.held < this.#limit) workspace.held++;
    else await this.#wait(workspace, signal);
    return () => this.#giveBack(tenantId, workspace);
  }

  #giveBack(tenantId: string, workspace: Workspace): void {
    // The place passes to the first in the line, so that nobody who comes now is before it.
    const [next] = workspace.line;
    if (next) {
      workspace.line.delete(next);
      next();
    } else if (--workspace.held === 0) this.#workspaces.delete(tenantId);
  }

  #wait({ line }: Workspace, signal: AbortSignal | null): Promise<void> {
    if (line.size >= maxWaiting || signal?.aborted) return Promise.reject(tooMany(this.#whose));
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        line.delete(go);
        settle();
      };
      const go = end(resolve);
      const leave = end(() => reject(tooMany(this.#whose)));
      const timer = setTimeout(leave, maxWaitMs);
      signal?.addEventListener('abort', leave);
      line.add(go);
    });
  }
}

function tooMany(whose: string): Error {
  return serviceUnavailable(
    `${whose} has too many requests at once. Send fewer at the same time, and try again in 5 seconds.`,
  );
}
