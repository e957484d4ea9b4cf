/** SQL of the rows of series: an import gets, updates and replaces them. */

import type { Tx } from '../../db/database.ts';
import {
  type AssetId,
  newId,
  type ReferenceId,
  type RepositoryId,
  type ScanId,
  type SeriesId,
} from '../../domain/ids.ts';
import type { Source, VulnerabilityType } from '../../domain/packed-state.ts';
import type { RunOutcome } from '../../parsers/report.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import { sqlSameCommit } from '../scans/store.ts';
import type { ImportContext } from './import-context.ts';

/** The coverage of a series, which policies use. */
export interface ScanCoverage {
  /** The types of problems that the series looks for, in the order of `types`. */
  analysis_types: VulnerabilityType[];
  /** The image that the series scanned last. */
  asset_id: AssetId | null;
  asset_tag: string | null;
}

export interface SeriesRow extends ScanCoverage {
  id: SeriesId;
  last_seq: number;
  last_scanned_at: Date | null;
  held_closure: string | null;
  inventory_digest: string | null;
  /** '' if files share the series. */
  file_name: string;
}

export async function upsertSeries(
  tx: Tx,
  series: {
    repositoryId: RepositoryId;
    referenceId: ReferenceId;
    tool: string;
    category: string;
    source: Source;
    /** '' if files share the series. */
    fileName: string;
  },
): Promise<SeriesRow> {
  const [row] = await tx.query<SeriesRow>(
    `insert into scan_series as s (tenant_id, id, repository_id, reference_id, tool, category, source, file_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, reference_id, tool, category, source, file_name) do update set updated_at = excluded.updated_at, retired_at = null
     returning s.id, s.last_seq, s.last_scanned_at, s.held_closure, s.inventory_digest, s.file_name,
               s.analysis_types::text[], s.asset_id, s.asset_tag`,
    [
      tx.tenantId,
      newId(),
      series.repositoryId,
      series.referenceId,
      series.tool,
      series.category,
      series.source,
      series.fileName,
    ],
  );
  if (!row) throw new Error('an upsert returned nothing');
  return row;
}

/**
 * `scannedAt` and `scanId` are null for a late report, so that the newest report stays the newest. `succeededAt` is
 * null if the run is late or did not succeed. `held` is the digest of the closure that the mass-closure check holds
 * now, and `coverage` the scan coverage; either stays unchanged if it is not given. The same closure stays that of the
 * scan for which it was held first.
 */
export async function updateSeries(
  tx: Tx,
  seriesId: SeriesId,
  to: {
    seq: number;
    scannedAt: Date | null;
    scanId: ScanId | null;
    succeededAt: Date | null;
    /** Digest of the reader of the report; null if the next import must read the same bytes again. */
    reader: string | null;
    held?: string | null;
    coverage?: ScanCoverage;
  },
): Promise<void> {
  const { held, coverage } = to;
  await tx.query(
    `update scan_series set last_seq = $3, last_scanned_at = coalesce($4, last_scanned_at),
            last_scan_id = coalesce($5, last_scan_id), held_closure = case when $6 then $7::uuid else held_closure end,
            held_scan_id = case when not $6 or $7::uuid = held_closure then held_scan_id
                                when $7::uuid is not null then $5::uuid end,
            analysis_types = coalesce($8::text[], analysis_types),
            asset_id = case when $8 is null then asset_id else $9::uuid end,
            asset_tag = case when $8 is null then asset_tag else $10 end,
            succeeded_at = coalesce($11, succeeded_at), replaced_by = null,
            reader = case when $5::uuid is null then reader else $12::uuid end,
            updated_at = now()
      where tenant_id = $1 and id = $2`,
    [
      ...[tx.tenantId, seriesId, to.seq, to.scannedAt, to.scanId, held !== undefined, held ?? null],
      ...[
        coverage?.analysis_types ?? null,
        coverage?.asset_id ?? null,
        coverage?.asset_tag ?? null,
        to.succeededAt,
        to.reader,
      ],
    ],
  );
}

export async function insertSeriesScan(
  tx: Tx,
  row: {
    scanId: ScanId;
    seriesId: SeriesId;
    seq: number;
    detached: boolean;
    late: boolean;
    outcome: RunOutcome;
  },
): Promise<void> {
  await tx.query(
    `insert into series_scan (tenant_id, scan_id, series_id, seq, detached, late, outcome)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tx.tenantId, row.scanId, row.seriesId, row.seq, row.detached, row.late, row.outcome],
  );
}

/**
 * Lists the series of the run's tool and category that see something on the reference now: that of its file, and the
 * shared one.
 */
export async function listSeeingSeries(
  tx: Tx,
  { reference, fileName }: Pick<ImportContext, 'reference' | 'fileName'>,
  { tool, category }: Pick<PreparedRun, 'tool' | 'category'>,
): Promise<{ source: Source; file_name: string }[]> {
  return tx.query(
    `select s.source, s.file_name from scan_series s
      where s.tenant_id = $1 and s.reference_id = $2 and s.tool = $3 and s.category = $4 and s.file_name in ('', $5)
        and exists (select 1 from location_observation g
                     where g.tenant_id = $1 and g.series_id = s.id and g.until_seq is null)`,
    [tx.tenantId, reference.id, tool, category, fileName ?? ''],
  );
}

// A reference with more series of one tool has one series for each of its modules.
const comparedSeries = 20;

/**
 * Marks the other series of the tool on the reference of which this one sees more than half, but for `left`, and for
 * those of its category whose last scan was of the commit `sha`. Returns those.
 */
export async function updateReplaced(
  tx: Tx,
  referenceId: ReferenceId,
  seriesId: SeriesId,
  tool: string,
  { sha, left }: { sha: string | null; left: SeriesId | null },
): Promise<{ id: SeriesId; category: string; file_name: string }[]> {
  return tx.query(
    `with other as (
       select o.id from scan_series o
         join scan_series mine on mine.tenant_id = $1 and mine.id = $2
        where o.tenant_id = $1 and o.reference_id = $3 and o.tool = $4 and o.source = mine.source and o.id <> $2 and o.id is distinct from $6
          and o.retired_at is null and not (o.category = mine.category and exists (
            select from scan l where l.tenant_id = $1 and l.id = o.last_scan_id and ${sqlSameCommit('l.sha', '$5::text')}))
        order by o.last_scanned_at desc, o.id desc limit ${comparedSeries}),
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
     returning s.id, s.category, s.file_name`,
    [tx.tenantId, seriesId, referenceId, tool, sha, left],
  );
}
