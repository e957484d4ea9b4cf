/** Writes the index of search terms that `q` reads. */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { type Searchable, searchRowsOf } from './search-terms.ts';

/** The keys that a transaction has written, because the slices of a large import have many texts in common. */
const written = new WeakMap<Tx, Set<string>>();

/** Writes the terms that the index lacks. `merlond prune` deletes those that no vulnerability has any more. */
export async function insertSearchTerms(tx: Tx, found: Searchable[]): Promise<void> {
  const before = written.get(tx) ?? new Set();
  written.set(tx, before);
  const { texts, terms } = searchRowsOf(found, before);
  await Promise.all([
    insertRows(tx, 'search_text', texts, { order: 's.text_key, s.search_key', conflict: 'do nothing' }),
    insertRows(tx, 'search_term', terms, {
      order: 's.term collate "C", s.text_key',
      conflict: 'do nothing',
    }),
  ]);
}
