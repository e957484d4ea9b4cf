/** Reads lists of trackers page by page. */
import { notTheApi, TrackerError } from './tracker-client.ts';

const maxPages = 10;

export interface Pages<T> {
  items: T[];
  /** False if there are more pages than were read. */
  isAll: boolean;
}

/**
 * Reads pages from 1 on until one is not full, `isLast` is true for an item, or ten are read. Only what `keep` returns of an
 * item is held, since an answer may be much larger. Throws TrackerError for a page that is no list of at most `perPage`.
 */
export async function readPages<T, Kept>(
  read: (page: number) => Promise<T[]>,
  perPage: number,
  keep: (item: T) => Kept,
  isLast: (item: T) => boolean = () => false,
): Promise<Pages<Kept>> {
  const items: Kept[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const found = await read(page);
    if (!Array.isArray(found) || found.length > perPage) {
      throw notTheApi();
    }
    items.push(...found.map(keep));
    if (found.length < perPage || found.some(isLast)) return { items, isAll: true };
  }
  return { items, isAll: false };
}

/**
 * The oldest issue with the marker of those that were made since then, from pages with the newest first. Throws
 * TrackerError if there are too many to say that there is none, since another one would then be made.
 */
export async function findByMarker<T>(
  read: (page: number) => Promise<T[]>,
  perPage: number,
  describe: (item: T) => { text: string; at: Date },
  { marker, since }: { marker: string; since: Date },
): Promise<T | null> {
  const { items, isAll } = await readPages(
    read,
    perPage,
    (item) => (describe(item).text.includes(marker) ? item : null),
    (item) => describe(item).at < since,
  );
  const found = items.findLast((item) => item !== null);
  if (found) return found;
  if (!isAll) {
    throw new TrackerError(
      'refused',
      'too many issues were made since the last attempt to say whether it has succeeded',
    );
  }
  return null;
}
