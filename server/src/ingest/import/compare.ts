/** Comparing finds the difference between a report and the open observations of its series, by keys alone. */
import { columnArray, uuidArray } from '../../db/column-array.ts';
import type { Tx } from '../../db/database.ts';
import type { LocationId, SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { ObservationRow, SeriesRow } from './import-store.ts';

export interface Compared {
  /** The series saw these findings before, but their line, severity or text has changed. */
  changed: { ordinal: number; vulnerabilityId: VulnerabilityId; locationId: LocationId }[];
  /** Ordinals of the findings that the series has not seen until now. */
  unmatched: number[];
  /** Observations that the series has had until now and does not have any more. */
  absent: ObservationRow[];
}

export async function compareKeys(
  tx: Tx,
  series: SeriesRow,
  findings: FindingReader,
  { seq, detached }: { seq: number; detached: boolean },
): Promise<Compared> {
  // The first scan of a series has nothing to be compared with.
  if (series.last_seq === 0) return { changed: [], unmatched: findings.ordinals, absent: [] };
  const keys = uuidArray(findings.keys);
  const digests = columnArray('bigint', findings.digests).value;
  const rows = await listDifferences(tx, series.id, keys, digests, detached);
  if (detached) await insertDetachedObservations(tx, series.id, keys, seq);
  const { ordinals } = findings;
  const compared: Compared = { changed: [], unmatched: [], absent: [] };
  for (const { number, location_id, vulnerability_id, key } of rows) {
    const ordinal = number === null ? undefined : ordinals[number - 1];
    const isSeen = location_id !== null && vulnerability_id !== null && key !== null;
    if (ordinal === undefined) {
      if (isSeen) compared.absent.push({ location_id, vulnerability_id, key });
    } else if (isSeen) {
      compared.changed.push({ ordinal, vulnerabilityId: vulnerability_id, locationId: location_id });
    } else compared.unmatched.push(ordinal);
  }
  return compared;
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
async function listDifferences(
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
async function insertDetachedObservations(
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
