/**
 * A replica of the database, which answers lists in place of the primary. It answers a read only after it has replayed
 * all that the primary had committed when the read began. So a read never shows an older state than the primary would,
 * for changes of every person and every node (docs/adr/0065-lists-from-a-replica.md).
 *
 * The replica is optional: while it is away or behind, the primary answers, and nobody waits for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isConnectionLost } from './connection-errors.ts';
import { conflictWithRecovery } from './error-codes.ts';
import { powerOfRole } from './role-power.ts';

export interface ReplicaOptions {
  /** The address, as the running role. */
  url: string;
  /** The time that a read waits for the replica before the primary answers it. */
  maxLagMs: number;
  /** Called when the replica is no longer used, and when it is used again. */
  log?: (message: string) => void;
}

/** The answer to the question why a list was read from the replica, or from the primary instead. */
export type ReplicaOutcome = 'replica' | 'behind' | 'away';

// A replica that did not answer, or did not follow, is left alone for this time.
const pauseMs = 1_000;
// An answer takes less than a millisecond, unless the replica or the network is in trouble.
const answerMs = 1_000;
// Streaming takes some milliseconds; to ask more often would only keep the replica busy.
const betweenQuestionsMs = 3;

type Queryable = Pick<pg.Pool, 'query'>;

export class Replica {
  readonly pool: pg.Pool;
  readonly reads: Record<ReplicaOutcome, number> = { replica: 0, behind: 0, away: 0 };
  readonly #primary: pg.Pool;
  readonly #options: ReplicaOptions;
  readonly #readCommitted: () => Promise<number | null>;
  readonly #readReplayed: () => Promise<number | null>;
  #state: 'usable' | 'behind' | 'away' = 'away';
  /** The highest position that the replica is known to have replayed. */
  #replayed = 0;
  #pausedUntil = 0;
  #isChecking = false;
  #lastMessage = '';

  constructor(primary: pg.Pool, pool: pg.Pool, options: ReplicaOptions) {
    this.#primary = primary;
    this.pool = pool;
    this.#options = options;
    this.#readCommitted = shareNext(() => readCommitted(primary));
    this.#readReplayed = shareNext(() => withinTime(readReplayed(pool)));
  }

  /**
   * True if the replica has all that the primary had committed at the time of the call. Never throws for the replica.
   */
  async isCurrent(): Promise<boolean> {
    const outcome = await this.#outcome();
    this.reads[outcome]++;
    return outcome === 'replica';
  }

  /**
   * True if the primary must answer in place of the replica, because the error of a read is about the replica and not
   * about the read.
   */
  hasFailed(error: unknown): boolean {
    if ((error as { code?: string }).code === conflictWithRecovery) return true;
    if (!isConnectionLost(error)) return false;
    this.#pause('away', (error as Error).message);
    return true;
  }

  async #outcome(): Promise<ReplicaOutcome> {
    if (this.#state !== 'usable') {
      this.#checkWhenDue();
      return this.#state === 'behind' ? 'behind' : 'away';
    }
    const needed = await this.#readCommitted();
    return needed === null ? 'away' : this.#follow(needed);
  }

  /** Waits until the replica has replayed `needed`, for a bounded time. Pauses the use of a replica that has not. */
  async #follow(needed: number): Promise<ReplicaOutcome> {
    const deadline = performance.now() + this.#options.maxLagMs;
    try {
      while (this.#replayed < needed) {
        const replayed = await this.#readReplayed();
        if (replayed === null) return this.#pause('away', 'it is no standby');
        this.#replayed = Math.max(this.#replayed, replayed);
        if (this.#replayed >= needed) break;
        if (performance.now() >= deadline) {
          return this.#pause('behind', null);
        }
        await sleep(betweenQuestionsMs);
      }
      return 'replica';
    } catch (error) {
      return this.#pause('away', (error as Error).message);
    }
  }

  /** `reason` is logged once. There is none where the replica is only behind, because a busy one is that often. */
  #pause(state: 'behind' | 'away', reason: string | null): 'behind' | 'away' {
    this.#pausedUntil = performance.now() + pauseMs;
    this.#state = state;
    if (reason !== null) this.#log(`lists are read from the primary: the replica is not used: ${reason}`);
    return state;
  }

  #log(message: string): void {
    if (message === this.#lastMessage) return;
    this.#lastMessage = message;
    this.#options.log?.(message);
  }

  /** Starts a check without waiting for it, so that no request waits for a replica that may be away. */
  #checkWhenDue(): void {
    if (this.#isChecking || performance.now() < this.#pausedUntil) return;
    this.#isChecking = true;
    void this.#check().finally(() => {
      this.#isChecking = false;
    });
  }

  async #check(): Promise<void> {
    try {
      // Another server may stand behind the address since the last check.
      this.#replayed = 0;
      const problem = await withinTime(replicaProblem(this.#primary, this.pool));
      const needed = await this.#readCommitted();
      if (problem !== null || needed === null) this.#pause('away', problem ?? 'the primary is a standby');
      else if ((await this.#follow(needed)) === 'replica') {
        this.#state = 'usable';
        this.#log('lists are read from the replica');
      }
    } catch (error) {
      this.#pause('away', (error as Error).message);
    }
  }
}

/** The reason why lists must not be read from this server; null if there is none. */
export async function replicaProblem(primary: Queryable, replica: Queryable): Promise<string | null> {
  const identity = async (server: Queryable) => {
    const { rows } = await server.query(
      `select system_identifier::text as cluster, current_database() as database, pg_is_in_recovery() as standby
         from pg_control_system()`,
    );
    return rows[0];
  };
  const [own, copy, role] = await Promise.all([identity(primary), identity(replica), powerOfRole(replica)]);
  if (!copy.standby) return 'it is no standby';
  if (copy.cluster !== own.cluster || copy.database !== own.database) {
    return 'it is no replica of the database of MERLON_DATABASE_URL';
  }
  return role.power === null
    ? null
    : `the role ${role.name} ${role.power}, so row-level security does not bind it`;
}

// Without synchronous_commit a change is visible before it is flushed, so the position of the last insert counts then.
async function readCommitted(primary: Queryable): Promise<number | null> {
  const { rows } = await primary.query(
    `select case when pg_is_in_recovery() then null
                 when current_setting('synchronous_commit') = 'off'
                   then pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')
                 else pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') end::float8 as position`,
  );
  return rows[0].position;
}

async function readReplayed(replica: Queryable): Promise<number | null> {
  const { rows } = await replica.query(
    `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end::float8 as position`,
  );
  return rows[0].position;
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const late = sleep(answerMs, undefined, { signal: timeout.signal, ref: false }).then(() => {
    throw new Error(`it has not answered within ${answerMs} ms`);
  });
  // The loser of the race must not end the process.
  late.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    timeout.abort();
  }
}

/** Callers of the same moment share one run. A run that has begun before the call is not shared: it may be too old. */
function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= current
      .catch(() => {})
      .then(() => {
        next = null;
        const started = run();
        current = started;
        return started;
      });
    return next;
  };
}
