/** SQL of the repositories in which vulnerabilities are to be merged. */
import type { Tx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';

/**
 * Marks the repositories that know one of the ids, even if only from a VEX document. Marks also those with a running
 * import, which may have read the names before these were learned. `repositoryId` limits this to one repository.
 */
export async function markPendingMerges(
  tx: Tx,
  aliases: string[],
  repositoryId: RepositoryId | null,
): Promise<void> {
  if (aliases.length === 0) return;
  await tx.query(
    `insert into pending_merge (tenant_id, repository_id)
     select m.tenant_id, m.repository_id from (
       select tenant_id, repository_id from vulnerability where tenant_id = $1 and advisory = any($2::text[])
       union
       select tenant_id, repository_id from vex_statement where tenant_id = $1 and advisory = any($2::text[])
       union
       select tenant_id, repository_id from scan where tenant_id = $1 and status = 'running') m
      where $3::uuid is null or m.repository_id = $3
      order by m.repository_id
     on conflict do nothing`,
    [tx.tenantId, aliases, repositoryId],
  );
}

/** Lists the repositories with pending merges, the longest waiting first. */
export async function listPendingMerges(tx: Tx, limit: number): Promise<RepositoryId[]> {
  const rows = await tx.query<{ repository_id: RepositoryId }>(
    'select repository_id from pending_merge where tenant_id = $1 order by created_at limit $2',
    [tx.tenantId, limit],
  );
  return rows.map((row) => row.repository_id);
}

/** Removes the mark of the repository. Returns false if it has none. */
export async function takePendingMerge(tx: Tx, repositoryId: RepositoryId): Promise<boolean> {
  const [waiting] = await tx.query(
    'delete from pending_merge where tenant_id = $1 and repository_id = $2 returning 1',
    [tx.tenantId, repositoryId],
  );
  return waiting !== undefined;
}
