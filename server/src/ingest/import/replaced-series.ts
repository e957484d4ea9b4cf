/**
 * A series whose category has changed gets no more scans, and nothing closes its findings. If a new series sees most of
 * the same findings, the old one is marked as replaced, until it has a scan again. A person then retires it.
 */
import type { Tx } from '../../db/database.ts';
import { formatId, type ReferenceId, type SeriesId } from '../../domain/ids.ts';
import type { SeriesRow } from './import-store.ts';

// A reference with more series of one tool has one series for each of its modules.
const comparedSeries = 20;

/** Marks the series that the new one replaces. Returns a warning for each. */
export async function markReplaced(
  tx: Tx,
  referenceId: ReferenceId,
  series: SeriesRow,
  tool: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: SeriesId; category: string }>(
    `with other as (
       select o.id from scan_series o
         join scan_series mine on mine.tenant_id = $1 and mine.id = $2
        where o.tenant_id = $1 and o.reference_id = $3 and o.tool = $4 and o.source = mine.source and o.id <> $2
          and o.retired_at is null
        order by o.last_scanned_at desc limit ${comparedSeries}),
     seen as materialized (
       select distinct vulnerability_id from location_observation
        where tenant_id = $1 and series_id = $2 and until_seq is null),
     shared as (
       select series_id, count(*) as known, count(seen.vulnerability_id) as seen
         from (select distinct series_id, vulnerability_id from location_observation
                where tenant_id = $1 and series_id in (select id from other) and until_seq is null) old
         left join seen using (vulnerability_id)
        group by series_id)
     update scan_series s set replaced_by = $2, updated_at = now()
       from shared where s.tenant_id = $1 and s.id = shared.series_id and shared.seen * 2 > shared.known
     returning s.id, s.category`,
    [tx.tenantId, series.id, referenceId, tool],
  );
  return rows.map(
    ({ id, category }) =>
      `This report begins a new series of ${tool}, which sees most of what the series ${JSON.stringify(category)} sees. What only that one saw stays open. If it gets no more reports, retire it: merlon series retire ${formatId('series', id)}`,
  );
}
