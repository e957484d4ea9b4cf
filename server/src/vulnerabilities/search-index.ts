/** Writes the index of words that `q` reads. */
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
    return searchWords(each).map((word) => ({ word, key }));
  });
  if (rows.length === 0) return;
  await tx.query(
    `insert into search_word (tenant_id, word, search_key)
     select $1, w.word, w.key from json_to_recordset($2::json) as w (word text, key uuid)
     order by w.word collate "C", w.key
     on conflict do nothing`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}
