/** A part of the fuzz as a process receives it, and its result. */
import type { Corpus } from './corpus.ts';

export interface FuzzJob {
  level: 'parser' | 'service' | 'api';
  /** A format, or a kind of requests. */
  part: string;
  corpus: Corpus;
  seed: string;
  /** Number of the first input. Seed, part and number repeat an input. */
  first: number;
  inputs: number;
}

/** A row of the closing table. */
export interface FuzzRow {
  level: FuzzJob['level'];
  part: string;
  inputs: number;
  /** Recognised as a format, accepted by the upload, or answered with success. */
  accepted: number;
  /**
   * With findings, statements or packages. For the service and uploads: with a completed scan. For cursors: with a
   * second page.
   */
  found: number;
  failures: string[];
  seconds: number;
}

// More failures of a part say nothing new, and minimising takes time.
const mostFailures = 3;

/** Counts the inputs of a job. */
export class Tally {
  readonly #job: FuzzJob;
  readonly #started = performance.now();
  readonly #failures: string[] = [];
  inputs = 0;
  accepted = 0;
  found = 0;

  constructor(job: FuzzJob) {
    this.#job = job;
  }

  /** The numbers of the next inputs, until the time is over or there are too many failures. */
  *numbers(deadline: number): Generator<number> {
    const { first, inputs } = this.#job;
    for (let number = first; number < first + inputs; number++) {
      if (performance.now() > deadline || this.#failures.length >= mostFailures) return;
      this.inputs++;
      yield number;
    }
  }

  fail(number: number, problem: unknown, more = ''): void {
    const { level, part, corpus, seed } = this.#job;
    this.#failures.push(
      [
        problem instanceof Error ? problem.stack : String(problem),
        `repeat: FUZZ_REPEAT=${level}:${part}:${number}:${corpus} TEST_SEED=${seed} npm run fuzz`,
        ...(more === '' ? [] : [more.slice(0, 4_000)]),
      ].join('\n'),
    );
  }

  row(): FuzzRow {
    const { level, part } = this.#job;
    const { inputs, accepted, found } = this;
    const seconds = (performance.now() - this.#started) / 1000;
    return { level, part, inputs, accepted, found, failures: this.#failures, seconds };
  }
}
