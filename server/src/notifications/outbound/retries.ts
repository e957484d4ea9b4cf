/** The times of further attempts to reach a receiver. */
import { hourMs, minuteMs } from '../../domain/time.ts';

/**
 * The waits after each failed attempt, in milliseconds. The attempts are spread over most of a day: a short fault costs
 * seconds, and somebody can repair a receiver in the morning that broke in the evening.
 */
export const attemptWaitsMs = [
  5_000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  ...[1, 2, 4, 6, 8].map((hours) => hours * hourMs),
];

/**
 * A factor from 0.8 to 1.2, so that receivers that failed together are not tried again together. `random` gives 0 to
 * 1.
 */
export const jitter = (random: () => number): number => 0.8 + 0.4 * random();
