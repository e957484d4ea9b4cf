/** Deletes counters that are zero. A change writes such a row again, so nothing but their space is lost. */
import { type Database, tenantTx } from '../db/database.ts';
import type { TenantId } from '../domain/ids.ts';
import { severities } from '../domain/packed-state.ts';

const atOnce = 5000;

/** The tables of counters, with the SQL that is true for a row without a count. */
const counters = {
  vulnerability_count: 'count = 0',
  open_group: severities.map((severity) => `${severity} = 0`).join(' and '),
};

/**
 * References that were emptied, and packages and rules that are gone, leave such rows. The transactions are short, and
 * they pass over rows that others hold, so that no deadlock with the commit of an import is possible.
 */
export async function deleteZeroCounters(db: Database, tenantId: TenantId): Promise<void> {
  for (const [table, isZero] of Object.entries(counters)) {
    for (let deleted = atOnce; deleted === atOnce; ) {
      const rows = await tenantTx(db, tenantId, (tx) =>
        tx.query(
          `delete from ${table} where tenant_id = $1 and ctid = any(array(
             select ctid from ${table} where tenant_id = $1 and ${isZero} limit ${atOnce} for update skip locked)) returning 1`,
          [tx.tenantId],
        ),
      );
      deleted = rows.length;
    }
  }
}
