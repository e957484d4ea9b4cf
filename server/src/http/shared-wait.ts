/**
 * Requests can wait for an answer that is not final yet (`wait=`). All requests of a workspace with the same question
 * share one read. The questions of a workspace are read one after another, so that repeated reads take one connection
 * in each process.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { beyondRequest } from '../db/connection-share.ts';
import { rateLimitExceeded } from '../domain/errors.ts';
import type { TenantId } from '../domain/ids.ts';

// The interval is long enough to cost little while CI waits, and too short for people to notice.
const pollMs = 500;
// Each waiter is an open connection of a client. The limit is higher than the number of CI jobs that end at one moment
// in a workspace.
const maxWaiters = 250;

export interface Question<T> {
  tenantId: TenantId;
  /** The question with all its parameters as text; the same text must mean the same answer. */
  key: string;
  read: () => Promise<T>;
  isFinal: (answer: T) => boolean;
}

export class SharedWaits {
  readonly #workspaces = new Map<string, WorkspaceWaits>();

  /**
   * Returns the answer when it is final, when the time is over, or when the sender has hung up. Throws 429 if too many
   * wait.
   */
  async ask<T>(question: Question<T>, waitSeconds: number, signal: AbortSignal): Promise<T> {
    if (waitSeconds === 0) return question.read();
    const { tenantId } = question;
    const waits = this.#workspaces.get(tenantId) ?? new WorkspaceWaits();
    this.#workspaces.set(tenantId, waits);
    try {
      return (await waits.ask(question as Question<unknown>, waitSeconds, signal)) as T;
    } finally {
      // The workspace may have a new one by now.
      if (waits.waiters === 0 && this.#workspaces.get(tenantId) === waits) this.#workspaces.delete(tenantId);
    }
  }
}

class WorkspaceWaits {
  waiters = 0;
  readonly #polls = new Map<string, Poll>();
  #running = false;

  async ask(question: Question<unknown>, waitSeconds: number, signal: AbortSignal): Promise<unknown> {
    if (this.waiters >= maxWaiters) {
      throw rateLimitExceeded(
        5,
        `The workspace has ${maxWaiters} requests that wait already. Try again in 5 seconds, or without wait.`,
      );
    }
    this.waiters++;
    const known = this.#polls.get(question.key);
    const poll = known ?? new Poll(question);
    this.#polls.set(question.key, poll);
    try {
      const answer = poll.join(waitSeconds, signal);
      if (!known) void beyondRequest(() => poll.read());
      if (!this.#running) void beyondRequest(() => this.#run());
      return await answer;
    } finally {
      this.waiters--;
      if (poll.isEmpty && this.#polls.get(question.key) === poll) this.#polls.delete(question.key);
    }
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let spent = 0; this.#polls.size > 0; ) {
      // After a long round of reads the pause is as long as the round, so that reading takes at most half of the time.
      await sleep(Math.max(pollMs, spent), undefined, { ref: false });
      const started = Date.now();
      for (const poll of [...this.#polls.values()]) await poll.read();
      spent = Date.now() - started;
    }
    this.#running = false;
  }
}

interface Waiter {
  /** The last answer that was read since the waiter arrived; null before the first read. */
  answer: { value: unknown } | null;
  /** True if its time is over, so that it takes the next answer, final or not. */
  isDue: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** One question with the waiters for its answer. */
class Poll {
  readonly #question: Question<unknown>;
  readonly #waiters = new Set<Waiter>();
  #reading = false;

  constructor(question: Question<unknown>) {
    this.#question = question;
  }

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  async join(waitSeconds: number, signal: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiter: Waiter = { answer: null, isDue: false, resolve, reject };
    const end = (): void => {
      waiter.isDue = true;
      if (waiter.answer) resolve(waiter.answer.value);
    };
    const timer = setTimeout(end, waitSeconds * 1000);
    signal.addEventListener('abort', end);
    this.#waiters.add(waiter);
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  /**
   * Answers only the waiters that were there when the read began, because a later caller may have changed the data
   * before asking.
   */
  async read(): Promise<void> {
    if (this.#reading || this.isEmpty) return;
    this.#reading = true;
    const waiters = [...this.#waiters];
    try {
      const value = await this.#question.read();
      const isFinal = this.#question.isFinal(value);
      for (const waiter of waiters) {
        waiter.answer = { value };
        if (isFinal || waiter.isDue) waiter.resolve(value);
      }
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    } finally {
      this.#reading = false;
    }
  }
}
