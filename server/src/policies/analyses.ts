/**
 * Policies about analyses need one row for each repository and analysis type, whether a scan covers it or not. The time
 * of the last scan is in the series.
 */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { batches } from '../domain/batches.ts';
import { newId, type RepositoryId } from '../domain/ids.ts';
import { types } from '../domain/packed-state.ts';

/** The types of vulnerabilities that a repository can be scanned for on purpose. */
const analysisTypes = types.filter((type) => type !== 'other' && type !== 'malware');

// This many repositories, with a row for each type, make some thousand rows: a statement of at most one megabyte.
const repositoriesAtOnce = 500;

/** Inserts the missing rows and leaves the others as they are. */
export async function ensureAnalyses(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  // All transactions insert in the same order, so that they cannot deadlock.
  for (const batch of batches([...new Set(repositoryIds)].sort(), repositoriesAtOnce)) {
    const rows = batch.flatMap((repository) =>
      analysisTypes.map((type) => ({ id: newId(), repository_id: repository, type })),
    );
    await insertRows(tx, 'analysis', rows, {
      order: 's.repository_id, s.type',
      conflict: '(tenant_id, repository_id, type) do nothing',
    });
  }
}
