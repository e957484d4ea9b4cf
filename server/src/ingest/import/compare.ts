/** Comparing finds the difference between a report and the open observations of its series, by keys alone. */
import { anchor } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { setPlanner } from '../../db/planner-hints.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { ImportContext } from './import-context.ts';
import type { ObservationRow, SeriesRow } from './import-store.ts';

export interface Compared {
  /** The series saw these findings before, but their line, severity or text has changed. */
  changed: { ordinal: number; vulnerabilityId: string; locationId: string }[];
  /** Ordinals of the findings that the series has not seen until now. */
  unmatched: number[];
  /** Observations that the series has had until now and does not have any more. */
  absent: ObservationRow[];
}

export async function compareKeys(
  tx: Tx,
  { scanId }: ImportContext,
  series: SeriesRow,
  findings: FindingReader,
  { seq, detached }: { seq: number; detached: boolean },
): Promise<Compared> {
  await insertKeys(tx, scanId, series.id, findings);
  // The planner expects one row in a table that was empty a moment ago and chooses a nested loop, which takes minutes
  // for 100,000 keys.
  await setPlanner(tx, { enable_nestloop: 'off' });
  const rows = await findUnmatched(tx, scanId, series.id, detached);
  const absent = await listAbsent(tx, scanId, series.id);
  if (detached) await insertDetachedObservations(tx, scanId, series.id, seq);
  await setPlanner(tx, { enable_nestloop: 'on' });
  await deleteKeys(tx, scanId);
  const changed: Compared['changed'] = [];
  const unmatched: number[] = [];
  for (const { ordinal, vulnerability_id: vulnerabilityId, location_id: locationId } of rows) {
    if (locationId === null || vulnerabilityId === null) unmatched.push(ordinal);
    else changed.push({ ordinal, vulnerabilityId, locationId });
  }
  return { changed, unmatched, absent };
}

// An array of this many keys is a megabyte.
const keysAtOnce = 20_000;

/** Stages the keys of a run. */
async function insertKeys(tx: Tx, scanId: string, seriesId: string, findings: FindingReader): Promise<void> {
  for (let start = 0; start < findings.length; start += keysAtOnce) {
    const { ordinals, keys, digests } = findings.keys(start, start + keysAtOnce);
    const { tenant, join } = anchor(tx);
    await tx.query(
      `insert into import_key (tenant_id, scan_id, ordinal, series_id, key, digest)
       select ${tenant}, $2, k.ordinal, $3, k.key, k.digest
         from unnest($4::int[], $5::uuid[], $6::bigint[]) as k (ordinal, key, digest) ${join}`,
      [tx.tenantId, scanId, seriesId, ordinals, keys, digests],
    );
  }
}

async function deleteKeys(tx: Tx, scanId: string): Promise<void> {
  await tx.query('delete from import_key where tenant_id = $1 and scan_id = $2', [tx.tenantId, scanId]);
}

interface UnmatchedRow {
  ordinal: number;
  /** Null means that the series does not see this finding now. Otherwise the series sees it with other content. */
  location_id: string | null;
  vulnerability_id: string | null;
}

/**
 * Finds the keys that the series did not show in the same form before. A detached report also accepts the complement of
 * a digest, which an earlier one has written (`digestOf`), so that it does not write it again.
 */
async function findUnmatched(
  tx: Tx,
  scanId: string,
  seriesId: string,
  detached: boolean,
): Promise<UnmatchedRow[]> {
  return tx.query<UnmatchedRow>(
    `select k.ordinal, g.location_id, g.vulnerability_id
       from import_key k
       left join location_observation g
         on g.tenant_id = $1 and g.series_id = $3 and g.until_seq is null and g.key = k.key
      where k.tenant_id = $1 and k.scan_id = $2 and (g.location_id is null or g.digest <> k.digest and not ($4 and g.digest = ~k.digest))
      order by k.ordinal`,
    [tx.tenantId, scanId, seriesId, detached],
  );
}

/** Lists the observations that the series had until now and that the report does not show. */
async function listAbsent(tx: Tx, scanId: string, seriesId: string): Promise<ObservationRow[]> {
  return tx.query<ObservationRow>(
    `select g.location_id, g.vulnerability_id, g.key
       from location_observation g
      where g.tenant_id = $1 and g.series_id = $3 and g.until_seq is null
        and not exists (select 1 from import_key k where k.tenant_id = $1 and k.scan_id = $2 and k.key = g.key)`,
    [tx.tenantId, scanId, seriesId],
  );
}

/** Writes detached observations for a partial or late report: one for each finding that the series sees now. */
async function insertDetachedObservations(
  tx: Tx,
  scanId: string,
  seriesId: string,
  seq: number,
): Promise<void> {
  await tx.query(
    `insert into location_observation (tenant_id, location_id, vulnerability_id, series_id, key, digest, suppressed, since_seq,
                                    until_seq, match_method, detached)
     select g.tenant_id, g.location_id, g.vulnerability_id, $3, g.key, g.digest, g.suppressed, $4, $4 + 1, g.match_method, true
       from import_key k
       join location_observation g on g.tenant_id = $1 and g.series_id = $3 and g.until_seq is null and g.key = k.key
      where k.tenant_id = $1 and k.scan_id = $2`,
    [tx.tenantId, scanId, seriesId, seq],
  );
}
