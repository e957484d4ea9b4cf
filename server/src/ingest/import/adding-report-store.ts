/** SQL of reports that do not show all that their series sees. */

import type { Tx } from '../../db/database.ts';
import type { ScanId, SeriesId } from '../../domain/ids.ts';
import { sqlIsUnsuccessful, sqlSameCommit } from '../scans/store.ts';

/** The reports in which other files have shown the series the commit of a scan. */
export interface OtherReports {
  /** The name of the first file with a complete report; null if none was given. */
  file_name: string | null;
  /** True if one of them is complete. */
  is_complete: boolean;
  /** True if the newest complete run of one of the files did not succeed, or its newest run if all are partial. */
  is_failed: boolean;
}

/** A file name that is not given is one of its own. */
export async function findOtherReports(tx: Tx, seriesId: SeriesId, scanId: ScanId): Promise<OtherReports> {
  const [found] = await tx.query<OtherReports>(
    `select (array_agg(f.file_name order by f.id) filter (where not f.partial))[1] as file_name,
            coalesce(bool_or(not f.partial), false) as is_complete,
            coalesce(bool_or(${sqlIsUnsuccessful('f.outcome', 'f.partial')}), false) as is_failed
       from (select distinct on (o.file_name) o.id, o.file_name, o.partial, b.outcome
               from scan s
               join scan o on o.tenant_id = $1 and ${sqlSameCommit('o.sha', 's.sha')} and o.file_name is distinct from s.file_name
               join series_scan b on b.tenant_id = $1 and b.scan_id = o.id and b.series_id = $2 and not b.late
              where s.tenant_id = $1 and s.id = $3
              order by o.file_name, o.partial, b.seq desc) f`,
    [tx.tenantId, seriesId, scanId],
  );
  if (!found) throw new Error('an aggregate returned nothing');
  return found;
}

/**
 * Finds the series of this category, of the same tool, reference and source, if the last report that it had was one of
 * this series too, in a file of the same name as that of the scan.
 */
export async function findSeriesBeside(
  tx: Tx,
  seriesId: SeriesId,
  scanId: ScanId,
  category: string,
): Promise<SeriesId | null> {
  const [found] = await tx.query<{ id: SeriesId }>(
    `select o.id from scan_series t
       join scan_series o on o.tenant_id = $1 and o.reference_id = t.reference_id and o.tool = t.tool and o.category = $3
        and o.source = t.source and o.file_name = t.file_name and o.retired_at is null
       join series_scan c on c.tenant_id = $1 and c.scan_id = o.last_scan_id and c.series_id = t.id
       join scan l on l.tenant_id = $1 and l.id = o.last_scan_id
       join scan s on s.tenant_id = $1 and s.id = $4 and s.file_name is not distinct from l.file_name
      where t.tenant_id = $1 and t.id = $2`,
    [tx.tenantId, seriesId, category, scanId],
  );
  return found?.id ?? null;
}
