/**
 * Rounds of work in turns: each is about one object of a workspace, such as a webhook, and holds a place. A workspace holds
 * few places, so slow receivers of one workspace do not keep others waiting.
 */
import { inWorker } from '../db/connection-share.ts';
import type { TenantId } from '../domain/ids.ts';

export interface Turn {
  tenantId: TenantId;
  /** The object that the round is about. */
  id: string;
}

export interface TurnsOptions {
  places: number;
  placesOfWorkspace: number;
  /** Finds the objects with something to do. */
  find: () => Promise<Turn[]>;
  /** Resolves with true if the object has more to do. */
  round: (turn: Turn) => Promise<boolean>;
  failed: (error: unknown, tenantId: TenantId) => void;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new Map<string, Turn>();
  readonly #running = new Map<string, { turn: Turn; round: Promise<void> }>();
  #isStopping = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#waiting.size + this.#running.size > 0;
  }

  /** Gives each object with something to do a turn, unless it has one. */
  async look(): Promise<void> {
    for (const turn of await this.#options.find()) this.#add(turn);
  }

  /** Resolves when no object has a turn any more. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all([...this.#running.values()].map(({ round }) => round));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#waiting.clear();
    await this.idle();
  }

  #add(turn: Turn): void {
    if (this.#isStopping || this.#running.has(turn.id)) return;
    if (!this.#waiting.has(turn.id)) this.#waiting.set(turn.id, turn);
    this.#start();
  }

  #start(): void {
    for (const [id, turn] of this.#waiting) {
      if (this.#running.size >= this.#options.places) return;
      if (this.#placesOf(turn.tenantId) >= this.#options.placesOfWorkspace) continue;
      this.#waiting.delete(id);
      const round = inWorker(() => this.#options.round(turn))
        .catch((error: unknown) => {
          this.#options.failed(error, turn.tenantId);
          return false;
        })
        .then((isMoreDue) => {
          this.#running.delete(id);
          // At the end of the queue, so that others come first.
          if (isMoreDue) this.#add(turn);
          this.#start();
        });
      this.#running.set(id, { turn, round });
    }
  }

  #placesOf(tenantId: TenantId): number {
    return this.#running.values().reduce((sum, { turn }) => sum + Number(turn.tenantId === tenantId), 0);
  }
}

export interface Looking {
  /** Takes no further object, ends open requests, and waits until this is noted. */
  stop(): Promise<void>;
}

// A person who waits for a message does not notice this time, and a workspace that has nothing costs nothing.
const lookMs = 2_000;

/** Looks every two seconds. `stopping` is aborted first, and ends open requests. */
export function lookRegularly(
  turns: Turns,
  stopping: AbortController,
  notFound: (error: unknown) => void,
): Looking {
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= inWorker(() => turns.look())
      .catch(notFound)
      .finally(() => {
        looking = null;
      });
  }, lookMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await turns.stop();
    },
  };
}
