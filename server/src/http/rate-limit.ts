/**
 * Limits: requests per API key, failed authentications per address. Counted in memory on one node, in PostgreSQL
 * where several nodes share a database.
 */
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;
// Thirty wrong keys a minute from one address is beyond any honest mistake; a guess has 2^-238 of a chance anyway,
// so this bounds the work, not the risk.
const failuresPerMinute = 30;

export interface RateState {
  allowed: boolean;
  resetSeconds: number;
  headers: Record<string, string>;
}

export interface RequestLimiter {
  /** Takes one request of the key's minute; null where the limit is off. */
  take(keyId: string): Promise<RateState | null>;
}

export interface AuthenticationLimiter {
  /** Counts a failure; gives the seconds to wait when there were too many, else 0. */
  failed(address: string): Promise<number>;
}

/** `pool` null: in memory. The table is the migrations' to make. Each name counts for itself. */
export function requestLimiter(name: string, perMinute: number, pool: pg.Pool | null): RequestLimiter {
  if (perMinute === 0) return { take: async () => null };
  const limiter = limiterOf(name, perMinute, pool);
  return {
    take: async (keyId) => {
      const { allowed, state } = await consume(limiter, keyId);
      const resetMs = Math.max(0, state.msBeforeNext);
      const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
      const remaining = Math.max(0, state.remainingPoints);
      return {
        allowed,
        resetSeconds,
        headers: {
          'ratelimit-policy': `"default";q=${perMinute};w=${windowSeconds}`,
          ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
          'x-ratelimit-limit': String(perMinute),
          'x-ratelimit-remaining': String(remaining),
          'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + resetSeconds),
        },
      };
    },
  };
}

/** Counts tries; who has too many waits until the window ends. */
export interface TryLimiter {
  /** Takes one: 0, or the seconds to wait where there is none left. */
  take(key: string): Promise<number>;
  giveBack(key: string): Promise<void>;
}

export function tryLimiter(name: string, points: number, seconds: number, pool: pg.Pool | null): TryLimiter {
  const limiter = limiterOf(name, points, pool, seconds);
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

export function authenticationLimiter(pool: pg.Pool | null): AuthenticationLimiter {
  const limiter = limiterOf('failure', failuresPerMinute, pool);
  return {
    failed: async (address) => {
      const { allowed, state } = await consume(limiter, address);
      return allowed ? 0 : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    },
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres;

function limiterOf(
  keyPrefix: string,
  points: number,
  pool: pg.Pool | null,
  duration: number = windowSeconds,
): Limiter {
  const options = { points, duration, keyPrefix };
  if (!pool) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
  });
}

async function consume(limiter: Limiter, key: string): Promise<{ allowed: boolean; state: RateLimiterRes }> {
  try {
    return { allowed: true, state: await limiter.consume(key) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { allowed: false, state: refusal };
    throw refusal;
  }
}
