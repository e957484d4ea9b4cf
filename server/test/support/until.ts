import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the condition has a value that is true, and returns it. Throws after a while with `expected`, which may
 * be the output of a process that explains the failure.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  expected: string | (() => string),
  withinMs = 60_000,
): Promise<Exclude<T, undefined | null | false>> {
  for (const end = Date.now() + withinMs; ; await sleep(25)) {
    const value = await condition();
    if (value) return value as Exclude<T, undefined | null | false>;
    if (Date.now() > end) {
      throw new Error(`not within ${withinMs} ms: ${typeof expected === 'string' ? expected : expected()}`);
    }
  }
}
