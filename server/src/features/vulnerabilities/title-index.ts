/** The index of title words that `q` reads, written. */
import type { Tx } from '../../db/database.ts';
import { titleKey, titleWords } from './title-words.ts';

/** What a transaction has written: the slices of a large import bear the same titles again and again. */
const written = new WeakMap<Tx, Set<string>>();

/** Writes the words of titles that are not known yet. Words of a title that nobody bears any more find nothing. */
export async function insertTitleWords(tx: Tx, tenantId: string, titles: string[]): Promise<void> {
  const before = written.get(tx) ?? new Set();
  const fresh = new Set(titles).difference(before);
  for (const title of fresh) before.add(title);
  written.set(tx, before);
  const rows = [...fresh].flatMap((title) => {
    const key = titleKey(title);
    return titleWords(title).map((word) => ({ word, key }));
  });
  if (rows.length === 0) return;
  await tx.query(
    `insert into title_word (tenant_id, word, title_key)
     select $1, w.word, w.key from json_to_recordset($2::json) as w (word text, key uuid)
     order by w.word collate "C", w.key
     on conflict do nothing`,
    [tenantId, JSON.stringify(rows)],
  );
}
