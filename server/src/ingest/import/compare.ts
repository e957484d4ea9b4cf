/** Comparing: what a report shows against what its series saw until now, by keys alone. */
import type { Tx } from '../../db/database.ts';
import type { FindingReader } from '../prepare/packed-findings.ts';
import type { ImportContext } from './import-context.ts';
import {
  deleteKeys,
  findUnmatched,
  insertDetachedObservations,
  insertKeys,
  listAbsent,
  type ObservationRow,
  type SeriesRow,
} from './import-store.ts';

/** A finding that the series saw before, now with another line, severity, text. */
export interface ChangedFinding {
  ordinal: number;
  vulnerabilityId: string;
  locationId: string;
}

export interface Compared {
  changed: ChangedFinding[];
  /** Ordinals of what the series has not seen until now. */
  unmatched: number[];
  /** Seen by the series until now, and not any more. */
  absent: ObservationRow[];
}

export async function compareKeys(
  tx: Tx,
  { tenantId, scanId }: ImportContext,
  series: SeriesRow,
  findings: FindingReader,
  { seq, detached }: { seq: number; detached: boolean },
): Promise<Compared> {
  await insertKeys(tx, tenantId, scanId, series.id, findings);
  // The planner takes a table that was empty a moment ago for one row and joins it row by row: minutes at 100,000.
  await tx.query('set local enable_nestloop = off');
  const rows = await findUnmatched(tx, tenantId, scanId, series.id);
  const absent = await listAbsent(tx, tenantId, scanId, series.id);
  if (detached) await insertDetachedObservations(tx, tenantId, scanId, series.id, seq);
  await tx.query('set local enable_nestloop = on');
  await deleteKeys(tx, tenantId, scanId);
  const changed: ChangedFinding[] = [];
  const unmatched: number[] = [];
  for (const { ordinal, vulnerability_id: vulnerabilityId, location_id: locationId } of rows) {
    if (locationId === null || vulnerabilityId === null) unmatched.push(ordinal);
    else changed.push({ ordinal, vulnerabilityId, locationId });
  }
  return { changed, unmatched, absent };
}
