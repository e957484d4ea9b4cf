/** Random numbers that a seed repeats: those of `randomOf` from a hash of the seed's text. */
import { hash } from 'node:crypto';
import { randomOf } from '../support/random.ts';

export class Random {
  /** Returns an integer from 0 to `end - 1`. */
  readonly below: (end: number) => number;

  constructor(seed: string) {
    this.below = randomOf(Number.parseInt(hash('sha256', seed).slice(0, 8), 16));
  }

  chance(share: number): boolean {
    return this.below(2 ** 32) < share * 2 ** 32;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
