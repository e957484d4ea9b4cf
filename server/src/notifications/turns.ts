/**
 * Rounds of work in turns: each is about one object of a workspace, such as a webhook, and holds a place. A workspace holds
 * few places, so slow receivers of one workspace do not keep others waiting.
 */
import { inWorker } from '../db/connection-share.ts';
import { type Database, type Tx, tenantReadTx } from '../db/database.ts';
import { type DueCondition, listDueTenants, type TenantCondition } from '../db/due-tenants.ts';
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

/** Returns a function that finds the due objects of all workspaces, for `find` of the turns. */
export function findDue(
  db: Database,
  {
    isDue,
    among,
    list,
    now,
  }: {
    /** True for a workspace with due objects. */
    isDue: DueCondition;
    /** The workspaces that may have any. */
    among: TenantCondition;
    /** The ids of the due objects of a workspace. */
    list: (tx: Tx, now: Date) => Promise<string[]>;
    now: () => Date;
  },
): () => Promise<Turn[]> {
  return async () => {
    const turns: Turn[] = [];
    for (const tenantId of await listDueTenants(db, [isDue], now(), among)) {
      const ids = await tenantReadTx(db, tenantId, (tx) => list(tx, now()));
      turns.push(...ids.map((id) => ({ tenantId, id })));
    }
    return turns;
  };
}

export interface Looking {
  /** Looks no more, ends open requests, and waits until this is noted. */
  stop(): Promise<void>;
}

/** Looks after each `everyMs`, unless it still does. `stopping` is aborted first; `ended` is called when no look runs. */
export function lookRegularly(
  look: () => Promise<void>,
  {
    everyMs,
    stopping,
    failed,
    ended,
  }: {
    everyMs: number;
    stopping: AbortController;
    failed: (error: unknown) => void;
    ended: () => Promise<void> | void;
  },
): Looking {
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= inWorker(look)
      .catch(failed)
      .finally(() => {
        looking = null;
      });
  }, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await ended();
    },
  };
}

// A person who waits for a message does not notice this time, and a workspace that has nothing costs nothing.
const lookMs = 2_000;

/** Looks every two seconds for objects with something to do. */
export function lookForTurns(
  turns: Turns,
  stopping: AbortController,
  failed: (error: unknown) => void,
): Looking {
  return lookRegularly(() => turns.look(), {
    everyMs: lookMs,
    stopping,
    failed,
    ended: () => turns.stop(),
  });
}
