/**
 * The page to open after signing in. Only pages of the console are allowed, since an address from outside could be a
 * trap.
 */
const storageKey = 'merlon.next';

/** Returns the page if it is one of this console, else the start page. */
export function ownPage(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/';
  const url = new URL(next, location.origin);
  const isOwn = url.origin === location.origin && !url.pathname.startsWith('//');
  return isOwn ? url.pathname + url.search + url.hash : '/';
}

/** Keeps the page during a sign-in that leaves the console. */
export function keepNext(next: string): void {
  sessionStorage.setItem(storageKey, next);
}

/** Returns the kept page once, then forgets it. */
export function takeNext(): string | null {
  const next = sessionStorage.getItem(storageKey);
  if (next !== null) sessionStorage.removeItem(storageKey);
  return next === null ? null : ownPage(next);
}
