/** A reference has no verdict while one of its series has never succeeded, because its findings are unknown. */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId } from '../../domain/ids.ts';

/** SQL: the reference has a series of scans, not retired, without any successful run. */
export function unproven(reference: string): string {
  return `exists (select 1 from scan_series u
                   where u.tenant_id = $1 and u.reference_id = ${reference} and u.last_seq > 0
                     and u.succeeded_at is null and u.retired_at is null)`;
}

export async function isUnproven(tx: Tx, referenceId: ReferenceId): Promise<boolean> {
  const [row] = await tx.query<{ yes: boolean }>(`select ${unproven('$2')} as yes`, [
    tx.tenantId,
    referenceId,
  ]);
  return row?.yes ?? false;
}
