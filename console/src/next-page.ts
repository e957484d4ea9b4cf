/** Where to go after signing in. Only pages of the console: an address from outside could say anything. */
const storageKey = 'merlon.next';

/** The page, if it is one of this console's; else the start page. */
export function ownPage(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/';
  const url = new URL(next, location.origin);
  const isOwn = url.origin === location.origin && !url.pathname.startsWith('//');
  return isOwn ? url.pathname + url.search + url.hash : '/';
}

/** For a sign-in that leaves the console on its way. */
export function keepNext(next: string): void {
  sessionStorage.setItem(storageKey, next);
}

/** What was kept, once. */
export function takeNext(): string | null {
  const next = sessionStorage.getItem(storageKey);
  if (next !== null) sessionStorage.removeItem(storageKey);
  return next === null ? null : ownPage(next);
}
