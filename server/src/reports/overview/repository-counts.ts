/** The number of open vulnerabilities in some repositories, which a list of repositories shows for each. */

import type { Tx } from '../../db/database.ts';
import { distinctIds, formatId } from '../../domain/ids.ts';
import { bySeverityOf } from '../../http/by-severity.ts';
import { listKnownRepositories } from '../../inventory/applications/store.ts';
import { countOpenByRepository } from './store.ts';

/** The counts come in the order of the ids; unknown ids are left out. */
export async function readRepositoryCounts(tx: Tx, texts: string[]) {
  const asked = distinctIds('repository', texts);
  const [repositories, rows] = await Promise.all([
    listKnownRepositories(tx, asked),
    countOpenByRepository(tx, asked),
  ]);
  const known = new Set(repositories.map(({ id }) => id));
  return asked
    .filter((id) => known.has(id))
    .map((id) => {
      const counts = rows.filter((row) => row.id === id);
      return {
        id: formatId('repository', id),
        open: counts.reduce((sum, { n }) => sum + n, 0),
        by_severity: bySeverityOf(counts),
      };
    });
}
