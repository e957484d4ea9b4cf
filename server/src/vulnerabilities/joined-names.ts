/**
 * The names under which findings were joined to a vulnerability, other than its own advisory. A decision covers the
 * names that were joined before it was made. A later name ends its override of policies, until an admin decides again
 * (`reconcile.ts`).
 */
import { insertRows } from '../db/bulk.ts';
import { readClock } from '../db/commit-watermark.ts';
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
  // A decision that has begun ends first. A later one waits for this transaction, and then finds another version.
  await tx.query(
    'select 1 from vulnerability where tenant_id = $1 and id = any($2::uuid[]) order by id for update',
    [tx.tenantId, rows.map((row) => row.vulnerabilityId)],
  );
  const now = await readClock(tx);
  const earliest = new Map<string, { vulnerability_id: VulnerabilityId; name: string; joined_at: Date }>();
  for (const { vulnerabilityId, name, learnedAt, trusted } of rows) {
    const key = `${vulnerabilityId} ${name}`;
    const joinedAt = trusted ? learnedAt : now;
    const before = earliest.get(key);
    if (before !== undefined && before.joined_at <= joinedAt) continue;
    earliest.set(key, { vulnerability_id: vulnerabilityId, name, joined_at: joinedAt });
  }
  const joined = await insertRows<{ vulnerability_id: VulnerabilityId }>(
    tx,
    'vulnerability_joined_name',
    [...earliest.values()],
    { conflict: '(tenant_id, vulnerability_id, name) do nothing', returning: 'vulnerability_id' },
  );
  return [...new Set(joined.map((row) => row.vulnerability_id))];
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
