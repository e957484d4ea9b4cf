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
import { type ResolvedAdvisories, resolveAdvisories } from './advisories.ts';
import { batches } from './batches.ts';
import { closeSightings } from './closing.ts';
import { keyOf, type PreparedFinding, type PreparedReport, type PreparedRun } from './identity.ts';
import type { Changed, ImportContext, ImportCounts } from './import-context.ts';
import {
  type AbsentRow,
  clearHeld,
  copyKeys,
  countAlone,
  countLive,
  deleteKeys,
  endReporters,
  findLiveElsewhere,
  findUnmatched,
  holdSightings,
  insertAloneSightings,
  insertScanStream,
  listAbsent,
  listOpenKeys,
  type StreamRow,
  type UnmatchedRow,
  updateStream,
  upsertStream,
} from './import-store.ts';
import { writeInventory } from './inventory.ts';
import { markPendingMerges, mergeAliases } from './late-aliases.ts';
import type { Progress } from './progress.ts';
import { type Resolved, resolveFindings } from './resolve.ts';
import { listStated, writeStatements } from './statements.ts';
import { writeFindings } from './write-findings.ts';
import { upsertReporters } from './write-store.ts';
import { groupByVulnerability, reporterOf, type StreamNow } from './written-rows.ts';

// Words are short: a statement of five thousand is a megabyte or two.
const wordBatchSize = 5_000;

/** Writes the report. The counters are collected, to be written last by the caller. */
export async function importReport(
  tx: ImportTx,
  context: ImportContext,
  report: PreparedReport,
  counters: CounterChanges,
  progress: Progress,
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
  const shown = new Shown(progress, report.runs);
  for (const run of report.runs) await importRun(tx, context, run, counters, counts, shown);
  await writeStatements(tx, context, report.statements, counters);
  return counts;
}

/** Findings of all runs, as far as they are dealt with. */
class Shown {
  #done = 0;
  readonly #total: number;
  readonly #progress: Progress;

  constructor(progress: Progress, runs: PreparedRun[]) {
    this.#progress = progress;
    this.#total = runs.reduce((sum, run) => sum + run.findings.length, 0);
  }

  step(name: string, done = 0): void {
    this.#done += done;
    this.#progress.step(name, this.#done, this.#total);
  }
}

async function importRun(
  tx: ImportTx,
  context: ImportContext,
  run: PreparedRun,
  counters: CounterChanges,
  counts: ImportCounts,
  shown: Shown,
): Promise<void> {
  const { tenantId, scanId, scannedAt } = context;
  const cause: Cause = { scanId, actorId: null, at: scannedAt };
  const history = context.source === null ? run.history : context.source === 'git_history';
  const stream = await upsertStream(tx, tenantId, {
    repositoryId: context.repositoryId,
    referenceId: context.reference.id,
    tool: run.tool,
    category: run.category,
    source: history ? 1 : 0,
  });
  const late = stream.last_scanned_at !== null && stream.last_scanned_at > scannedAt;
  // What a partial, unfinished or late report does not show says nothing.
  const alone = late || context.partial || run.incomplete;
  const seq = stream.last_seq + 1;
  await insertScanStream(tx, tenantId, { scanId, streamId: stream.id, seq, alone });

  shown.step('comparing');
  const compared = await compareKeys(tx, context, stream, run, { seq, alone });
  const advisories = await resolveAdvisories(tx, tenantId, compared.strangers);
  shown.step('matching', run.findings.length - compared.strangers.length);
  const { changed, strangers, absent } = await mergeLearned(
    tx,
    context,
    cause,
    counters,
    advisories,
    compared,
  );
  const resolved = await resolveFindings(tx, context, stream, strangers, advisories, absent);
  const streamNow = {
    id: stream.id,
    tool: run.tool,
    history,
    seq,
    late,
    alone,
    newestAt: stream.last_scanned_at,
  };
  await writeFindings(tx, context, streamNow, cause, counters, resolved, changed, (n) =>
    shown.step('writing', n),
  );
  shown.step('settling');

  const missed = alone ? [] : absent;
  if (stream.held_absence !== null && !alone) await clearHeld(tx, tenantId, stream.id);
  const held = context.force ? null : await heldAbsence(tx, context, stream, missed, resolved);
  if (held !== null) {
    for (const batch of batches(missed, wordBatchSize)) {
      const keys = batch.map((row) => row.key);
      await holdSightings(tx, tenantId, stream.id, keys);
    }
  }
  const gone = held === null ? missed : [];
  await closeSightings(tx, tenantId, stream.id, seq, scannedAt, gone);
  const existing = new Set([
    ...resolved.filter((row) => !row.isNew).map((row) => row.vulnerabilityId),
    ...changed.map((row) => row.vulnerabilityId),
    ...gone.map((row) => row.vulnerability_id),
  ]);
  await writeWords(tx, context, streamNow, run, [...existing]);
  const spokenOf = await listSpokenOf(tx, context, resolved);
  const settled = await settle(tx, tenantId, { ids: [...existing, ...spokenOf], cause, counters });
  if (!late) await writeInventory(tx, context, stream, run, alone);
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
  counts.suppressed += run.findings.filter((finding) => finding.suppressed || finding.waiver !== null).length;
  counts.closing_held += stillOpen;
}

interface Compared {
  /** Seen just so by the stream but for another line, severity, text. */
  changed: Changed[];
  /** Not seen by the stream until now. */
  strangers: PreparedFinding[];
  /** Seen by the stream until now. */
  absent: AbsentRow[];
}

/** What the report teaches of aliases may make one of two that were known: whoever read them before reads on. */
async function mergeLearned(
  tx: ImportTx,
  { tenantId, repositoryId }: ImportContext,
  cause: Cause,
  counters: CounterChanges,
  { learned }: ResolvedAdvisories,
  compared: Compared,
): Promise<Compared> {
  const moved = await mergeAliases(tx, tenantId, repositoryId, learned, cause, counters);
  await markPendingMerges(tx, tenantId, repositoryId, learned);
  if (moved === null) return compared;
  const vulnerability = (id: string): string => moved.vulnerabilities.get(id) ?? id;
  const place = (id: string): string => moved.places.get(id) ?? id;
  return {
    ...compared,
    changed: compared.changed.map((row) => ({
      ...row,
      vulnerabilityId: vulnerability(row.vulnerabilityId),
      locationId: place(row.locationId),
    })),
    absent: compared.absent.map((row) => ({
      ...row,
      vulnerability_id: vulnerability(row.vulnerability_id),
      location_id: place(row.location_id),
    })),
  };
}

/** New vulnerabilities about which a VEX document or a waiver has a word: they are settled like known ones. */
async function listSpokenOf(tx: ImportTx, context: ImportContext, resolved: Resolved[]): Promise<string[]> {
  const fresh = resolved.filter((row) => row.isNew);
  const waived = fresh.filter((row) => row.finding.waiver !== null).map((row) => row.vulnerabilityId);
  const advisories = new Set(fresh.flatMap((row) => row.advisory ?? []));
  if (advisories.size === 0) return waived;
  const stated = await listStated(tx, context.tenantId, context.repositoryId, [...advisories]);
  const named = fresh.filter((row) => row.advisory !== null && stated.has(row.advisory));
  return [...waived, ...named.map((row) => row.vulnerabilityId)];
}

// What the stream has not reported just so before, and what it does not report any more.
async function compareKeys(
  tx: ImportTx,
  { tenantId, scanId }: ImportContext,
  stream: StreamRow,
  run: PreparedRun,
  { seq, alone }: { seq: number; alone: boolean },
): Promise<Compared> {
  await copyKeys(tx, tenantId, scanId, stream.id, run.findings);
  // The planner takes a table that was empty a moment ago for one row and joins it row by row: minutes at 100,000.
  await tx.query('set local enable_nestloop = off');
  const unmatched = await findUnmatched(tx, tenantId, scanId, stream.id);
  const absent = await listAbsent(tx, tenantId, scanId, stream.id);
  if (alone) await insertAloneSightings(tx, tenantId, scanId, stream.id, seq);
  await tx.query('set local enable_nestloop = on');
  await deleteKeys(tx, tenantId, scanId);
  return { ...split(run, unmatched), absent };
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
  for (const batch of batches(groupByVulnerability(shown), wordBatchSize)) {
    const rows = batch.map((group) => reporterOf(context, stream, group.vulnerabilityId, group.rows));
    await upsertReporters(tx, context.tenantId, rows);
  }
  const seen = new Set(open.map((row) => row.vulnerability_id));
  const unseen = vulnerabilityIds.filter((id) => !seen.has(id));
  await endReporters(tx, context.tenantId, stream.id, unseen);
}
