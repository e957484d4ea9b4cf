/**
 * Hashing passwords is made to be slow: a few at a time, and so many in line. Whoever comes later is told to come back,
 * rather than keep everybody else of the server waiting.
 */
import { serviceUnavailable } from '../../domain/errors.ts';

// Each takes 16 MB and a thread for a tenth of a second; two leave threads to everything else that needs one.
const atOnce = 2;
// Some five seconds of waiting.
const inLine = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work`, which hashes a password, in its turn. Throws 503 where too many wait. */
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
