/**
 * Reports changes of scans to the listeners of this process as they happen. It queries once a second per workspace with
 * listeners, independent of their number. It writes nothing.
 *
 * A query compares the newest scans, the unfinished ones, and those that were unfinished the last time. It compares by
 * state and not by time, because the row of an import has the time at which its transaction began.
 */

import { beyondRequest } from '../../db/connection-share.ts';
import { type Database, tenantReadTx } from '../../db/database.ts';
import type { ScanId, TenantId } from '../../domain/ids.ts';
import { listScanStates, listScansById, type ScanRow } from '../scans/store.ts';

// A person does not notice a delay of one second, and an import writes its progress no more often.
const pollEveryMs = 1_000;
// A new listener gets as many unfinished scans as one or two pages show.
const maxAtFirst = 200;

export interface ScanListener {
  /** It gets the unfinished scans first, and then every change; oldest first. */
  scans(rows: ScanRow[]): void;
  /** Called when no more events come. */
  end(): void;
}

export interface ScanEvents {
  /** Adds a listener, and returns the function that removes it. */
  listen(tenantId: TenantId, listener: ScanListener): () => void;
  /** Ends all listeners, now and from now on. */
  end(): void;
}

export function scanEvents(db: Database, failed: (error: unknown) => void): ScanEvents {
  const watches = new Map<string, Watch>();
  let ended = false;
  return {
    listen: (tenantId, listener) => {
      if (ended) {
        listener.end();
        return () => {};
      }
      const watch = watches.get(tenantId) ?? new Watch(db, tenantId, failed);
      watches.set(tenantId, watch);
      watch.add(listener);
      return () => {
        watch.remove(listener);
        if (watch.isEmpty && watches.get(tenantId) === watch) watches.delete(tenantId);
      };
    },
    end: () => {
      ended = true;
      for (const watch of watches.values()) watch.end();
      watches.clear();
    },
  };
}

/** Watches one workspace as long as it has a listener. */
class Watch {
  readonly #db: Database;
  readonly #tenantId: TenantId;
  readonly #failed: (error: unknown) => void;
  readonly #listeners = new Set<ScanListener>();
  /** Listeners that have received nothing yet. */
  readonly #newListeners = new Set<ScanListener>();
  #known: Map<ScanId, { state: string; isFinal: boolean }> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, tenantId: TenantId, failed: (error: unknown) => void) {
    this.#db = db;
    this.#tenantId = tenantId;
    this.#failed = failed;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: ScanListener): void {
    const isFirst = this.isEmpty;
    this.#listeners.add(listener);
    this.#newListeners.add(listener);
    // The watch serves all listeners, so it continues after the request that started it has ended.
    if (isFirst) void beyondRequest(() => this.#pollRepeatedly());
  }

  remove(listener: ScanListener): void {
    this.#listeners.delete(listener);
    this.#newListeners.delete(listener);
    if (this.isEmpty) clearTimeout(this.#timer);
  }

  end(): void {
    for (const listener of [...this.#listeners]) {
      this.remove(listener);
      listener.end();
    }
  }

  async #pollRepeatedly(): Promise<void> {
    try {
      await this.#poll();
    } catch (error) {
      // The listeners get the change at the next query.
      this.#failed(error);
    }
    if (this.isEmpty) return;
    this.#timer = setTimeout(() => void this.#pollRepeatedly(), pollEveryMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const before = this.#known;
    const newListeners = [...this.#newListeners];
    const tracked = [...(before ?? [])].filter(([, { isFinal }]) => !isFinal).map(([id]) => id);
    const { states, rows, changed } = await tenantReadTx(this.#db, this.#tenantId, async (tx) => {
      const read = await listScanStates(tx, tracked);
      const moved = before ? read.filter(({ id, state }) => before.get(id)?.state !== state) : [];
      const running =
        newListeners.length === 0 ? [] : read.filter((row) => !row.is_final).slice(0, maxAtFirst);
      const ids = [...new Set([...moved, ...running].map((row) => row.id))];
      return {
        states: read,
        rows: ids.length === 0 ? [] : await listScansById(tx, ids),
        changed: new Set(moved.map((row) => row.id)),
      };
    });
    this.#known = new Map(states.map((row) => [row.id, { state: row.state, isFinal: row.is_final }]));
    const news = rows.filter((row) => changed.has(row.id));
    for (const listener of [...this.#listeners]) {
      if (newListeners.includes(listener)) {
        this.#newListeners.delete(listener);
        if (rows.length > 0) listener.scans(rows);
      } else if (news.length > 0 && !this.#newListeners.has(listener)) listener.scans(news);
    }
  }
}
