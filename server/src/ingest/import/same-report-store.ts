/** SQL of the scan that has shown the same report before, and of its series. */

import type { Tx } from '../../db/database.ts';
import type { ReferenceId, ScanId, SeriesId } from '../../domain/ids.ts';
import type { ImportCounts } from '../../domain/written-scan.ts';

/** The scan that showed the same. */
export interface SameReport {
  scanId: ScanId;
  format: string;
  tools: string[];
  counts: ImportCounts;
}

/**
 * Finds the scan that has shown the same as the waiting scan and is still the newest of all its series. Both came with
 * the same rights and parameters.
 */
export async function findSameReport(
  tx: Tx,
  scan: { id: ScanId; reference_id: ReferenceId },
  reader: string,
): Promise<SameReport | null> {
  const [found] = await tx.query<SameReport>(
    `select p.id as "scanId", p.format, p.tools, p.counts
       from (select distinct last_scan_id as id from scan_series where tenant_id = $1 and reference_id = $2) n
       join scan p on p.tenant_id = $1 and p.id = n.id
       join scan s on s.tenant_id = $1 and s.id = $3
      where p.status = 'completed' and p.content_digest = s.content_digest and p.requested_format = s.requested_format
        and p.category is not distinct from s.category and p.source is not distinct from s.source
        and p.file_name is not distinct from s.file_name
        and p.force = s.force and p.may_decide = s.may_decide and p.may_override_policy = s.may_override_policy
        and not p.partial and not s.partial and not s.dry_run and p.scanned_at <= s.scanned_at
        and p.warnings = '[]' and p.unreadable = '[]'
        and not exists (
              select 1 from series_scan c join scan_series t on t.tenant_id = $1 and t.id = c.series_id
               where c.tenant_id = $1 and c.scan_id = p.id
                 and (c.detached or c.outcome <> 'succeeded' or t.last_scan_id is distinct from p.id
                   or t.held_closure is not null or t.retired_at is not null or t.reader is distinct from $4))
      order by p.id desc limit 1`,
    [tx.tenantId, scan.reference_id, scan.id, reader],
  );
  return found ?? null;
}

export async function listSeriesOfScan(
  tx: Tx,
  scanId: ScanId,
): Promise<{ id: SeriesId; last_seq: number }[]> {
  return tx.query(
    `select t.id, t.last_seq from series_scan c join scan_series t on t.tenant_id = $1 and t.id = c.series_id
      where c.tenant_id = $1 and c.scan_id = $2 order by t.id`,
    [tx.tenantId, scanId],
  );
}
