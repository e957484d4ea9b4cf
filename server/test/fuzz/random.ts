/** Random numbers that a seed repeats: mulberry32 over a hash of the seed's text. */
import { hash } from 'node:crypto';

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = Number.parseInt(hash('sha256', seed).slice(0, 8), 16);
  }

  /** Returns a number from 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 to `end - 1`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
