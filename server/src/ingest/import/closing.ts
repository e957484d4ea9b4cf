/**
 * Closing ends observations of a series, and closes a location that no series sees any more. An import calls it for
 * absent findings, the release of a held closure calls it, and so does the retirement of a series.
 *
 * The mass-closure check holds a closure that would fix too much of a tracked reference. It waits for a second complete
 * scan that shows the same, or for an admin. New findings apply at once.
 */
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import type { LocationId, SeriesId } from '../../domain/ids.ts';
import { alignSuppressed } from '../../vulnerabilities/suppressed-locations.ts';
import { keyOf } from '../prepare/identity.ts';
import { closeLocations, endObservations, findLiveElsewhere } from './closing-store.ts';
import { withoutGaps } from './gaps.ts';
import {
  clearHeld,
  countHeldClosure,
  isOtherEvidence,
  listHeldKeys,
  markHeld,
  setHeldClosure,
} from './held-closure-store.ts';
import type { ImportContext } from './import-context.ts';
import type { WrittenFinding } from './match-and-write.ts';
import { countLive, findSeenLocations, listSeenByFiles, type ObservationRow } from './observation-store.ts';
import type { SeriesRow } from './series-row-store.ts';
import { slices } from './slices.ts';
import type { SeriesNow } from './written-rows.ts';

/** `seq` is the number of the series' scan that did not show them. The caller updates status and claims. */
export async function closeObservations(
  tx: Tx,
  seriesId: SeriesId,
  seq: number,
  at: Date,
  missing: ObservationRow[],
): Promise<void> {
  for (const batch of batches(missing, slices.size)) {
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
    await alignSuppressed(tx, [...stillSeen]);
  }
}

/**
 * Closes what the run does not show, as far as it may. Returns the observations that it has ended, and the closure that
 * is held instead.
 */
export async function closeMissing(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow & SeriesNow,
  absent: ObservationRow[],
  written: WrittenFinding[],
  showsScan: boolean,
): Promise<{ missing: ObservationRow[]; held: Held | null }> {
  if (series.detached || series.addsOnly) {
    // A finding that the report shows is not fixed, so nobody may release its closure, and no later scan confirms it.
    if (series.held_closure !== null && !series.late) {
      await clearHeld(
        tx,
        series.id,
        absent.map((row) => row.key),
      );
      const stillHeld = await listHeldKeys(tx, series.id);
      await setHeldClosure(tx, series.id, stillHeld.length === 0 ? null : digestOfClosure(stillHeld));
    }
    return { missing: [], held: null };
  }
  const missed = await withoutGaps(tx, series, absent);
  const held = await checkMassClosure(tx, context, series, missed, written, showsScan);
  const missing = held === null ? missed : [];
  await closeObservations(tx, series.id, series.seq, context.scannedAt, missing);
  return { missing, held };
}

// The check needs more than half of the findings of a series, and at least twenty. A team fixes fewer in a good week,
// and a broken scanner loses more.
const minShare = 0.5;
const minClosing = 20;
// With fewer, the check needs all findings of the series and a report without any sign of a scan. A team that has fixed
// its three findings sees them fixed at once.
const minClosingUnseen = 5;

export interface Held {
  digest: string;
  /**
   * Number of vulnerabilities that the closure would fix. A vulnerability that another tool still sees at the same
   * location does not count.
   */
  vulnerabilities: number;
}

/** Holds the closure if it would fix too much; returns null if it may continue. An earlier hold ends. */
async function checkMassClosure(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow & SeriesNow,
  absent: ObservationRow[],
  written: WrittenFinding[],
  showsScan: boolean,
): Promise<Held | null> {
  if (series.held_closure !== null) await clearHeld(tx, series.id);
  const held = context.force ? null : await digestToHold(tx, context, series, absent, written, showsScan);
  if (held === null) return null;
  for (const batch of batches(absent, slices.size)) {
    const keys = batch.map((row) => row.key);
    await markHeld(tx, series.id, keys);
  }
  return { digest: held, vulnerabilities: await countHeldClosure(tx, series.id, context.reference.id) };
}

/** Returns the digest of the closure that is to be held, or null. */
async function digestToHold(
  tx: Tx,
  { reference, scanId, mayConfirm }: ImportContext,
  series: SeriesRow & SeriesNow,
  absent: ObservationRow[],
  written: WrittenFinding[],
  showsScan: boolean,
): Promise<string | null> {
  const least = showsScan ? minClosing : minClosingUnseen;
  if (!reference.tracked || absent.length < least) return null;
  const locations = [...new Set(absent.map((row) => row.location_id))];
  // A location that the series of a file sees stays open; that series closes it.
  const left =
    series.file_name === '' ? await listSeenByFiles(tx, series.id, locations) : new Set<LocationId>();
  const ending = absent.filter((row) => !left.has(row.location_id));
  const candidates = [...new Set(ending.map((row) => row.vulnerability_id))];
  if (candidates.length < least) return null;
  const closed = [...new Set(ending.map((row) => row.location_id))];
  const elsewhere = await findLiveElsewhere(tx, reference.id, candidates, closed);
  const stays = new Set([...elsewhere, ...written.map((row) => row.vulnerabilityId)]);
  const closing = candidates.filter((id) => !stays.has(id));
  if (closing.length < least) return null;
  const gone = new Set(absent.map((row) => row.vulnerability_id)).size - candidates.length;
  const live = (await countLive(tx, series.id, series.seq)) - gone;
  if (closing.length <= live * minShare || (closing.length < minClosing && closing.length < live))
    return null;
  const digest = digestOfClosure(absent.map((row) => row.key));
  if (digest !== series.held_closure || !mayConfirm) return digest;
  return (await isOtherEvidence(tx, series.id, scanId)) ? null : digest;
}

function digestOfClosure(keys: string[]): string {
  return keyOf('absence', ...keys.toSorted());
}
