/** Writes the index of words that `q` reads. */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { type Searchable, searchKey, searchWords } from './search-words.ts';

/** The keys that a transaction has written, because the slices of a large import have many titles in common. */
const written = new WeakMap<Tx, Set<string>>();

/**
 * Writes the words that the index lacks. Old words of texts that no vulnerability has any more stay, and find nothing.
 */
export async function insertSearchWords(tx: Tx, found: Searchable[]): Promise<void> {
  const before = written.get(tx) ?? new Set();
  written.set(tx, before);
  const rows = found.flatMap((each) => {
    const key = searchKey(each);
    if (before.has(key)) return [];
    before.add(key);
    return searchWords(each).map((word) => ({ word, search_key: key }));
  });
  await insertRows(tx, 'search_word', rows, {
    order: 's.word collate "C", s.search_key',
    conflict: 'do nothing',
  });
}
