/**
 * Closing: observations of a series end, and a place that no series sees any more is closed. For an import whose report
 * shows them no more, for a held absence that is released, for a series that is retired.
 */
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import {
  closeLocations,
  endObservations,
  endReporters,
  findSeenLocations,
  type ObservationRow,
} from './import-store.ts';

// Ids detached: a statement of five thousand is a few hundred kilobytes.
const closeBatchSize = 5_000;

/** `seq`: the number of the series' scan that did not show them. Status and words are left to the caller. */
export async function closeObservations(
  tx: Tx,
  tenantId: string,
  seriesId: string,
  seq: number,
  at: Date,
  gone: ObservationRow[],
): Promise<void> {
  for (const batch of batches(gone, closeBatchSize)) {
    await endObservations(
      tx,
      tenantId,
      seriesId,
      batch.map((row) => row.key),
      seq,
    );
    const places = [...new Set(batch.map((row) => row.location_id))];
    const seen = await findSeenLocations(tx, tenantId, places, seriesId, []);
    const stillSeen = new Set(seen.map((row) => row.location_id));
    const unseen = places.filter((id) => !stillSeen.has(id));
    await closeLocations(tx, tenantId, unseen, at);
  }
}

/** The series' word ends on those that it sees nowhere any more: `open`, what it sees of them (`listOpenKeys`). */
export async function endUnseenClaims(
  tx: Tx,
  tenantId: string,
  seriesId: string,
  vulnerabilityIds: string[],
  open: { vulnerability_id: string }[],
): Promise<void> {
  const seen = new Set(open.map((row) => row.vulnerability_id));
  const unseen = vulnerabilityIds.filter((id) => !seen.has(id));
  await endReporters(tx, tenantId, seriesId, unseen);
}
