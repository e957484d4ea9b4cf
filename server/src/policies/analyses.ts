/**
 * The rows that policies about analyses are asked of: one for each repository and type of problem, looked for or not.
 * When it was looked for is the series' to say.
 */
import type { Tx } from '../db/database.ts';
import { batches } from '../domain/batches.ts';
import { newId } from '../domain/ids.ts';
import { types } from '../domain/packed-state.ts';

/** What a repository can be scanned for on purpose. */
const analysisTypes = types.filter((type) => type !== 'other' && type !== 'malware');

// Times the types of problems some thousand rows: a statement of a megabyte at most.
const repositoriesAtOnce = 500;

/** Makes those that are missing; what is there stays. */
export async function ensureAnalyses(tx: Tx, tenantId: string, repositoryIds: string[]): Promise<void> {
  // In one order in all transactions, so that none waits in a circle.
  for (const batch of batches([...new Set(repositoryIds)].sort(), repositoriesAtOnce)) {
    const rows = batch.flatMap((repository) =>
      analysisTypes.map((type) => ({ id: newId(), repository, type })),
    );
    await tx.query(
      `insert into analysis (tenant_id, id, repository_id, type)
       select $1, a.id, a.repository, a.type
         from json_to_recordset($2::json) as a (id uuid, repository uuid, type text)
        order by a.repository, a.type
       on conflict (tenant_id, repository_id, type) do nothing`,
      [tenantId, JSON.stringify(rows)],
    );
  }
}
