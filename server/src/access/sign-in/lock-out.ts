/**
 * Limits the guessing of passwords: after too many failures the caller must wait. Each attempt counts before the
 * password is checked, so that simultaneous attempts count too. It counts for the account from one address, then for
 * the account from anywhere, then for the address. An attempt that the limit of one address refuses does not count
 * against the other limits.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { foldEmail } from '../../domain/email.ts';
import { rateLimitExceeded } from '../../domain/errors.ts';
import { type Counts, type TryLimiter, tryLimiter } from '../../http/rate-limit.ts';

const minutes = 60;
// A person may mistype five times. The limit of an account stops guesses from many addresses. It is far above five, so
// that guesses of others rarely lock the owner out. An office behind one address has many people.
const windowSeconds = 15 * minutes;
const triesOfAccountAtAddress = 5;
const triesOfAccount = 50;
const triesOfAddress = 100;

export interface LockOut {
  /** Counts an attempt. Throws 429 while the account or the address must wait. */
  take(email: string, address: string): Promise<void>;
  /** Gives back an attempt that was no guess. */
  giveBack(email: string, address: string): Promise<void>;
}

/** `tell` is called when an account is locked out, even if it does not exist; once in a window for all addresses. */
export function lockOut(counts: Counts, tell: (email: string) => void): LockOut {
  const limiter = (name: string, tries: number): TryLimiter =>
    tryLimiter(`sign-in-${name}`, tries, windowSeconds, counts);
  const pair = limiter('pair', triesOfAccountAtAddress);
  const account = limiter('account', triesOfAccount);
  const ofAddress = limiter('address', triesOfAddress);
  const telling = limiter('told', 1);
  const counted = (email: string, address: string): [TryLimiter, string][] => {
    const who = digestOf(email);
    const where = networkOf(address);
    return [
      [pair, `${who} ${where}`],
      [ofAddress, where],
      [account, who],
    ];
  };
  return {
    take: async (email, address) => {
      for (const [each, key] of counted(email, address)) {
        const waitSeconds = await each.take(key);
        if (waitSeconds === 0) continue;
        if (each !== ofAddress && (await telling.take(digestOf(email))) === 0) tell(email);
        throw rateLimitExceeded(waitSeconds);
      }
    },
    giveBack: async (email, address) => {
      for (const [each, key] of counted(email, address)) await each.giveBack(key);
    },
  };
}

// The table of limits must not hold e-mail addresses of people.
function digestOf(email: string): string {
  return createHash('sha256').update(foldEmail(email)).digest('base64url');
}

// The holder of an IPv6 address has all addresses of its /64 network, so these count as one.
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const all =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  // An IPv4 address in the notation of IPv6 stays as it is.
  return address.includes('.') ? address : all.slice(0, 4).join(':');
}
