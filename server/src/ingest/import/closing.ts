/**
 * Closing ends observations of a series, and closes a location that no series sees any more. An import calls it for
 * absent findings, the release of a held absence calls it, and so does the retirement of a series.
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

// The statement carries ids only: five thousand of them are a few hundred kilobytes.
const closeBatchSize = 5_000;

/** `seq` is the number of the series' scan that did not show them. The caller updates status and claims. */
export async function closeObservations(
  tx: Tx,
  seriesId: string,
  seq: number,
  at: Date,
  missing: ObservationRow[],
): Promise<void> {
  for (const batch of batches(missing, closeBatchSize)) {
    await endObservations(
      tx,
      seriesId,
      batch.map((row) => row.key),
      seq,
    );
    const locations = [...new Set(batch.map((row) => row.location_id))];
    const seen = await findSeenLocations(tx, locations, seriesId, []);
    const stillSeen = new Set(seen.map((row) => row.location_id));
    const unseen = locations.filter((id) => !stillSeen.has(id));
    await closeLocations(tx, unseen, at);
  }
}

/**
 * Ends the claims of the series on the vulnerabilities that it sees nowhere any more. `open` is what `listOpenKeys`
 * returns for them.
 */
export async function endUnseenClaims(
  tx: Tx,
  seriesId: string,
  vulnerabilityIds: string[],
  open: { vulnerability_id: string }[],
): Promise<void> {
  const seen = new Set(open.map((row) => row.vulnerability_id));
  const unseen = vulnerabilityIds.filter((id) => !seen.has(id));
  await endReporters(tx, seriesId, unseen);
}
