/** Reads lists of trackers page by page. */
import { notTheApi, TrackerError } from './tracker-client.ts';

const maxPagesAtOnce = 10;
// Fifty thousand issues. A list that goes on after them does not number its pages.
const maxPage = 1_000;

export interface Pages<T> {
  items: T[];
  /** The number of the page after those that were read; null if there is none. */
  next: number | null;
}

/**
 * Reads pages from `first` on until one is not full, `isLast` is true for an item, or ten are read. Only what `keep`
 * returns of an item is held, since an answer may be much larger. Throws TrackerError for a page that is no list of at
 * most `perPage`.
 */
export async function readPages<Kept>(
  read: (page: number) => Promise<unknown>,
  { perPage, first = 1 }: { perPage: number; first?: number },
  keep: (item: unknown) => Kept,
  isLast: (item: Kept) => boolean = () => false,
): Promise<Pages<Kept>> {
  const items: Kept[] = [];
  for (let page = first; page < first + maxPagesAtOnce; page++) {
    if (page > maxPage) throw new TrackerError('unexpected', 'the list of the tracker does not end');
    const found = await read(page);
    if (!Array.isArray(found) || found.length > perPage) throw notTheApi();
    const kept = found.map(keep);
    items.push(...kept);
    if (found.length < perPage || kept.some(isLast)) return { items, next: null };
  }
  return { items, next: first + maxPagesAtOnce };
}

/**
 * Finds the oldest issue that has the marker and was created after `since`. The pages have the newest issues first.
 * Throws TrackerError if there are too many issues to read, because a second issue would be created otherwise.
 */
export async function findByMarker<Issue>(
  read: (page: number) => Promise<unknown>,
  perPage: number,
  describe: (item: unknown) => { text: string; at: Date; issue: Issue },
  { marker, since }: { marker: string; since: Date },
): Promise<Issue | null> {
  const { items, next } = await readPages(
    read,
    { perPage },
    (item) => {
      const { text, at, issue } = describe(item);
      return { issue: text.includes(marker) ? issue : null, at };
    },
    ({ at }) => at < since,
  );
  const found = items.findLast(({ issue }) => issue !== null);
  if (found) return found.issue;
  if (next !== null) {
    throw new TrackerError(
      'refused',
      'too many issues were made since the last attempt to say whether it has succeeded',
    );
  }
  return null;
}

/**
 * Returns the issues among these items. A null is an issue that the API does not show: it is counted, and the others
 * are returned. An undefined is not an issue.
 */
export function readableIssues<Issue>(items: readonly (Issue | null | undefined)[]): {
  issues: Issue[];
  unreadable: number;
} {
  return {
    issues: items.filter((item) => item !== null && item !== undefined),
    unreadable: items.filter((item) => item === null).length,
  };
}

/** The changed issues of a list whose pages have numbers, from the page `from` on, as `listChanged` of a tracker. */
export async function readChangedPages<Issue>(
  read: (page: number) => Promise<unknown>,
  { perPage, from }: { perPage: number; from: string | null },
  keep: (item: unknown) => Issue | null | undefined,
): Promise<{ issues: Issue[]; unreadable: number; next: string | null }> {
  const { items, next } = await readPages(read, { perPage, first: Number(from ?? 1) }, keep);
  return { ...readableIssues(items), next: next === null ? null : String(next) };
}

/** The result of `read`, or null where it throws TrackerError. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrackerError) return null;
    throw error;
  }
}
