/** Identities of vulnerabilities beside those that reports give: digests, hex of 32 bytes. Makes and writes them. */
import { createHash } from 'node:crypto';
import type { Tx } from '../db/database.ts';

/** Of a vulnerability that is known by its places alone. */
export function ownIdentity(vulnerabilityId: string): string {
  return `${vulnerabilityId.replaceAll('-', '')}${'0'.repeat(32)}`;
}

/** Under which a person's split keeps the findings of one file apart from the vulnerability they were part of. */
export function pinnedIdentity(identity: string, path: string): string {
  // The identity has a fixed length: what follows it is the path.
  return createHash('sha256').update(`pinned ${identity} ${path}`).digest('hex');
}

/** Each leads to its vulnerability from now on; `pinned`: a person has split these findings off. */
export async function insertIdentities(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  rows: { identity: string; vulnerabilityId: string; pinned: boolean }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_identity (tenant_id, repository_id, identity, vulnerability_id, pinned)
     select $1, $2, i.identity, i.id, i.pinned from unnest($3::bytea[], $4::uuid[], $5::boolean[]) as i (identity, id, pinned)
     on conflict (tenant_id, repository_id, identity) do update
        set vulnerability_id = excluded.vulnerability_id, pinned = excluded.pinned`,
    [
      tenantId,
      repositoryId,
      rows.map((row) => `\\x${row.identity}`),
      rows.map((row) => row.vulnerabilityId),
      rows.map((row) => row.pinned),
    ],
  );
}
