/**
 * Limits of requests per API key and session, per user and per workspace, and of failed authentications per address.
 * One process counts in its memory, several processes of a node count in the memory of their supervisor, and several
 * nodes that share a database count in PostgreSQL.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import {
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { serviceUnavailable } from '../domain/errors.ts';
import { networkOf } from './network.ts';

/** The store of the counts: a database that nodes share, the memory of this process, or that of its supervisor. */
export type Counts = pg.Pool | 'memory' | 'supervisor';

const windowSeconds = 60;
// Thirty wrong keys a minute are no honest mistake. A guess succeeds with a chance of 2^-238 only, so this limits
// the load and not the risk.
const failuresPerMinute = 30;

export interface RateState {
  allowed: boolean;
  resetSeconds: number;
  headers: Record<string, string>;
}

export interface RequestLimiter {
  /** Counts one request against the key's minute; null if the limit is off. */
  take(keyId: string): Promise<RateState | null>;
}

export interface AuthenticationLimiter {
  /** Counts a failure. */
  failed(address: string): Promise<RateState>;
}

/** Migrations create the table of the counts. Each name has its own count. */
export function requestLimiter(name: string, perMinute: number, counts: Counts): RequestLimiter {
  if (perMinute === 0) return { take: async () => null };
  const limiter = limiterOf(name, perMinute, counts, windowSeconds, true);
  return {
    take: async (keyId) => {
      const { allowed, state } = await consume(limiter, keyId);
      return rateState('default', perMinute, allowed, state.remainingPoints, state.msBeforeNext);
    },
  };
}

function rateState(
  policy: string,
  perMinute: number,
  allowed: boolean,
  left: number,
  resetMs: number,
): RateState {
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  const remaining = Math.max(0, left);
  return {
    allowed,
    resetSeconds,
    headers: {
      'ratelimit-policy': `"${policy}";q=${perMinute};w=${windowSeconds}`,
      ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
      'x-ratelimit-limit': String(perMinute),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + resetSeconds),
    },
  };
}

// A user has the allowance of ten keys and of one session, a workspace that of ten such users. More keys or sessions do
// not allow more requests, and one member alone cannot use up the allowance of a workspace.
const keysOfUser = 10;
const usersOfWorkspace = 10;

/**
 * The limits that the keys and sessions of a user share, the keys of the runs of a repository, and all of a
 * workspace.
 */
export interface SharedLimiters {
  user: SharedLimiter;
  workspace: SharedLimiter;
}

export interface SharedLimiter {
  /** Counts one request; null if it is allowed or the limit is off. */
  take(id: string): Promise<RateState | null>;
}

/** `perMinute` is the limit of a key, and 0 turns all limits off. `perSession` is 0 if sessions count as keys do. */
export function sharedLimiters(
  name: string,
  perMinute: number,
  perSession: number,
  counts: Counts,
): SharedLimiters {
  const ofUser = perMinute * keysOfUser + perSession;
  const limiter = (of: 'user' | 'workspace', points: number): SharedLimiter =>
    perMinute === 0 ? { take: async () => null } : sharedLimiter(`${name}-${of}`, of, points, counts);
  return { user: limiter('user', ofUser), workspace: limiter('workspace', ofUser * usersOfWorkspace) };
}

// A process reserves a block of requests at once and spends it by itself, so that many requests cost one statement. The
// first block of a minute has one request, and each further one twice as many, up to a hundredth of what is left. So
// dozens of processes can share a limit, and leave little of it unspent.
const growth = 2;
const blocksOfRest = 100;
const rememberAtMost = 10_000;

interface Block {
  size: number;
  left: number;
  /** The number of requests that no process had reserved. */
  rest: number;
  /** True if no other block is left before the minute ends. */
  isRefused: boolean;
  until: number;
}

function sharedLimiter(name: string, policy: string, points: number, counts: Counts): SharedLimiter {
  const limiter = limiterOf(name, points, counts);
  const held = new Map<string, Promise<Block>>();
  const reserve = async (id: string, size: number): Promise<Block> => {
    const { allowed, state } = await consume(limiter, id, size);
    if (!allowed && size > 1) {
      // Others have reserved since, and a refused block is counted too. If that fails, the smaller block is refused as
      // well. Given back after the end of the minute, it would add to the limit of the next minute.
      if (state.msBeforeNext > 0) await outsideRequests(() => limiter.reward(id, size)).catch(() => {});
      return reserve(id, 1);
    }
    const until = Date.now() + state.msBeforeNext;
    return { size, left: allowed ? size : 0, rest: state.remainingPoints, isRefused: !allowed, until };
  };
  const next = (id: string, last: Block | null): Promise<Block> => {
    const size = last === null ? 1 : Math.min(last.size * growth, Math.floor(last.rest / blocksOfRest));
    return reserve(id, Math.max(1, size));
  };
  return {
    take: async (id) => {
      for (;;) {
        const taken = held.get(id);
        const block = await taken;
        const current = block && block.until > Date.now() ? block : null;
        if (current !== null) {
          if (current.left > 0) {
            current.left--;
            return null;
          }
          if (current.isRefused) return rateState(policy, points, false, 0, current.until - Date.now());
        }
        // Among requests that wait for the same block, the first one requests the next block.
        if (held.get(id) !== taken) continue;
        if (held.size >= rememberAtMost) held.clear();
        const pending = next(id, current);
        held.set(id, pending);
        // If this fails, the requests that wait for it fail too, and the next request tries again.
        pending.catch(() => held.delete(id));
      }
    },
  };
}

/** Counts attempts. After too many a caller must wait until the window ends. */
export interface TryLimiter {
  /** Counts one attempt; returns 0, or the seconds to wait if none is left. */
  take(key: string): Promise<number>;
  giveBack(key: string): Promise<void>;
}

export function tryLimiter(name: string, points: number, seconds: number, counts: Counts): TryLimiter {
  const limiter = limiterOf(name, points, counts, seconds);
  return {
    take: async (key) => {
      const { allowed, state } = await consume(limiter, key);
      return allowed ? 0 : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    },
    giveBack: async (key) => {
      await limiter.reward(key, 1);
    },
  };
}

export function authenticationLimiter(counts: Counts): AuthenticationLimiter {
  const limiter = limiterOf('failure', failuresPerMinute, counts, windowSeconds, true);
  return {
    failed: async (address) => {
      const { allowed, state } = await consume(limiter, networkOf(address));
      return rateState('failure', failuresPerMinute, allowed, state.remainingPoints, state.msBeforeNext);
    },
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres | RateLimiterCluster;

// The supervisor answers within a millisecond. A request without its answer is refused, never let through.
const supervisorMs = 2_000;

/**
 * With `remembers`, this node refuses by itself until the minute ends after the database has refused once, so that a
 * caller who continues takes no connection. It must not be set for limits that give points back.
 */
function limiterOf(
  keyPrefix: string,
  points: number,
  counts: Counts,
  duration: number = windowSeconds,
  remembers = false,
): Limiter {
  const options = { points, duration, keyPrefix };
  if (counts === 'memory') return new RateLimiterMemory(options);
  if (counts === 'supervisor') return new RateLimiterCluster({ ...options, timeoutMs: supervisorMs });
  return new RateLimiterPostgres({
    ...options,
    storeClient: counts,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    ...(remembers ? { inMemoryBlockOnConsumed: points + 1 } : {}),
  });
}

// A limiter in memory sets a timer for each new key. Inside a request the timer would keep all data of the request in
// memory until the window ends.
const outsideRequests = AsyncLocalStorage.snapshot();

async function consume(
  limiter: Limiter,
  key: string,
  points = 1,
): Promise<{ allowed: boolean; state: RateLimiterRes }> {
  try {
    return { allowed: true, state: await outsideRequests(() => limiter.consume(key, points)) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { allowed: false, state: refusal };
    if (limiter instanceof RateLimiterCluster) throw serviceUnavailable();
    throw refusal;
  }
}
