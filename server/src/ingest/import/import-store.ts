/** SQL of an import around its series: it compares, holds and closes observations. */

import { changedNow, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import {
  type AssetId,
  type LocationId,
  newId,
  type ReferenceId,
  type RepositoryId,
  type ScanId,
  type SeriesId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import type { Severity, Source, VulnerabilityType } from '../../domain/packed-state.ts';
import type { RunOutcome } from '../../parsers/report.ts';
import type { AssetType } from '../../policies/definition/facts.ts';
import { sqlAllIds, sqlRule } from '../../vulnerabilities/identifiers.ts';
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
 * now, and `coverage` the scan coverage; either stays unchanged if it is not given.
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
            held_scan_id = case when not $6 then held_scan_id when $7::uuid is not null then $5::uuid end,
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

/** An observation of a location that the series has now, or had until now. */
export interface ObservationRow {
  location_id: LocationId;
  vulnerability_id: VulnerabilityId;
  key: string;
}

/** Lists the series of the run's tool and category that see something on the reference now: that of its file, and the shared one. */
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

/** Counts the vulnerabilities that the series sees now. */
export async function countLive(tx: Tx, seriesId: SeriesId): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(distinct vulnerability_id)::int as n from location_observation
      where tenant_id = $1 and series_id = $2 and until_seq is null`,
    [tx.tenantId, seriesId],
  );
  return row?.n ?? 0;
}

/** Counts the vulnerabilities that a partial or late scan saw, by its detached observations. */
export async function countDetached(tx: Tx, seriesId: SeriesId, seq: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(distinct vulnerability_id)::int as n from location_observation
      where tenant_id = $1 and series_id = $2 and until_seq = $3 + 1 and detached`,
    [tx.tenantId, seriesId, seq],
  );
  return row?.n ?? 0;
}

/** Lists the keys under which the series sees these vulnerabilities now, with the titles of those. */
export async function listOpenKeys(
  tx: Tx,
  seriesId: SeriesId,
  vulnerabilityIds: VulnerabilityId[],
): Promise<{ vulnerability_id: VulnerabilityId; key: string; since_seq: number; title: string }[]> {
  return tx.query(
    `select g.vulnerability_id, g.key, g.since_seq, v.title from location_observation g
      cross join lateral ${rowByKey('vulnerability v', 'g.vulnerability_id')}
      where g.tenant_id = $1 and g.series_id = $2 and g.until_seq is null and g.vulnerability_id = any($3::uuid[])`,
    [tx.tenantId, seriesId, vulnerabilityIds],
  );
}

/** Returns key → the vulnerability that the series sees now under it. */
export async function findByKeys(
  tx: Tx,
  seriesId: SeriesId,
  keys: string[],
): Promise<Map<string, VulnerabilityId>> {
  const rows = await tx.query<{ key: string; vulnerability_id: VulnerabilityId }>(
    `select key, vulnerability_id from location_observation
      where tenant_id = $1 and series_id = $2 and until_seq is null and key = any($3::uuid[])`,
    [tx.tenantId, seriesId, keys],
  );
  return new Map(rows.map((row) => [row.key, row.vulnerability_id]));
}

/**
 * Finds those of these locations that any series sees now. The series' own observations of `exceptKeys` do not count.
 */
export async function findSeenLocations(
  tx: Tx,
  locationIds: LocationId[],
  seriesId: SeriesId,
  exceptKeys: string[],
): Promise<{ location_id: LocationId; mine: boolean }[]> {
  return tx.query(
    `select location_id, bool_or(series_id = $3) as mine from location_observation
      where tenant_id = $1 and location_id = any($2::uuid[]) and until_seq is null
        and not (series_id = $3 and key = any($4::uuid[]))
      group by location_id`,
    [tx.tenantId, locationIds, seriesId, exceptKeys],
  );
}

/** Finds those of these locations that a series of one file, of the same tool, category and reference, sees now unsuppressed. */
export async function listSeenByFiles(
  tx: Tx,
  seriesId: SeriesId,
  locationIds: LocationId[],
): Promise<Set<LocationId>> {
  const rows = await tx.query<{ location_id: LocationId }>(
    `select distinct o.location_id from scan_series mine
       join scan_series s on s.tenant_id = $1 and s.reference_id = mine.reference_id and s.tool = mine.tool
        and s.category = mine.category and s.source = mine.source and s.file_name <> ''
       join location_observation o on o.tenant_id = $1 and o.series_id = s.id
      where mine.tenant_id = $1 and mine.id = $2 and o.location_id = any($3::uuid[]) and o.until_seq is null
        and not o.suppressed`,
    [tx.tenantId, seriesId, locationIds],
  );
  return new Set(rows.map((row) => row.location_id));
}

/**
 * Finds those of these locations that a series of the same tool and category sees now on a tracked reference, or on the base
 * of the reference if a key that may override policies has named it.
 */
export async function findSeenByCounterparts(
  tx: Tx,
  locationIds: LocationId[],
  seriesId: SeriesId,
): Promise<Set<LocationId>> {
  if (locationIds.length === 0) return new Set();
  const rows = await tx.query<{ location_id: LocationId }>(
    `select distinct o.location_id
       from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowsByKey('location_observation o', 'k.id', {
        column: 'location_id',
        where: 'o.until_seq is null',
      })}
       join scan_series s on s.tenant_id = $1 and s.id = o.series_id and s.retired_at is null
       join reference f on f.tenant_id = $1 and f.id = s.reference_id
       join scan_series mine on mine.tenant_id = $1 and mine.id = $3
       join reference r on r.tenant_id = $1 and r.id = mine.reference_id
      where (f.tracked or (r.base_approved and f.full_ref = r.base_ref)) and s.tool = mine.tool and s.category = mine.category and s.source = mine.source`,
    [tx.tenantId, locationIds, seriesId],
  );
  return new Set(rows.map((row) => row.location_id));
}

/**
 * Returns those of the vulnerabilities that the series sees on the reference now. Its observations of `exceptKeys` do not
 * count.
 */
export async function listShown(
  tx: Tx,
  { referenceId, seriesId }: { referenceId: ReferenceId; seriesId: SeriesId },
  vulnerabilityIds: VulnerabilityId[],
  exceptKeys: string[],
): Promise<Set<VulnerabilityId>> {
  if (vulnerabilityIds.length === 0) return new Set();
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `select distinct k.id from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowsByKey('vulnerability_location l', 'k.id', {
        column: 'vulnerability_id',
        next: 'reference_id',
        where: 'l.reference_id = $3',
      })}
      cross join lateral ${rowsByKey('location_observation g', 'l.id', { column: 'location_id' })}
      where g.series_id = $4 and g.until_seq is null and not (g.key = any($5::uuid[]))`,
    [tx.tenantId, vulnerabilityIds, referenceId, seriesId, exceptKeys],
  );
  return new Set(rows.map((row) => row.id));
}

/** The fields of a location that gaps of a report are compared with. */
export interface GapFields {
  id: LocationId;
  path: string;
  /** Null for packages and secrets, whose rule is in the vulnerability alone. */
  rule_key: string | null;
  rule: string;
  package: string | null;
  /** All ids, its advisory included. */
  identifiers: string[];
  /** The severity that the series has reported. */
  severity: Severity | null;
  packed_state: number;
}

export async function listGapFields(
  tx: Tx,
  seriesId: SeriesId,
  locationIds: LocationId[],
): Promise<GapFields[]> {
  return tx.query<GapFields>(
    `select l.id, l.path, l.rule_key, ${sqlRule('v')} as rule, v.package, ${sqlAllIds('v')} as identifiers,
            r.severity, v.packed_state
       from vulnerability_location l
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
       left join vulnerability_reporter r
         on r.tenant_id = $1 and r.vulnerability_id = l.vulnerability_id and r.series_id = $2
      where l.tenant_id = $1 and l.id = any($3::uuid[])`,
    [tx.tenantId, seriesId, locationIds],
  );
}

/** Marks observations that the mass-closure check holds. A second complete scan or an admin decides about them. */
export async function markHeld(tx: Tx, seriesId: SeriesId, keys: string[]): Promise<void> {
  await tx.query(
    `update location_observation set held = true
      where tenant_id = $1 and series_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tx.tenantId, seriesId, keys],
  );
}

/** Clears the held observations, but for those with these keys. */
export async function clearHeld(tx: Tx, seriesId: SeriesId, but: string[] = []): Promise<void> {
  await tx.query(
    `update location_observation set held = false
      where tenant_id = $1 and series_id = $2 and held and key <> all($3::uuid[])`,
    [tx.tenantId, seriesId, but],
  );
}

export async function listHeldKeys(tx: Tx, seriesId: SeriesId): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    'select key from location_observation where tenant_id = $1 and series_id = $2 and held',
    [tx.tenantId, seriesId],
  );
  return rows.map((row) => row.key);
}

/** `digest` is that of the closure that is still held; null if none is. */
export async function setHeldClosure(tx: Tx, seriesId: SeriesId, digest: string | null): Promise<void> {
  const held = { held_closure: digest, ...(digest === null ? { held_scan_id: null } : {}) };
  await updateRow(tx, 'scan_series', seriesId, held, changedNow);
}

export async function endObservations(
  tx: Tx,
  seriesId: SeriesId,
  keys: string[],
  seq: number,
): Promise<void> {
  await tx.query(
    `update location_observation set until_seq = $4, held = false
      where tenant_id = $1 and series_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tx.tenantId, seriesId, keys, seq],
  );
}

/** Closes these locations. */
export async function closeLocations(tx: Tx, locationIds: LocationId[], at: Date): Promise<void> {
  await tx.query(
    `update vulnerability_location set fixed_at = $3
      where tenant_id = $1 and id = any($2::uuid[]) and fixed_at is null`,
    [tx.tenantId, locationIds, at],
  );
}

/** Ends the claims of the series on these vulnerabilities, because it sees them nowhere any more. */
export async function endReporters(
  tx: Tx,
  seriesId: SeriesId,
  vulnerabilityIds: VulnerabilityId[],
): Promise<void> {
  await tx.query(
    `update vulnerability_reporter set live = false, updated_at = now()
      where tenant_id = $1 and series_id = $2 and vulnerability_id = any($3::uuid[]) and live`,
    [tx.tenantId, seriesId, vulnerabilityIds],
  );
}

/**
 * SQL of the ids of the vulnerabilities that a release of the series' held closure would fix: no other observation
 * shows them on the reference. `$1` is the workspace.
 */
export const sqlHeldClosure = (seriesId: string, referenceId: string): string =>
  `select distinct g.vulnerability_id as id from location_observation g
    where g.tenant_id = $1 and g.series_id = ${seriesId} and g.held and g.until_seq is null
      and not exists (
        select 1 from ${rowsByKey('vulnerability_location l', 'g.vulnerability_id', {
          column: 'vulnerability_id',
          next: 'reference_id',
        })}
         where l.reference_id = ${referenceId} and l.fixed_at is null and not l.suppressed
           and (select coalesce(bool_or(not (o.held and o.series_id = ${seriesId})), true)
                  from ${rowsByKey('location_observation o', 'l.id', {
                    column: 'location_id',
                    where: 'o.until_seq is null',
                  })}))`;

/** The number of vulnerabilities that a release of the series' held closure would fix. */
export async function countHeldClosure(
  tx: Tx,
  seriesId: SeriesId,
  referenceId: ReferenceId,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*)::int as n from (${sqlHeldClosure('$2::uuid', '$3::uuid')}) h`,
    [tx.tenantId, seriesId, referenceId],
  );
  return row?.n ?? 0;
}

/** Finds those of these vulnerabilities that are live on the reference through other locations than these. */
export async function findLiveElsewhere(
  tx: Tx,
  referenceId: ReferenceId,
  vulnerabilityIds: VulnerabilityId[],
  exceptLocationIds: LocationId[],
): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select distinct vulnerability_id from vulnerability_location
      where tenant_id = $1 and reference_id = $2 and vulnerability_id = any($3::uuid[])
        and fixed_at is null and not suppressed and id <> all($4::uuid[])`,
    [tx.tenantId, referenceId, vulnerabilityIds, exceptLocationIds],
  );
  return rows.map((row) => row.vulnerability_id);
}

interface DifferenceRow {
  /** The number of the finding among the keys, from 1 on; null if the report does not show the observation. */
  number: number | null;
  /** The observation; null if the series does not see the finding now. */
  location_id: LocationId | null;
  vulnerability_id: VulnerabilityId | null;
  key: string | null;
}

/**
 * Lists the findings that the series did not show in the same form before, in their order, and the observations that it
 * had until now and that the report does not show. A detached report also accepts the complement of a digest, which an
 * earlier one has written (`observationDigestOf`), so that it does not write it again. `keys` and `digests` are binary arrays.
 */
export async function listDifferences(
  tx: Tx,
  seriesId: SeriesId,
  keys: Buffer,
  digests: Buffer,
  detached: boolean,
): Promise<DifferenceRow[]> {
  return tx.query<DifferenceRow>(
    `select k.number::int as number, g.location_id, g.vulnerability_id, g.key
       from unnest($3::uuid[], $4::bigint[]) with ordinality as k (key, digest, number)
       full join (select location_id, vulnerability_id, key, digest from location_observation
                   where tenant_id = $1 and series_id = $2 and until_seq is null) g on g.key = k.key
      where k.key is null or g.key is null or g.digest <> k.digest and not ($5 and g.digest = ~k.digest)
      order by k.number`,
    [tx.tenantId, seriesId, keys, digests, detached],
  );
}

/** Writes detached observations for a partial or late report: one for each finding that the series sees now. */
export async function insertDetachedObservations(
  tx: Tx,
  seriesId: SeriesId,
  keys: Buffer,
  seq: number,
): Promise<void> {
  await tx.query(
    `insert into location_observation (tenant_id, location_id, vulnerability_id, series_id, key, digest, suppressed, since_seq,
                                    until_seq, match_method, detached)
     select g.tenant_id, g.location_id, g.vulnerability_id, $2, g.key, g.digest, g.suppressed, $4, $4 + 1, g.match_method, true
       from location_observation g
      where g.tenant_id = $1 and g.series_id = $2 and g.until_seq is null and g.key = any($3::uuid[])`,
    [tx.tenantId, seriesId, keys, seq],
  );
}

// A reference with more series of one tool has one series for each of its modules.
const comparedSeries = 20;

/**
 * Marks the other series of the tool on the reference of which this one sees more than half, but for `left`, and for those of its
 * category whose last scan was of the commit `sha`. Returns those.
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
     returning s.id, s.category, s.file_name`,
    [tx.tenantId, seriesId, referenceId, tool, sha, left],
  );
}

const containerImage: AssetType = 'container_image';

export async function findImage(tx: Tx, name: string): Promise<AssetId | undefined> {
  const [row] = await tx.query<{ id: AssetId }>(
    'select id from asset where tenant_id = $1 and type = $2 and name = $3',
    [tx.tenantId, containerImage, name],
  );
  return row?.id;
}

/** Returns undefined if there is an image with this name. */
export async function insertImage(tx: Tx, name: string): Promise<AssetId | undefined> {
  const [row] = await tx.query<{ id: AssetId }>(
    `insert into asset (tenant_id, id, name, type) values ($1, $2, $3, $4)
     on conflict (tenant_id, type, name) do nothing returning id`,
    [tx.tenantId, newId(), name, containerImage],
  );
  return row?.id;
}
