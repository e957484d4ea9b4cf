/**
 * Hashing of passwords is slow by design, so only a few hashes run at a time and the queue is bounded. Later requests
 * get 503 and must try again, so that they do not block all other requests.
 */
import { serviceUnavailable } from '../../domain/errors.ts';

// A hash takes 16 MB and a thread for a tenth of a second; two at a time leave threads for other work.
const atOnce = 2;
// The last one in a queue of this length waits some five seconds.
const inLine = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work`, which hashes a password, in its turn. Throws 503 if too many wait. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= inLine) throw serviceUnavailable();
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
