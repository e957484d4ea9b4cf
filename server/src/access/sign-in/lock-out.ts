/**
 * Guessing passwords: who fails too often waits. Each try is counted before the password is looked at, so that tries
 * that come at once are counted too: for an account from one address, then for the account from anywhere, then for the
 * address; in memory on one node, in PostgreSQL where several share a database. What one address is refused counts for
 * nobody else.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type pg from 'pg';
import { foldEmail } from '../../domain/email.ts';
import { rateLimitExceeded } from '../../domain/errors.ts';
import { type TryLimiter, tryLimiter } from '../../http/rate-limit.ts';

const minutes = 60;
// Five tries are a person who mistypes; the account's own limit holds against many addresses, and is far enough from
// five that somebody else's guesses seldom keep its owner out; an office behind one address has many people.
const windowSeconds = 15 * minutes;
const triesOfAccountAtAddress = 5;
const triesOfAccount = 50;
const triesOfAddress = 100;

export interface LockOut {
  /** Counts a try. Throws 429 while the account or the address waits. */
  take(email: string, address: string): Promise<void>;
  /** The try was none: what was taken is given back. */
  giveBack(email: string, address: string): Promise<void>;
}

/** `tell`: an account was locked out, whether or not it exists; once in its time, however many addresses guess. */
export function lockOut(pool: pg.Pool | null, tell: (email: string) => void): LockOut {
  const limiter = (name: string, tries: number): TryLimiter =>
    tryLimiter(`sign-in-${name}`, tries, windowSeconds, pool);
  const pair = limiter('pair', triesOfAccountAtAddress);
  const account = limiter('account', triesOfAccount);
  const place = limiter('address', triesOfAddress);
  const telling = limiter('told', 1);
  const counted = (email: string, address: string): [TryLimiter, string][] => {
    const who = digestOf(email);
    const where = networkOf(address);
    return [
      [pair, `${who} ${where}`],
      [place, where],
      [account, who],
    ];
  };
  return {
    take: async (email, address) => {
      for (const [each, key] of counted(email, address)) {
        const waitSeconds = await each.take(key);
        if (waitSeconds === 0) continue;
        if (each !== place && (await telling.take(digestOf(email))) === 0) tell(email);
        throw rateLimitExceeded(waitSeconds);
      }
    },
    giveBack: async (email, address) => {
      for (const [each, key] of counted(email, address)) await each.giveBack(key);
    },
  };
}

// The table of limits holds no addresses of people.
function digestOf(email: string): string {
  return createHash('sha256').update(foldEmail(email)).digest('base64url');
}

// Whoever has one IPv6 address has the rest of its /64 too.
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const all =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  // An IPv4 address in the clothes of IPv6 is itself.
  return address.includes('.') ? address : all.slice(0, 4).join(':');
}
