/** Comparing: it finds the difference between a report and what its series saw until now, by keys alone. */
import type { Tx } from '../../db/database.ts';
import { setPlanner } from '../../db/planner-hints.ts';
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

/** The series saw this finding before, but its line, severity or text has changed. */
export interface ChangedFinding {
  ordinal: number;
  vulnerabilityId: string;
  locationId: string;
}

export interface Compared {
  changed: ChangedFinding[];
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
  await setPlanner(tx, 'enable_nestloop', 'off');
  const rows = await findUnmatched(tx, scanId, series.id);
  const absent = await listAbsent(tx, scanId, series.id);
  if (detached) await insertDetachedObservations(tx, scanId, series.id, seq);
  await setPlanner(tx, 'enable_nestloop', 'on');
  await deleteKeys(tx, scanId);
  const changed: ChangedFinding[] = [];
  const unmatched: number[] = [];
  for (const { ordinal, vulnerability_id: vulnerabilityId, location_id: locationId } of rows) {
    if (locationId === null || vulnerabilityId === null) unmatched.push(ordinal);
    else changed.push({ ordinal, vulnerabilityId, locationId });
  }
  return { changed, unmatched, absent };
}
