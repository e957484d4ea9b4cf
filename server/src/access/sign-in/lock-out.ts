/**
 * Limits the guessing of passwords: after too many failures the caller must wait. Each attempt counts before the
 * password is checked, so that simultaneous attempts count too. It counts for the account from one address, then for
 * the address, then for the account from anywhere. An attempt that one limit refuses does not count against the ones
 * after it, so no single address locks an account out everywhere. An attempt from a known browser counts for this
 * browser alone, so that guesses of others do not lock the person out there. An attacker who knew the password may have
 * made many browsers known; a change of the password ends all of them (ADR 86).
 */
import { createHash } from 'node:crypto';
import { foldEmail } from '../../domain/email.ts';
import { rateLimitExceeded } from '../../domain/errors.ts';
import { networkOf } from '../../http/network.ts';
import { type Counts, type TryLimiter, tryLimiter } from '../../http/rate-limit.ts';

const minutes = 60;
// A person may mistype five times. The limit of an account stops guesses from many addresses. It is far above five, so
// that guesses of others rarely lock the owner out. An office behind one address has many people.
const windowSeconds = 15 * minutes;
const triesOfAccountAtAddress = 5;
const triesOfAccount = 50;
const triesOfAddress = 100;

export interface Attempt {
  email: string;
  /** The IP address of the request. */
  address: string;
  /** The id of a known browser of the account; null for any other. */
  browser: string | null;
}

export interface LockOut {
  /**
   * Counts an attempt and runs `check`, which returns false for a wrong password. Only a wrong password stays counted.
   * Throws 429 while the account, the address or the browser must wait, and the errors of `check`.
   */
  guard(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean>;
}

/**
 * `onLockedOut` is called when an account is locked out, even if it does not exist; once in a window for all addresses.
 */
export function lockOut(counts: Counts, onLockedOut: (email: string) => void): LockOut {
  const limiter = (name: string, tries: number): TryLimiter =>
    tryLimiter(`sign-in-${name}`, tries, windowSeconds, counts);
  const pair = limiter('pair', triesOfAccountAtAddress);
  const account = limiter('account', triesOfAccount);
  const ofAddress = limiter('address', triesOfAddress);
  const notices = limiter('notice', 1);
  const counted = ({ email, address, browser }: Attempt): [TryLimiter, string][] => {
    const accountKey = digestOf(email);
    if (browser !== null) return [[pair, `${accountKey} ${browser}`]];
    const network = networkOf(address);
    return [
      [pair, `${accountKey} ${network}`],
      [ofAddress, network],
      [account, accountKey],
    ];
  };
  const take = async (attempt: Attempt): Promise<void> => {
    for (const [each, key] of counted(attempt)) {
      const waitSeconds = await each.take(key);
      if (waitSeconds === 0) continue;
      if (each !== ofAddress && (await notices.take(digestOf(attempt.email))) === 0)
        onLockedOut(attempt.email);
      throw rateLimitExceeded(waitSeconds);
    }
  };
  return {
    guard: async (attempt, check) => {
      await take(attempt);
      let isWrong = false;
      try {
        isWrong = !(await check());
        return !isWrong;
      } finally {
        if (!isWrong) for (const [each, key] of counted(attempt)) await each.giveBack(key);
      }
    },
  };
}

// The table of limits must not hold e-mail addresses of people.
function digestOf(email: string): string {
  return createHash('sha256').update(foldEmail(email)).digest('base64url');
}
