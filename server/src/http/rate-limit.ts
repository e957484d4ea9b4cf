/**
 * Limits: requests per API key and session, per user and per workspace; failed authentications per address. Counted in
 * memory on one node, in PostgreSQL where several nodes share a database.
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
  const limiter = limiterOf(name, perMinute, pool, windowSeconds, true);
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

// A user has the allowance of ten keys and of one session, a workspace that of ten such users. More keys or sessions
// bring no more requests, and one member alone cannot use up the allowance of a workspace.
const keysOfUser = 10;
const usersOfWorkspace = 10;

/** The limits that the keys and sessions of a user, and those in a workspace, share. */
export interface SharedLimiters {
  user: SharedLimiter;
  workspace: SharedLimiter;
}

export interface SharedLimiter {
  /** Takes one request; null where it is allowed or the limit is off. */
  take(id: string): Promise<RateState | null>;
}

/** `perMinute` of a key, 0 turns the limits off; `perSession` of a session, 0 where sessions count as keys do. */
export function sharedLimiters(
  name: string,
  perMinute: number,
  perSession: number,
  pool: pg.Pool | null,
): SharedLimiters {
  const ofUser = perMinute * keysOfUser + perSession;
  const limiter = (of: 'user' | 'workspace', points: number): SharedLimiter =>
    perMinute === 0 ? { take: async () => null } : sharedLimiter(`${name}-${of}`, of, points, pool);
  return { user: limiter('user', ofUser), workspace: limiter('workspace', ofUser * usersOfWorkspace) };
}

// A node takes a twentieth of the allowance at once and spends it by itself, so that many requests cost one statement.
// A node may leave that much unspent, which the other nodes cannot use until the minute ends.
const blocks = 20;
const rememberAtMost = 10_000;

interface Block {
  left: number;
  /** There is no other block before the minute ends. */
  isRefused: boolean;
  until: number;
}

function sharedLimiter(name: string, policy: string, points: number, pool: pg.Pool | null): SharedLimiter {
  const size = Math.max(1, Math.floor(points / blocks));
  const limiter = limiterOf(name, points, pool);
  const held = new Map<string, Promise<Block>>();
  const next = async (id: string): Promise<Block> => {
    const { allowed, state } = await consume(limiter, id, size);
    return { left: allowed ? size : 0, isRefused: !allowed, until: Date.now() + state.msBeforeNext };
  };
  return {
    take: async (id) => {
      for (;;) {
        const taken = held.get(id);
        const block = await taken;
        if (block && block.until > Date.now()) {
          if (block.left > 0) {
            block.left--;
            return null;
          }
          if (block.isRefused) return rateState(policy, points, false, 0, block.until - Date.now());
        }
        // The first of the requests that waited for the same block asks for the next one.
        if (held.get(id) !== taken) continue;
        if (held.size >= rememberAtMost) held.clear();
        const asked = next(id);
        held.set(id, asked);
        // Where this fails, the requests that wait for it fail too; the next request asks again.
        asked.catch(() => held.delete(id));
      }
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
  const limiter = limiterOf('failure', failuresPerMinute, pool, windowSeconds, true);
  return {
    failed: async (address) => {
      const { allowed, state } = await consume(limiter, address);
      return allowed ? 0 : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    },
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres;

/**
 * `remembers`: after the database has refused once, this node refuses by itself until the minute ends, so that a caller
 * who goes on takes no connection. It must not be set for limits that give points back.
 */
function limiterOf(
  keyPrefix: string,
  points: number,
  pool: pg.Pool | null,
  duration: number = windowSeconds,
  remembers = false,
): Limiter {
  const options = { points, duration, keyPrefix };
  if (!pool) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    ...(remembers ? { inMemoryBlockOnConsumed: points + 1 } : {}),
  });
}

async function consume(
  limiter: Limiter,
  key: string,
  points = 1,
): Promise<{ allowed: boolean; state: RateLimiterRes }> {
  try {
    return { allowed: true, state: await limiter.consume(key, points) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { allowed: false, state: refusal };
    throw refusal;
  }
}
