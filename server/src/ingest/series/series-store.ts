/** SQL of series as people see them. */

import { Parameters, type Tx } from '../../db/database.ts';
import { separate } from '../../db/planner-hints.ts';
import type { ReferenceId, RepositoryId, ScanId, SeriesId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { ReferenceType } from '../../domain/reference-name.ts';
import { sqlHeldClosure } from '../import/held-closure-store.ts';
import type { ObservationRow } from '../import/observation-store.ts';

export interface SeriesDetailRow {
  id: SeriesId;
  repository_id: RepositoryId;
  repository_full_name: string;
  reference_id: ReferenceId;
  full_ref: string;
  reference_type: ReferenceType;
  reference_sha: string | null;
  reference_active: boolean;
  tool: string;
  category: string;
  /** Null if files share the series. */
  file_name: string | null;
  source: Source;
  last_seq: number;
  last_scan_id: ScanId | null;
  last_scanned_at: Date | null;
  held_scan_id: ScanId | null;
  held: number;
  retired_at: Date | null;
  replaced_by: SeriesId | null;
}

const columns = `s.id, s.repository_id, r.full_name as repository_full_name, s.reference_id, f.full_ref,
  f.type as reference_type, f.head_sha as reference_sha, f.active as reference_active, s.tool, s.category, nullif(s.file_name, '') as file_name, s.source,
  s.last_seq, s.last_scan_id, s.last_scanned_at, s.held_scan_id, s.retired_at, s.replaced_by,
  (select count(*)::int from (${sqlHeldClosure('s.id', 's.reference_id')}) h) as held`;

const joins = `join repository r on r.tenant_id = $1 and r.id = s.repository_id
  join reference f on f.tenant_id = $1 and f.id = s.reference_id`;

export async function findSeries(tx: Tx, id: SeriesId): Promise<SeriesDetailRow | undefined> {
  const [row] = await tx.query<SeriesDetailRow>(
    `select ${columns} from scan_series s ${joins} where s.tenant_id = $1 and s.id = $2`,
    [tx.tenantId, id],
  );
  return row;
}

export interface SeriesFilter {
  repositoryId?: RepositoryId | undefined;
  /** Only series that this scan fed. The fields below are then ignored. */
  scanId?: ScanId | undefined;
  /** Only series for which the mass-closure check holds something. */
  held?: boolean;
  /** Only series that another one has replaced, and that are not retired. */
  replaced?: boolean;
  /** Only series of active references without a report since then. */
  staleBefore?: Date | undefined;
}

/** Lists series in the order in which they were first seen. */
export async function listScanSeries(
  tx: Tx,
  filter: SeriesFilter,
  afterId: SeriesId | null,
  limit: number,
): Promise<SeriesDetailRow[]> {
  const { values, add } = new Parameters(tx.tenantId);
  const source = sourceOf(filter, add);
  const conditions = ['s.tenant_id = $1'];
  if (filter.repositoryId !== undefined) conditions.push(`s.repository_id = ${add(filter.repositoryId)}`);
  if (afterId !== null) conditions.push(`s.id > ${add(afterId)}`);
  return tx.query<SeriesDetailRow>(
    `select ${columns} from ${source} ${joins} where ${conditions.join(' and ')} order by s.id limit ${add(limit)}`,
    values,
  );
}

/**
 * SQL of the series `s` of active references that have had no report since the time `before`, and are not retired.
 * Stale series are searched from the active references: inactive ones have many series that get no reports any more.
 */
export const sqlStaleSeries = (before: string): string =>
  `(select id from reference where tenant_id = $1 and tracked and active
             union all
             select id from reference where tenant_id = $1 and active and not tracked) a
      cross join lateral ${separate(`select * from scan_series s
              where s.tenant_id = $1 and s.reference_id = a.id and s.retired_at is null and s.last_scanned_at < ${before}`)} s`;

/** SQL of the series `s` with a held closure. They are few and have an index. */
export const sqlHeldSeries = `(select distinct series_id from location_observation where tenant_id = $1 and held) h
       join scan_series s on s.tenant_id = $1 and s.id = h.series_id and s.held_scan_id is not null`;

function sourceOf(
  { scanId, held, replaced, staleBefore }: SeriesFilter,
  add: (value: unknown) => string,
): string {
  if (scanId !== undefined) {
    return `(select series_id from series_scan where tenant_id = $1 and scan_id = ${add(scanId)}) c
       join scan_series s on s.tenant_id = $1 and s.id = c.series_id`;
  }
  if (held) return sqlHeldSeries;
  if (replaced)
    return '(select * from scan_series where tenant_id = $1 and replaced_by is not null and retired_at is null) s';
  return staleBefore ? sqlStaleSeries(add(staleBefore)) : 'scan_series s';
}

/** Lists the open observations of the series, or only the held ones. */
export async function listObservations(
  tx: Tx,
  seriesId: SeriesId,
  { held }: { held: boolean },
): Promise<ObservationRow[]> {
  return tx.query<ObservationRow>(
    `select location_id, vulnerability_id, key from location_observation
      where tenant_id = $1 and series_id = $2 and until_seq is null ${held ? 'and held' : ''}`,
    [tx.tenantId, seriesId],
  );
}

/** Returns the number of the scan that did not show the held observations. */
export async function getHeldSeq(tx: Tx, seriesId: SeriesId): Promise<number> {
  const [row] = await tx.query<{ seq: number }>(
    `select c.seq from scan_series s join series_scan c
       on c.tenant_id = $1 and c.series_id = s.id and c.scan_id = s.held_scan_id
      where s.tenant_id = $1 and s.id = $2`,
    [tx.tenantId, seriesId],
  );
  if (!row) throw new Error('nothing is held');
  return row.seq;
}

export async function setRetired(tx: Tx, seriesId: SeriesId): Promise<void> {
  const values = [tx.tenantId, seriesId];
  await tx.query(
    // Its packages are deleted, so a later report that lists the same ones writes them again. It sees nothing, so a run
    // that fails and makes it active again leaves it unproven.
    `update scan_series set retired_at = now(), replaced_by = null, inventory_digest = null, succeeded_at = null,
            updated_at = now()
      where tenant_id = $1 and id = $2`,
    values,
  );
  await tx.query(
    // If the series is retired again without a scan in between, it has seen nothing since the first time.
    `update series_scan c set series_retired_at = now() from scan_series s
      where s.tenant_id = $1 and s.id = $2 and c.tenant_id = $1 and c.series_id = s.id and c.seq = s.last_seq
        and c.series_retired_at is null`,
    values,
  );
}
