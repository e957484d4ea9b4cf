/**
 * Makes and writes identities of vulnerabilities other than those from reports. An identity is 128 bits of a digest, as
 * UUID text.
 */
import { hash } from 'node:crypto';
import { anchor } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { type RepositoryId, uuidOfDigest, type VulnerabilityId } from '../domain/ids.ts';

/** Returns the identity by which a split keeps the findings of one file apart from their former vulnerability. */
export function pinnedIdentity(identity: string, path: string): string {
  // The identity has a fixed length, so the rest is the path.
  return uuidOfDigest(hash('sha256', `pinned ${identity} ${path}`, 'hex'));
}

/**
 * Inserts identities that lead to their vulnerability from now on. `pinned` says that a person has split these findings
 * off.
 */
export async function insertIdentities(
  tx: Tx,
  repositoryId: RepositoryId,
  rows: { identity: string; vulnerabilityId: VulnerabilityId; pinned: boolean }[],
): Promise<void> {
  if (rows.length === 0) return;
  const { tenant, join } = anchor(tx);
  await tx.query(
    `insert into vulnerability_identity (tenant_id, repository_id, identity, vulnerability_id, pinned)
     select ${tenant}, $2, i.identity, i.id, i.pinned
       from unnest($3::uuid[], $4::uuid[], $5::boolean[]) as i (identity, id, pinned) ${join}
     on conflict (tenant_id, repository_id, identity) do update
        set vulnerability_id = excluded.vulnerability_id, pinned = excluded.pinned`,
    [
      tx.tenantId,
      repositoryId,
      rows.map((row) => row.identity),
      rows.map((row) => row.vulnerabilityId),
      rows.map((row) => row.pinned),
    ],
  );
}
