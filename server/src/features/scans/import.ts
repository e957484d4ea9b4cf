/**
 * The import: a prepared report becomes vulnerabilities, places and sightings, in one transaction of its tenant,
 * alone in its repository. Set-based: the number of statements grows with batches, never with findings, and a
 * report that shows what the last one showed writes nothing per finding.
 *
 * For each run of the report: the keys are staged and joined with the open sightings of its stream. What is
 * neither new nor changed is done with. The rest is resolved (identity for packages and secrets, the ladder for
 * code), written in batches, and what the stream no longer sees is closed. Status, counters and history of what
 * was touched are `settle`'s.
 */
import type { ImportTx } from '../../db/database.ts';
import type { CounterChanges } from '../vulnerabilities/counters.ts';
import type { Cause } from '../vulnerabilities/events.ts';
import { settle } from '../vulnerabilities/settle.ts';
import { resolveAdvisories } from './advisories.ts';
import { batches } from './batches.ts';
import { keyOf, type PreparedFinding, type PreparedReport, type PreparedRun } from './identity.ts';
import type { Changed, ImportContext, ImportCounts } from './import-context.ts';
import {
  type AbsentRow,
  closeLocations,
  copyKeys,
  countLive,
  countSeen,
  deleteKeys,
  endReporters,
  endSightings,
  findUnmatched,
  insertAloneSightings,
  insertScanStream,
  listAbsent,
  type StreamRow,
  type UnmatchedRow,
  updateStream,
  upsertStream,
} from './import-store.ts';
import { type Resolved, resolveFindings } from './resolve.ts';
import { writeFindings } from './write-findings.ts';

// Ids alone: a statement of five thousand is a few hundred kilobytes.
const closeBatchSize = 5_000;

/** Writes the report. The counters are collected, to be written last by the caller. */
export async function importReport(
  tx: ImportTx,
  context: ImportContext,
  report: PreparedReport,
  counters: CounterChanges,
): Promise<ImportCounts> {
  const counts: ImportCounts = {
    read: report.read,
    new: 0,
    unchanged: 0,
    reopened: 0,
    fixed: 0,
    suppressed: 0,
    unreadable: report.unreadable.length,
    closing_held: 0,
  };
  for (const run of report.runs) await importRun(tx, context, run, counters, counts);
  return counts;
}

async function importRun(
  tx: ImportTx,
  context: ImportContext,
  run: PreparedRun,
  counters: CounterChanges,
  counts: ImportCounts,
): Promise<void> {
  const { tenantId, scanId, scannedAt } = context;
  const cause: Cause = { scanId, actorId: null, at: scannedAt };
  const stream = await upsertStream(tx, tenantId, {
    repositoryId: context.repositoryId,
    referenceId: context.reference.id,
    tool: run.tool,
    category: run.category,
  });
  const late = stream.last_scanned_at !== null && stream.last_scanned_at > scannedAt;
  const alone = late || context.partial;
  const seq = stream.last_seq + 1;
  await insertScanStream(tx, tenantId, { scanId, streamId: stream.id, seq, alone });

  const { unmatched, absent } = await compareKeys(tx, context, stream, run, { seq, alone });
  const { changed, strangers } = split(run, unmatched);
  const canonical = await resolveAdvisories(tx, tenantId, strangers);
  const resolved = await resolveFindings(tx, context, stream, strangers, canonical, absent);
  const streamNow = { id: stream.id, tool: run.tool, seq, late, alone, newestAt: stream.last_scanned_at };
  await writeFindings(tx, context, streamNow, cause, counters, resolved, changed);

  const held = context.force ? null : await heldAbsence(tx, context, stream, absent, resolved);
  const gone = held === null ? absent : [];
  await closeAbsent(tx, context, stream, seq, gone);
  const touched = [
    ...resolved.filter((row) => !row.isNew),
    ...changed,
    ...gone.map((row) => ({ vulnerabilityId: row.vulnerability_id })),
  ];
  const settled = await settle(tx, tenantId, {
    ids: touched.map((row) => row.vulnerabilityId),
    cause,
    counters,
  });
  await updateStream(tx, tenantId, stream.id, {
    seq,
    scannedAt: late ? null : scannedAt,
    scanId: late ? null : scanId,
    heldAbsence: alone ? stream.held_absence : held,
  });

  const here = (pair: { referenceId: string }): boolean => pair.referenceId === context.reference.id;
  const created = new Set(resolved.filter((row) => row.isNew).map((row) => row.vulnerabilityId)).size;
  const reopened = settled.reopened.filter(here).length;
  const seen = await countSeen(tx, tenantId, stream.id, seq, alone);
  const stillOpen = held === null ? 0 : new Set(absent.map((row) => row.vulnerability_id)).size;
  counts.new += created;
  counts.reopened += reopened;
  counts.fixed += settled.closed.filter(here).length;
  counts.unchanged += Math.max(0, seen - stillOpen - created - reopened);
  counts.suppressed += run.findings.filter((finding) => finding.suppressed).length;
  counts.closing_held += stillOpen;
}

// What the stream has not reported just so before, and what it does not report any more.
async function compareKeys(
  tx: ImportTx,
  { tenantId, scanId }: ImportContext,
  stream: StreamRow,
  run: PreparedRun,
  { seq, alone }: { seq: number; alone: boolean },
): Promise<{ unmatched: UnmatchedRow[]; absent: AbsentRow[] }> {
  await copyKeys(tx, tenantId, scanId, stream.id, run.findings);
  // The planner takes a table that was empty a moment ago for one row and joins it row by row: minutes at 100,000.
  await tx.query('set local enable_nestloop = off');
  const unmatched = await findUnmatched(tx, tenantId, scanId, stream.id);
  const absent = alone ? [] : await listAbsent(tx, tenantId, scanId, stream.id);
  if (alone) await insertAloneSightings(tx, tenantId, scanId, stream.id, seq);
  await tx.query('set local enable_nestloop = on');
  await deleteKeys(tx, tenantId, scanId);
  return { unmatched, absent };
}

function split(
  run: PreparedRun,
  unmatched: UnmatchedRow[],
): { changed: Changed[]; strangers: PreparedFinding[] } {
  const byOrdinal = new Map(run.findings.map((finding) => [finding.ordinal, finding]));
  const changed: Changed[] = [];
  const strangers: PreparedFinding[] = [];
  for (const row of unmatched) {
    const finding = byOrdinal.get(row.ordinal);
    if (!finding) continue;
    if (row.location_id === null || row.vulnerability_id === null) strangers.push(finding);
    else changed.push({ finding, vulnerabilityId: row.vulnerability_id, locationId: row.location_id });
  }
  return { changed, strangers };
}

// Half of what a stream sees, and twenty at least: fewer is a good week of work, more is a scanner that broke.
const guardShare = 0.5;
const guardLeast = 20;

/**
 * The guard: an absence that would close too much of a tracked reference waits for a second complete scan that
 * shows the same. Gives its digest where the closing is held, null where it goes on.
 */
async function heldAbsence(
  tx: ImportTx,
  { tenantId, reference }: ImportContext,
  stream: StreamRow,
  absent: AbsentRow[],
  resolved: Resolved[],
): Promise<string | null> {
  if (!reference.tracked) return null;
  const shown = new Set(resolved.map((row) => row.vulnerabilityId));
  const closing = new Set(absent.map((row) => row.vulnerability_id).filter((id) => !shown.has(id)));
  if (closing.size < guardLeast) return null;
  const fresh = new Set(resolved.filter((row) => row.isNew).map((row) => row.vulnerabilityId)).size;
  const live = (await countLive(tx, tenantId, stream.id)) - fresh;
  if (closing.size <= live * guardShare) return null;
  const digest = keyOf('absence', ...absent.map((row) => row.key).sort());
  return digest === stream.held_absence ? null : digest;
}

// Sightings end; a place that no stream sees any more is closed; the stream's word on a vulnerability that it sees
// nowhere any more counts no longer.
async function closeAbsent(
  tx: ImportTx,
  { tenantId, scannedAt }: ImportContext,
  stream: StreamRow,
  seq: number,
  gone: AbsentRow[],
): Promise<void> {
  for (const batch of batches(gone, closeBatchSize)) {
    const locationIds = [...new Set(batch.map((row) => row.location_id))];
    await endSightings(
      tx,
      tenantId,
      stream.id,
      batch.map((row) => row.key),
      seq,
    );
    await closeLocations(tx, tenantId, locationIds, scannedAt);
    await endReporters(tx, tenantId, stream.id, [...new Set(batch.map((row) => row.vulnerability_id))]);
  }
}
