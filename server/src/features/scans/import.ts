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
  countAlone,
  countLive,
  deleteKeys,
  endReporters,
  endSightings,
  findLiveElsewhere,
  findSeenLocations,
  findUnmatched,
  insertAloneSightings,
  insertScanStream,
  listAbsent,
  listOpenKeys,
  type StreamRow,
  type UnmatchedRow,
  updateStream,
  upsertStream,
} from './import-store.ts';
import { type Resolved, resolveFindings } from './resolve.ts';
import { writeFindings } from './write-findings.ts';
import { upsertReporters } from './write-store.ts';
import { groupByVulnerability, reporterOf, type StreamNow } from './written-rows.ts';

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
    source: context.source === 'git_history' ? 1 : 0,
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

  // What a partial or late report does not show says nothing.
  const missed = alone ? [] : absent;
  const held = context.force ? null : await heldAbsence(tx, context, stream, missed, resolved);
  const gone = held === null ? missed : [];
  await closeAbsent(tx, context, stream, seq, gone);
  const existing = new Set([
    ...resolved.filter((row) => !row.isNew).map((row) => row.vulnerabilityId),
    ...changed.map((row) => row.vulnerabilityId),
    ...gone.map((row) => row.vulnerability_id),
  ]);
  await writeWords(tx, context, streamNow, run, [...existing]);
  const settled = await settle(tx, tenantId, { ids: [...existing], cause, counters });
  await updateStream(tx, tenantId, stream.id, {
    seq,
    scannedAt: late ? null : scannedAt,
    scanId: late ? null : scanId,
    heldAbsence: alone ? stream.held_absence : (held?.digest ?? null),
  });

  const here = (pair: { referenceId: string }): boolean => pair.referenceId === context.reference.id;
  const created = new Set(resolved.filter((row) => row.isNew).map((row) => row.vulnerabilityId)).size;
  const reopened = settled.reopened.filter(here).length;
  const seen = alone
    ? await countAlone(tx, tenantId, stream.id, seq)
    : await countLive(tx, tenantId, stream.id);
  const stillOpen = held?.vulnerabilities ?? 0;
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
  const absent = await listAbsent(tx, tenantId, scanId, stream.id);
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
 * shows the same. Gives what is held, null where the closing goes on.
 */
async function heldAbsence(
  tx: ImportTx,
  { tenantId, reference }: ImportContext,
  stream: StreamRow,
  absent: AbsentRow[],
  resolved: Resolved[],
): Promise<{ digest: string; vulnerabilities: number } | null> {
  const candidates = [...new Set(absent.map((row) => row.vulnerability_id))];
  if (!reference.tracked || candidates.length < guardLeast) return null;
  const places = [...new Set(absent.map((row) => row.location_id))];
  const elsewhere = await findLiveElsewhere(tx, tenantId, reference.id, candidates, places);
  const stays = new Set([...elsewhere, ...resolved.map((row) => row.vulnerabilityId)]);
  const closing = candidates.filter((id) => !stays.has(id));
  if (closing.length < guardLeast) return null;
  const fresh = new Set(resolved.filter((row) => row.isNew).map((row) => row.vulnerabilityId)).size;
  const live = (await countLive(tx, tenantId, stream.id)) - fresh;
  if (closing.length <= live * guardShare) return null;
  const digest = keyOf('absence', ...absent.map((row) => row.key).sort());
  return digest === stream.held_absence ? null : { digest, vulnerabilities: closing.length };
}

// Sightings end; a place that no stream sees any more is closed.
async function closeAbsent(
  tx: ImportTx,
  { tenantId, scannedAt }: ImportContext,
  stream: StreamRow,
  seq: number,
  gone: AbsentRow[],
): Promise<void> {
  for (const batch of batches(gone, closeBatchSize)) {
    await endSightings(
      tx,
      tenantId,
      stream.id,
      batch.map((row) => row.key),
      seq,
    );
    const places = [...new Set(batch.map((row) => row.location_id))];
    const seen = await findSeenLocations(tx, tenantId, places, stream.id, []);
    const stillSeen = new Set(seen.map((row) => row.location_id));
    const unseen = places.filter((id) => !stillSeen.has(id));
    await closeLocations(tx, tenantId, unseen, scannedAt);
  }
}

/**
 * The stream's word on vulnerabilities that were known: made of all that the report shows of each, not of what
 * changed alone. Where it shows nothing of one any more, its word counts no longer.
 */
async function writeWords(
  tx: ImportTx,
  context: ImportContext,
  stream: StreamNow,
  run: PreparedRun,
  vulnerabilityIds: string[],
): Promise<void> {
  if (stream.late || vulnerabilityIds.length === 0) return;
  const byKey = new Map(run.findings.map((finding) => [finding.key, finding]));
  const open = await listOpenKeys(tx, context.tenantId, stream.id, vulnerabilityIds);
  const shown = open.flatMap(({ vulnerability_id: vulnerabilityId, key }) => {
    const finding = byKey.get(key);
    return finding ? [{ vulnerabilityId, finding }] : [];
  });
  shown.sort((a, b) => a.finding.ordinal - b.finding.ordinal);
  for (const batch of batches(groupByVulnerability(shown), closeBatchSize)) {
    const rows = batch.map((group) => reporterOf(context, stream, group.vulnerabilityId, group.rows));
    await upsertReporters(tx, context.tenantId, rows);
  }
  const seen = new Set(open.map((row) => row.vulnerability_id));
  await endReporters(
    tx,
    context.tenantId,
    stream.id,
    vulnerabilityIds.filter((id) => !seen.has(id)),
  );
}
