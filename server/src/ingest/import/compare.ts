/** Comparing finds the difference between a report and the open observations of its series, by keys alone. */
import { columnArray, uuidArray } from '../../db/column-array.ts';
import type { Tx } from '../../db/database.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import { listDifferences, type ObservationRow } from './observation-store.ts';
import type { SeriesRow } from './series-row-store.ts';

export interface Compared {
  /** The series saw these findings before, but their line, severity or text has changed. */
  changed: (ObservationRow & { ordinal: number })[];
  /** Ordinals of the findings that the series has not seen until now. */
  unmatched: number[];
  /** Observations that the series has had until now and does not have any more. */
  absent: ObservationRow[];
}

export async function compareKeys(
  tx: Tx,
  series: SeriesRow,
  findings: FindingReader,
  detached: boolean,
): Promise<Compared> {
  // The first scan of a series has nothing to be compared with.
  if (series.last_seq === 0) return { changed: [], unmatched: findings.ordinals, absent: [] };
  const keys = uuidArray(findings.keys);
  const digests = columnArray('bigint', findings.digests).value;
  const rows = await listDifferences(tx, series.id, keys, digests, detached);
  const { ordinals } = findings;
  const compared: Compared = { changed: [], unmatched: [], absent: [] };
  for (const { number, location_id, vulnerability_id, key } of rows) {
    const ordinal = number === null ? undefined : ordinals[number - 1];
    const isSeen = location_id !== null && vulnerability_id !== null && key !== null;
    if (ordinal === undefined) {
      if (isSeen) compared.absent.push({ location_id, vulnerability_id, key });
    } else if (isSeen) {
      compared.changed.push({ ordinal, location_id, vulnerability_id, key });
    } else compared.unmatched.push(ordinal);
  }
  return compared;
}
