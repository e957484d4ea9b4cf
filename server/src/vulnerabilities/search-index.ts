/** Writes the index of search terms that `q` reads. */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { indexTermsOf, type Searchable, searchKey } from './search-terms.ts';

/** The keys that a transaction has written, because the slices of a large import have many titles in common. */
const written = new WeakMap<Tx, Set<string>>();

/**
 * Writes the terms that the index lacks. Terms of texts that no vulnerability has any more stay and find nothing.
 */
export async function insertSearchTerms(tx: Tx, found: Searchable[]): Promise<void> {
  const before = written.get(tx) ?? new Set();
  written.set(tx, before);
  const rows = found.flatMap((each) => {
    const key = searchKey(each);
    if (before.has(key)) return [];
    before.add(key);
    return indexTermsOf(each).map((term) => ({ term, search_key: key }));
  });
  await insertRows(tx, 'search_term', rows, {
    order: 's.term collate "C", s.search_key',
    conflict: 'do nothing',
  });
}
