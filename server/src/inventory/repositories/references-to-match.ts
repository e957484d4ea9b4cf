import type { Tx } from '../../db/database.ts';
import type { ReferenceId } from '../../domain/ids.ts';

/**
 * Marks references whose packages are to be compared with advisories, because their packages have changed, or because
 * they become active: advisories that are loaded while a reference is inactive are not matched there.
 */
export async function markToMatch(tx: Tx, referenceIds: ReferenceId[]): Promise<void> {
  if (referenceIds.length === 0) return;
  await tx.query(
    `insert into reference_to_match (tenant_id, reference_id, repository_id, created_at)
     select f.tenant_id, f.id, f.repository_id, now() from reference f
      where f.tenant_id = $1 and f.id = any($2::uuid[]) order by f.id
     on conflict (tenant_id, reference_id) do update set created_at = excluded.created_at`,
    [tx.tenantId, referenceIds],
  );
}
