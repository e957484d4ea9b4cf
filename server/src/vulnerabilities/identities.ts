/**
 * Makes and writes identities of vulnerabilities other than those from reports. An identity is 128 bits of a digest, as
 * UUID text.
 */
import { hash } from 'node:crypto';
import { insertRows, replacing } from '../db/bulk.ts';
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
  await insertRows(
    tx,
    'vulnerability_identity',
    rows.map(({ identity, vulnerabilityId, pinned }) => ({
      identity,
      repository_id: repositoryId,
      vulnerability_id: vulnerabilityId,
      pinned,
    })),
    { conflict: replacing(['repository_id', 'identity'], ['vulnerability_id', 'pinned']) },
  );
}

/** Inserts the identities under which reports show vulnerabilities, other than their own. */
export async function addIdentities(
  tx: Tx,
  repositoryId: RepositoryId,
  vulnerabilities: ReadonlyMap<string, VulnerabilityId>,
): Promise<void> {
  const rows = [...vulnerabilities].map(([identity, vulnerabilityId]) => ({
    identity,
    vulnerabilityId,
    pinned: false,
  }));
  await insertIdentities(tx, repositoryId, rows);
}
