/** SQL of reports that do not show all that their series sees. */

import type { Tx } from '../../db/database.ts';
import type { ScanId, SeriesId } from '../../domain/ids.ts';
import { sqlOtherReports } from '../scans/store.ts';

/** Other reports of the series that show the commit of this scan. */
export interface OtherReports {
  /** The name of one of their files; null if it was not given. */
  file_name: string | null;
  /** True if the newest run of one of the files did not succeed. */
  failed: boolean;
}

export async function findOtherReports(
  tx: Tx,
  seriesId: SeriesId,
  scanId: ScanId,
): Promise<OtherReports | null> {
  const [found] = await tx.query<OtherReports>(
    `select (array_agg(f.file_name order by f.id))[1] as file_name, bool_or(f.outcome <> 'succeeded') as failed
       from scan s cross join lateral (${sqlOtherReports('$2', 's')}) f
      where s.tenant_id = $1 and s.id = $3
     having count(*) > 0`,
    [tx.tenantId, seriesId, scanId],
  );
  return found ?? null;
}

/**
 * Finds the series of this category, of the same tool, reference and source, if the last report that it had was one of this
 * series too.
 */
export async function findSeriesBeside(
  tx: Tx,
  seriesId: SeriesId,
  category: string,
): Promise<SeriesId | null> {
  const [found] = await tx.query<{ id: SeriesId }>(
    `select o.id from scan_series t
       join scan_series o on o.tenant_id = $1 and o.reference_id = t.reference_id and o.tool = t.tool and o.category = $3
        and o.source = t.source and o.retired_at is null
       join series_scan c on c.tenant_id = $1 and c.scan_id = o.last_scan_id and c.series_id = t.id
      where t.tenant_id = $1 and t.id = $2`,
    [tx.tenantId, seriesId, category],
  );
  return found?.id ?? null;
}
