/**
 * The names under which findings were joined to a vulnerability, other than its own advisory. A decision covers the
 * names that were joined before it was made. A later name ends its override of policies, until an admin decides again
 * (`reconcile.ts`).
 */
import { anchor } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import type { VulnerabilityId } from '../domain/ids.ts';

export interface JoinedName {
  vulnerabilityId: VulnerabilityId;
  name: string;
  learnedAt: Date;
  /** True if the key that taught the name may decide where a policy blocks. */
  trusted: boolean;
}

/**
 * Notes since when these names join. A trusted name counts as joined since it was learned, and any other name from now
 * on. A name that has joined before keeps its time. Returns the vulnerabilities that a new name joins.
 */
export async function insertJoinedNames(tx: Tx, rows: JoinedName[]): Promise<VulnerabilityId[]> {
  if (rows.length === 0) return [];
  const now = new Date();
  const { tenant, join } = anchor(tx);
  const joined = await tx.query<{ id: VulnerabilityId }>(
    `insert into vulnerability_joined_name (tenant_id, vulnerability_id, name, joined_at)
     select ${tenant}, j.id, j.name, min(j.at)
       from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as j (id, name, at) ${join}
      group by ${tenant}, j.id, j.name
     on conflict (tenant_id, vulnerability_id, name) do nothing returning vulnerability_id as id`,
    [
      tx.tenantId,
      rows.map((row) => row.vulnerabilityId),
      rows.map((row) => row.name),
      rows.map((row) => (row.trusted ? row.learnedAt : now)),
    ],
  );
  return [...new Set(joined.map((row) => row.id))];
}

/** SQL for the time when the newest name was joined to the vulnerability; null if there is none. */
export function newestJoinedAt(vulnerability: string): string {
  return `(select max(j.joined_at) from vulnerability_joined_name j
            where j.tenant_id = $1 and j.vulnerability_id = ${vulnerability})`;
}

export interface JoinedNameRow {
  name: string;
  joined_at: Date;
}

export async function listJoinedNames(tx: Tx, id: VulnerabilityId): Promise<JoinedNameRow[]> {
  return tx.query<JoinedNameRow>(
    `select name, joined_at from vulnerability_joined_name where tenant_id = $1 and vulnerability_id = $2 order by name`,
    [tx.tenantId, id],
  );
}
