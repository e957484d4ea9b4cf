/**
 * Guessing passwords: who fails too often waits. Counted for an account from one address, for an account from anywhere,
 * and for an address; in memory on one node, in PostgreSQL where several share a database.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { rateLimitExceeded } from '../../errors.ts';
import { type FailureLimiter, failureLimiter } from '../../http/rate-limit.ts';

const minutes = 60;
// Five tries are a person who mistypes; the account's own limit holds against many addresses, and is far enough from
// five that somebody else's guesses seldom keep its owner out; an office behind one address has many people.
const windowSeconds = 15 * minutes;
const triesOfAccountAtAddress = 5;
const triesOfAccount = 50;
const triesOfAddress = 100;

export interface LockOut {
  /** Throws 429 while the account or the address waits. */
  check(email: string, address: string): Promise<void>;
  failed(email: string, address: string): Promise<void>;
  succeeded(email: string, address: string): Promise<void>;
}

export function lockOut(pool: pg.Pool | null): LockOut {
  const limiter = (name: string, tries: number): FailureLimiter =>
    failureLimiter(`sign-in-${name}`, tries, windowSeconds, pool);
  const pair = limiter('pair', triesOfAccountAtAddress);
  const account = limiter('account', triesOfAccount);
  const place = limiter('address', triesOfAddress);
  const counted = (email: string, address: string): [FailureLimiter, string][] => {
    // The table of limits holds no addresses of people.
    const who = createHash('sha256').update(email.toLowerCase()).digest('base64url');
    return [
      [pair, `${who} ${address}`],
      [account, who],
      [place, address],
    ];
  };
  return {
    check: async (email, address) => {
      const waits = await Promise.all(counted(email, address).map(([each, key]) => each.waitSeconds(key)));
      const longest = Math.max(...waits);
      if (longest > 0) throw rateLimitExceeded(longest);
    },
    failed: async (email, address) => {
      await Promise.all(counted(email, address).map(([each, key]) => each.failed(key)));
    },
    succeeded: async (email, address) => {
      const [first] = counted(email, address);
      if (first) await first[0].forget(first[1]);
    },
  };
}
