/** A reference has no verdict while one of its series of scans has never succeeded: its findings are unknown. */
import type { Tx } from '../../../db/database.ts';

/** Gives the references that have a series of scans, not retired, without any successful run. */
export async function listUnproven(tx: Tx, tenantId: string, referenceIds: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ reference_id: string }>(
    `select distinct reference_id from stream
      where tenant_id = $1 and reference_id = any($2::uuid[]) and last_seq > 0 and succeeded_at is null
        and retired_at is null`,
    [tenantId, referenceIds],
  );
  return new Set(rows.map((row) => row.reference_id));
}
