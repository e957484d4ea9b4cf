/** Deletes old scans that are no evidence of anything any more. */
import { type Database, importTx } from '../db/database.ts';
import type { TenantId } from '../domain/ids.ts';

const atOnce = 5000;

/**
 * Deletes final scans from before `before`, in transactions of some thousand, and returns their number. The newest of
 * each reference stay, those to which a series stands, and those that have first or last shown a location that is
 * stored. A gate that asks for the commit of a deleted scan finds none.
 */
export async function deleteOldScans(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  for (let deleted = 0; ; ) {
    const batch = await importTx(db, tenantId, async (tx) => {
      const rows = await tx.query<{ id: string }>(
        `delete from scan where tenant_id = $1 and id in (
           select s.id from scan s
            where s.tenant_id = $1 and s.created_at < $2 and s.status in ('completed', 'failed', 'canceled')
              and exists (select 1 from scan n
                           where n.tenant_id = $1 and n.reference_id = s.reference_id and n.id > s.id)
              and not exists (select 1 from scan_series t
                               where t.tenant_id = $1 and s.id in (t.last_scan_id, t.held_scan_id))
              and not exists (select 1 from manifest_package m where m.tenant_id = $1 and m.since_scan_id = s.id)
              and not exists (select 1 from vex_statement x where x.tenant_id = $1 and x.scan_id = s.id)
              and not exists (select 1 from advisory_alias a where a.tenant_id = $1 and a.scan_id = s.id)
              and not exists (select 1 from series_scan c
                                join location_observation o
                                  on o.tenant_id = $1 and o.series_id = c.series_id and o.since_seq = c.seq
                               where c.tenant_id = $1 and c.scan_id = s.id)
              and not exists (select 1 from series_scan c
                                join location_observation o
                                  on o.tenant_id = $1 and o.series_id = c.series_id and o.until_seq = c.seq
                               where c.tenant_id = $1 and c.scan_id = s.id)
            order by s.id limit ${atOnce})
         returning id`,
        [tenantId, before],
      );
      const ids = rows.map(({ id }) => id);
      await tx.query('delete from series_scan where tenant_id = $1 and scan_id = any($2::uuid[])', [
        tenantId,
        ids,
      ]);
      return ids.length;
    });
    deleted += batch;
    if (batch < atOnce) return deleted;
  }
}
