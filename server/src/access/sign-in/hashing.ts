/**
 * Hashing of passwords is slow by design, so only a few hashes run at a time and the queue is bounded. Later requests
 * get 503 and must try again, so that they do not block all other requests.
 */
import { foldEmail } from '../../domain/email.ts';
import { serviceUnavailable } from '../../domain/errors.ts';

// A hash takes 16 MB and a thread for a tenth of a second; two at a time leave threads for other work.
const atOnce = 2;
// The last one in a queue of this length waits some five seconds.
const inLine = 100;
// A right password is no guess, so no limit of guesses keeps one person from filling the queue for all others. A person
// signs in with a few browsers at a time.
const inLineOfAccount = 5;

let running = 0;
const waiting: (() => void)[] = [];
const ofAccount = new Map<string, number>();

/**
 * Runs `work`, which hashes a password of the account, in its turn. Throws 503 if too many wait, or too many of the
 * account.
 */
export async function inTurn<T>(email: string, work: () => Promise<T>): Promise<T> {
  const account = foldEmail(email);
  const own = ofAccount.get(account) ?? 0;
  if (own >= inLineOfAccount) {
    throw serviceUnavailable('This account signs in too often at the same time. Try again in a few seconds.');
  }
  ofAccount.set(account, own + 1);
  try {
    return await afterOthers(work);
  } finally {
    const left = (ofAccount.get(account) ?? 1) - 1;
    if (left > 0) ofAccount.set(account, left);
    else ofAccount.delete(account);
  }
}

async function afterOthers<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= inLine) {
      throw serviceUnavailable('Too many people sign in at the same time. Try again in a few seconds.');
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
