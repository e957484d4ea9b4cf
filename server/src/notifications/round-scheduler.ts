/**
 * A fair scheduler of rounds of work. A round is about one object of a workspace, such as a webhook, and takes a slot.
 * A workspace has few slots, so its slow receivers do not keep other workspaces waiting.
 */
import { inWorker } from '../db/connection-share.ts';
import { type Database, type Tx, tenantReadTx } from '../db/database.ts';
import { type DueCondition, listDueTenants, type TenantCondition } from '../db/due-tenants.ts';
import type { Id, IdKind, TenantId } from '../domain/ids.ts';

export interface RoundTarget<Kind extends IdKind> {
  tenantId: TenantId;
  /** The object that the round is about. */
  id: Id<Kind>;
}

/** Called when a round fails. */
export type RoundFailed = (error: unknown, tenantId: TenantId) => void;

export interface SchedulerOptions<Kind extends IdKind> {
  slots: number;
  slotsPerWorkspace: number;
  /** Finds the objects with due work. */
  find: () => Promise<RoundTarget<Kind>[]>;
  /** Resolves with true if the object has more due work. */
  round: (target: RoundTarget<Kind>) => Promise<boolean>;
  failed: RoundFailed;
}

export class RoundScheduler<Kind extends IdKind> {
  readonly #options: SchedulerOptions<Kind>;
  readonly #waiting = new Map<string, RoundTarget<Kind>>();
  readonly #running = new Map<string, { target: RoundTarget<Kind>; round: Promise<void> }>();
  #isStopping = false;

  constructor(options: SchedulerOptions<Kind>) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#waiting.size + this.#running.size > 0;
  }

  /** Schedules a round for each object with due work, unless it has one. */
  async poll(): Promise<void> {
    for (const target of await this.#options.find()) this.#add(target);
  }

  /** Resolves when no round runs or waits. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all([...this.#running.values()].map(({ round }) => round));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#waiting.clear();
    await this.idle();
  }

  #add(target: RoundTarget<Kind>): void {
    if (this.#isStopping || this.#running.has(target.id)) return;
    if (!this.#waiting.has(target.id)) this.#waiting.set(target.id, target);
    this.#start();
  }

  #start(): void {
    for (const [id, target] of this.#waiting) {
      if (this.#running.size >= this.#options.slots) return;
      if (this.#slotsOf(target.tenantId) >= this.#options.slotsPerWorkspace) continue;
      this.#waiting.delete(id);
      const round = inWorker(() => this.#options.round(target))
        .catch((error: unknown) => {
          this.#options.failed(error, target.tenantId);
          return false;
        })
        .then((isMoreDue) => {
          this.#running.delete(id);
          // At the end of the queue, so that others come first.
          if (isMoreDue) this.#add(target);
          this.#start();
        });
      this.#running.set(id, { target, round });
    }
  }

  #slotsOf(tenantId: TenantId): number {
    return this.#running.values().reduce((sum, { target }) => sum + Number(target.tenantId === tenantId), 0);
  }
}

/** Returns a function that finds the due objects of all workspaces, for `find` of the scheduler. */
export function findDue<Kind extends IdKind>(
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
    list: (tx: Tx, now: Date) => Promise<Id<Kind>[]>;
    now: () => Date;
  },
): () => Promise<RoundTarget<Kind>[]> {
  return async () => {
    const targets: RoundTarget<Kind>[] = [];
    for (const tenantId of await listDueTenants(db, [isDue], now(), among)) {
      const ids = await tenantReadTx(db, tenantId, (tx) => list(tx, now()));
      targets.push(...ids.map((id) => ({ tenantId, id })));
    }
    return targets;
  };
}

export interface PollingLoop {
  /** Polls no more, ends open requests, and waits until their results are stored. */
  stop(): Promise<void>;
}

/**
 * Calls `poll` every `everyMs`, unless it still runs. `stop` aborts `stopping`, waits for `poll`, and then calls
 * `ended`.
 */
export function pollRegularly(
  poll: () => Promise<void>,
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
): PollingLoop {
  let polling: Promise<void> | null = null;
  const timer = setInterval(() => {
    polling ??= inWorker(poll)
      .catch(failed)
      .finally(() => {
        polling = null;
      });
  }, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await polling;
      await ended();
    },
  };
}

// A person who waits for a message does not notice this time, and a workspace without due work costs nothing.
const pollIntervalMs = 2_000;

/** Polls every two seconds for objects with due work. */
export function startScheduler<Kind extends IdKind>(
  scheduler: RoundScheduler<Kind>,
  stopping: AbortController,
  failed: (error: unknown) => void,
): PollingLoop {
  return pollRegularly(() => scheduler.poll(), {
    everyMs: pollIntervalMs,
    stopping,
    failed,
    ended: () => scheduler.stop(),
  });
}
