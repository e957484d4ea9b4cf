/** Deletes old scans that prove nothing any more. */
import { type Database, importTx, tenantReadTx } from '../db/database.ts';
import type { TenantId } from '../domain/ids.ts';
import { sqlReplaces } from '../ingest/scans/store.ts';

/**
 * Deletes completed scans from before `before`, in a transaction for each reference, and returns their number. No
 * verdict may change. These scans therefore stay: the newest of a reference; those that a series currently shows, and its
 * newest complete one; the first and the last one of each stored observation; failed and late scans, all others of their
 * commit, and the newest one that replaces a failed scan; those of a base commit, and the first that named that base.
 */
export async function deleteOldScans(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  const references = await tenantReadTx(db, tenantId, (tx) =>
    tx.query<{ id: string }>(
      `select distinct reference_id as id from scan where tenant_id = $1 and created_at < $2 and status = 'completed'`,
      [tenantId, before],
    ),
  );
  let deleted = 0;
  for (const { id } of references) {
    deleted += await importTx(db, tenantId, async (tx) => {
      const rows = await tx.query<{ id: string }>(deleteOfReference, [tenantId, id, before]);
      await tx.query('delete from series_scan where tenant_id = $1 and scan_id = any($2::uuid[])', [
        tenantId,
        rows.map((row) => row.id),
      ]);
      return rows.length;
    });
  }
  return deleted;
}

/** SQL: true if no observation of the series of scan `s` begins or ends with this scan. */
const endsNothing = (column: 'since_seq' | 'until_seq'): string =>
  `not exists (select 1 from series_scan c
                 join location_observation o
                   on o.tenant_id = $1 and o.series_id = c.series_id and o.${column} = c.seq
                where c.tenant_id = $1 and c.scan_id = s.id)`;

/** SQL: true if no `base_sha` in the table is the commit of scan `s`. Either may be abbreviated. */
const isBaseOfNone = (table: 'reference' | 'scan'): string =>
  `not exists (select 1 from ${table} b where b.tenant_id = $1 and b.repository_id = s.repository_id
                  and left(b.base_sha, 7) = left(s.sha, 7))`;

const deleteOfReference = `
  with replacing as materialized (
    select n.id from scan f
     cross join lateral (
       select n.id from scan n where n.tenant_id = $1 and n.reference_id = $2 and ${sqlReplaces('n', 'f')}
        order by n.id desc limit 1) n
     where f.tenant_id = $1 and f.reference_id = $2 and f.status = 'failed' and not f.dry_run),
  newest_complete as materialized (
    select c.scan_id as id from scan_series t
     cross join lateral (
       select c.scan_id from series_scan c
         join scan x on x.tenant_id = $1 and x.id = c.scan_id
        where c.tenant_id = $1 and c.series_id = t.id and not x.partial and (not c.detached or c.outcome <> 'succeeded')
        order by c.seq desc limit 1) c
     where t.tenant_id = $1 and t.reference_id = $2),
  old as materialized (
    select s.id, left(s.sha, 7) as sha from scan s
     where s.tenant_id = $1 and s.reference_id = $2 and s.created_at < $3 and s.status = 'completed'
       and exists (select 1 from scan n where n.tenant_id = $1 and n.reference_id = $2 and n.id > s.id)
       and not exists (select 1 from scan_series t
                        where t.tenant_id = $1 and s.id in (t.last_scan_id, t.held_scan_id))
       and s.id not in (select id from replacing union all select id from newest_complete)
       and not exists (select 1 from series_scan c
                        where c.tenant_id = $1 and c.scan_id = s.id and (c.outcome <> 'succeeded' or c.late))
       and not exists (select 1 from manifest_package m where m.tenant_id = $1 and m.since_scan_id = s.id)
       and not exists (select 1 from vex_statement x where x.tenant_id = $1 and x.scan_id = s.id)
       and not exists (select 1 from advisory_alias a where a.tenant_id = $1 and a.scan_id = s.id)
       and ${endsNothing('since_seq')} and ${endsNothing('until_seq')}
       and ${isBaseOfNone('reference')} and ${isBaseOfNone('scan')}
       and (s.base_sha is null or exists (
             select 1 from scan p where p.tenant_id = $1 and p.reference_id = $2 and p.base_sha = s.base_sha
                and p.status = 'completed' and not p.dry_run and not p.partial and p.id < s.id)))
  delete from scan where tenant_id = $1 and id in (
    select o.id from old o
     where not exists (select 1 from scan x where x.tenant_id = $1 and x.reference_id = $2
                          and left(x.sha, 7) = o.sha and x.id not in (select id from old)))
  returning id`;
