/** The catalogue of exploited vulnerabilities, for tests that insert its entries themselves. */
import type { TestDatabase } from './database.ts';

/** Says that the catalogue is loaded, with the entries that are there. */
export async function markKevLoaded({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  await owner.query(
    `insert into intel_feed (name, version, published_at, rows, sha256, imported_at)
     select 'kev', '2031.01.01', now(), count(*), sha256('kev'), now() from kev`,
  );
}
