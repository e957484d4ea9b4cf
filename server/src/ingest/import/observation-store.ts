/** SQL of observations: it finds, counts and compares those that a series has now, and writes detached ones. */

import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import {
  type LocationId,
  newId,
  type ReferenceId,
  type SeriesId,
  type VulnerabilityId,
} from '../../domain/ids.ts';

/** An observation of a location that the series has now, or had until now. */
export interface ObservationRow {
  location_id: LocationId;
  vulnerability_id: VulnerabilityId;
  key: string;
}

/**
 * Counts the vulnerabilities that the series sees now; with `beforeSeq` those that it has seen since an earlier scan.
 */
export async function countLive(
  tx: Tx,
  seriesId: SeriesId,
  beforeSeq: number | null = null,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(distinct vulnerability_id)::int as n from location_observation
      where tenant_id = $1 and series_id = $2 and until_seq is null and ($3::int is null or since_seq < $3)`,
    [tx.tenantId, seriesId, beforeSeq],
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

/**
 * Finds those of these locations that a series of one file, of the same tool, category and reference, sees now
 * unsuppressed.
 */
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
 * Finds those of these locations that a series of the same tool and category has seen on the reference of this one, or
 * sees now on a tracked reference, or on the base of the reference if a key that may override policies has named it.
 * The series is that of the same file: its own, or the shared one that the file has not left, or that it leaves now.
 * A location of the shared series does not count if another file has shown it in a series of its own since.
 */
export async function findSeenByCounterparts(
  tx: Tx,
  locationIds: LocationId[],
  { id, left }: { id: SeriesId; left: SeriesId | null },
  fileName: string | null,
): Promise<Set<LocationId>> {
  if (locationIds.length === 0) return new Set();
  const rows = await tx.query<{ location_id: LocationId }>(
    `select distinct o.location_id
       from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowsByKey('location_observation o', 'k.id', { column: 'location_id' })}
       join scan_series s on s.tenant_id = $1 and s.id = o.series_id and s.retired_at is null
       join reference f on f.tenant_id = $1 and f.id = s.reference_id
       join scan_series mine on mine.tenant_id = $1 and mine.id = $3
       join reference r on r.tenant_id = $1 and r.id = mine.reference_id
      where (f.id = r.id or (o.until_seq is null and (f.tracked or (r.base_approved and f.full_ref = r.base_ref))))
        and s.tool = mine.tool and s.category = mine.category and s.source = mine.source
        and (s.file_name = $5 or (s.file_name = '' and (s.id = $4 or mine.file_name = '') and not exists (
          select from scan_series own
           where own.tenant_id = $1 and own.reference_id = s.reference_id and own.tool = s.tool and own.category = s.category
             and own.source = s.source and own.file_name <> '' and own.id <> mine.id
             and ((own.file_name = $5 and own.retired_at is null) or exists (
               select from location_observation other
                where other.tenant_id = $1 and other.location_id = k.id and other.series_id = own.id)))))`,
    [tx.tenantId, locationIds, id, left, fileName ?? ''],
  );
  return new Set(rows.map((row) => row.location_id));
}

/**
 * Returns those of the vulnerabilities that the series sees on the reference now. Its observations of `exceptKeys` do
 * not count.
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

/** Gives what the series sees now under some keys new keys, which may be among the old ones. */
export async function renameKeys(
  tx: Tx,
  seriesId: SeriesId,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  const pairs = [...renamed].filter(([before, after]) => before !== after);
  if (pairs.length === 0) return;
  // A key is unique at any time, so each observation has another one meanwhile.
  const free = pairs.map(() => newId());
  const rename = (before: string[], after: string[]) =>
    tx.query(
      `update location_observation g set key = k.after
         from unnest($3::uuid[], $4::uuid[]) as k (before, after)
        where g.tenant_id = $1 and g.series_id = $2 and g.key = k.before and g.until_seq is null`,
      [tx.tenantId, seriesId, before, after],
    );
  await rename(
    pairs.map(([before]) => before),
    free,
  );
  await rename(
    free,
    pairs.map(([, after]) => after),
  );
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
 * earlier one has written (`observationDigestOf`), so that it does not write it again. `keys` and `digests` are binary
 * arrays.
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
