/**
 * Tracks whether the server is down. After a failed request the console asks the server whether it is ready. While it
 * is not, the console asks again by itself, at growing intervals. The page keeps all its data meanwhile.
 */
import { createStore } from '../external-store.ts';
import { isApiError } from './errors.ts';

interface Away {
  /** The time of the next attempt; null while one is under way. */
  nextTryAt: number | null;
}

const shortestMs = 1_000;
const longestMs = 30_000;
// Many consoles must not ask a restarted server in the same moment.
const spread = 0.25;

const away = createStore<Away | null>(null);
let isChecking = false;
let waitMs = shortestMs;
let timer: ReturnType<typeof setTimeout> | undefined;
let askServer: () => Promise<boolean> = async () => true;
const returnListeners = new Set<() => void>();

/** True if the request did not reach the server, or if the server cannot answer at the moment. */
export function isAwayError(error: unknown): boolean {
  return isApiError(error) ? [502, 503, 504].includes(error.status) : error instanceof TypeError;
}

/** `ready` says whether the server can answer requests. */
export function watchServer(ready: () => Promise<boolean>): void {
  askServer = ready;
  addEventListener('online', () => away.get() && tryServerNow());
}

/**
 * Called after a request that failed with such an error. The server counts as down only if it does not say that it is
 * ready.
 */
export function noticeFailure(): void {
  if (away.get() === null && !isChecking) void tryServerNow();
}

export async function tryServerNow(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  clearTimeout(timer);
  if (away.get() !== null) away.set({ nextTryAt: null });
  const isReady = await askServer();
  isChecking = false;
  if (isReady) {
    waitMs = shortestMs;
    if (away.get() === null) return;
    away.set(null);
    for (const listener of returnListeners) listener();
    return;
  }
  const wait = waitMs * (1 + spread * Math.random());
  waitMs = Math.min(longestMs, waitMs * 2);
  timer = setTimeout(tryServerNow, wait);
  away.set({ nextTryAt: Date.now() + wait });
}

/** Null while the server answers. */
export const useServerAway = away.useValue;

let pauseMs = shortestMs;
let pausedAt = Number.NEGATIVE_INFINITY;

/**
 * For a page that failed with such an error: calls the listener when the server is back. A server that is ready again
 * before anybody asks was never down, so the listener is then called after a pause. Each further pause is longer, up to
 * a quarter of a minute, because a server may be ready and still refuse this page. Returns the function that ends this.
 */
export function whenServerAnswers(listener: () => void): () => void {
  noticeFailure();
  const now = Date.now();
  pauseMs = now - pausedAt > 2 * longestMs ? shortestMs : pauseMs * 2;
  pausedAt = now;
  const timer =
    pauseMs > longestMs ? undefined : setTimeout(() => away.get() === null && listener(), pauseMs);
  const end = onServerReturn(listener);
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Calls the listener each time the server is back. Returns the function that ends this. */
export function onServerReturn(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => returnListeners.delete(listener);
}
