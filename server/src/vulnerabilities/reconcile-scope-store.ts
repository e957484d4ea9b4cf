/** SQL of the vulnerabilities that a change of references or of a repository affects. */
import type { Tx } from '../db/database.ts';
import type { ReferenceId, RepositoryId, VulnerabilityId } from '../domain/ids.ts';

/** The vulnerabilities that are live on the reference. */
export async function listLiveIds(tx: Tx, referenceId: ReferenceId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select vulnerability_id from vulnerability_reference where tenant_id = $1 and reference_id = $2 and live`,
    [tx.tenantId, referenceId],
  );
  return rows.map((row) => row.vulnerability_id);
}

/** The vulnerabilities that are or were on one of the references. */
export async function listIdsOnReferences(tx: Tx, referenceIds: string[]): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select distinct vulnerability_id from vulnerability_reference
      where tenant_id = $1 and reference_id = any($2::uuid[])`,
    [tx.tenantId, referenceIds],
  );
  return rows.map((row) => row.vulnerability_id);
}

export async function listIdsOfRepository(tx: Tx, repositoryId: RepositoryId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    'select id from vulnerability where tenant_id = $1 and repository_id = $2',
    [tx.tenantId, repositoryId],
  );
  return rows.map((row) => row.id);
}
