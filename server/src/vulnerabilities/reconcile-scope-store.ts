/** SQL of the vulnerabilities that a change of references or of a repository affects. */
import type { Tx } from '../db/database.ts';
import { rowsByKey } from '../db/planner-hints.ts';
import type { ReferenceId, RepositoryId, VulnerabilityId } from '../domain/ids.ts';

/**
 * The vulnerabilities whose state depends on whether the reference is active: those that one of its series sees now,
 * also if they are suppressed in the source, and all that have been on the default branch (`default_branch_state`).
 */
export async function listDependentIds(tx: Tx, referenceId: ReferenceId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select r.vulnerability_id from vulnerability_reference r
      where r.tenant_id = $1 and r.reference_id = $2
        and (r.live or exists (select 1 from ${openLocations})
             or (select f.is_default from reference f where f.tenant_id = $1 and f.id = $2))`,
    [tx.tenantId, referenceId],
  );
  return rows.map((row) => row.vulnerability_id);
}

const openLocations = rowsByKey('vulnerability_location l', 'r.vulnerability_id', {
  column: 'vulnerability_id',
  next: 'reference_id',
  where: 'l.reference_id = $2 and l.fixed_at is null',
});

/** The references on which one of these vulnerabilities has or had a location. */
export async function listReferenceIds(tx: Tx, ids: VulnerabilityId[]): Promise<ReferenceId[]> {
  const rows = await tx.query<{ reference_id: ReferenceId }>(
    `select distinct reference_id from vulnerability_location
      where tenant_id = $1 and vulnerability_id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => row.reference_id);
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
