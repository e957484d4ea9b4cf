/**
 * The import turns a prepared report into vulnerabilities, locations and observations. It runs in one transaction of
 * its tenant and locks the repository. It works on sets: the number of statements grows with batches, never with
 * findings. A complete report with the same findings as the last one writes no row per finding. A partial or late
 * report keeps one observation per finding.
 *
 * For each run of the report, the keys are compared with those of the open observations of its series. Findings that
 * are neither new nor changed need no more work. The others are resolved (packages and secrets by identity, code by the
 * match rules) and written in batches. Then the import closes observations that the series no longer sees. At the end
 * `reconcile` updates status, counters and history.
 */
import { readColumnTypes } from '../../db/bulk.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { PackageVersionId, ReferenceId, VulnerabilityId } from '../../domain/ids.ts';
import { addCounts, type ImportCounts, noCounts } from '../../domain/written-scan.ts';
import { digestCategory } from '../../parsers/reading/images.ts';
import { hasUnreadableRows, type RunOutcome } from '../../parsers/report.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { FindingReader } from '../prepare/finding-reader.ts';
import type { PreparedReport, PreparedRun } from '../prepare/prepared-report.ts';
import { findAdding } from './adding-report.ts';
import { alignSuppressions, writeClaims } from './claims.ts';
import { checkMassClosure, closeObservations } from './closing.ts';
import { compareKeys } from './compare.ts';
import { withoutGaps } from './gaps.ts';
import type { ImportContext } from './import-context.ts';
import { countDetached, countLive, insertSeriesScan, updateSeries, upsertSeries } from './import-store.ts';
import { writeInventory } from './inventory.ts';
import { matchAndWrite, type WrittenFinding } from './match-and-write.ts';
import type { Progress } from './progress.ts';
import { markReplaced } from './replaced-series.ts';
import { findRunSource } from './run-source.ts';
import { type RunInSeries, runsInSeries } from './runs-in-series.ts';
import { describeCoverage } from './scan-coverage.ts';
import { listStated } from './statement-store.ts';
import { writeStatements } from './statements.ts';

/** The part of an import's result that its scan shows. */
export interface ShownImport {
  counts: ImportCounts;
  /** A series has a newer report already, so nothing of this one was applied there. */
  isLate: boolean;
  warnings: string[];
}

export interface ImportResult extends ShownImport {
  /** A run that is not late lists packages. */
  listsPackages: boolean;
  /** Versions of packages that are new in the workspace, or have gained a license. */
  versionIds: PackageVersionId[];
}

/**
 * Writes the report and marks its changes in the change set. Statements that need no answer of each other are sent
 * together.
 */
export async function importReport(
  tx: ChangeTx,
  context: ImportContext,
  report: PreparedReport,
  progress: Progress,
): Promise<ImportResult> {
  await readColumnTypes(tx);
  let counts: ImportCounts = { ...noCounts, read: report.read, unreadable: report.unreadable.length };
  const counter = new ProgressCounter(progress, report.runs);
  let isLate = false;
  let listsPackages = false;
  const warnings: string[] = [];
  const versionIds: PackageVersionId[] = [];
  for (const run of runsInSeries(report.runs, context.category)) {
    const isIncomplete = !context.force && hasUnreadableRows(run, report.unreadable);
    const imported = await importRun(tx, context, report, run, isIncomplete, counter);
    counts = addCounts(counts, imported.counts);
    if (imported.isLate) isLate = true;
    if (imported.listsPackages) listsPackages = true;
    warnings.push(...imported.warnings);
    if (run.category === digestCategory) warnings.push(namelessImage(run.tool));
    versionIds.push(...imported.versionIds);
  }
  await writeStatements(tx, context, report.statements);
  return { counts, isLate, warnings, listsPackages, versionIds };
}

const namelessImage = (tool: string): string =>
  `The image has no name but its digest, so ${tool} has one series for all such images of this reference. Scan the image by its name, or give each its own --category.`;

/** Counts the findings of all runs that are done. */
class ProgressCounter {
  #done = 0;
  readonly #total: number;
  readonly #progress: Progress;

  constructor(progress: Progress, runs: PreparedRun[]) {
    this.#progress = progress;
    this.#total = runs.reduce((sum, run) => sum + run.findings.digests.length, 0);
  }

  step(name: string, done = 0): void {
    this.#done += done;
    this.#progress.step(name, this.#done, this.#total);
  }
}

/**
 * Imports a run. `isIncomplete` says that some of its rows could not be read, so that it closes nothing. Returns the counts
 * of its vulnerabilities, whether the series already has a newer report, warnings for people, and the versions that
 * `writeInventory` has written.
 */
async function importRun(
  tx: ChangeTx,
  context: ImportContext,
  report: PreparedReport,
  run: RunInSeries,
  isIncomplete: boolean,
  counter: ProgressCounter,
): Promise<ImportResult> {
  const { scanId, scannedAt } = context;
  const cause: Cause = { scanId, actorId: null, at: scannedAt };
  const { source, isUnclear } = await findRunSource(tx, context, run);
  const series = await upsertSeries(tx, {
    repositoryId: context.repositoryId,
    referenceId: context.reference.id,
    tool: run.tool,
    category: run.category,
    source,
  });
  const late = series.last_scanned_at !== null && series.last_scanned_at > scannedAt;
  const findings = new FindingReader(run.findings, report.helps, tx.tenantId);
  const outcome = outcomeOf(run, context, findings.length);
  // A partial, incomplete, failed or late report is no evidence that a finding which it lacks is fixed.
  const detached = late || context.partial || isIncomplete || outcome !== 'succeeded';
  const seq = series.last_seq + 1;

  counter.step('comparing');
  const [, compared, adding] = await Promise.all([
    insertSeriesScan(tx, { scanId, seriesId: series.id, seq, detached, late, outcome }),
    compareKeys(tx, series, findings, { seq, detached }),
    late ? null : findAdding(tx, context, series, run, isUnclear),
  ]);
  const addsOnly = adding !== null;
  counter.step('writing', findings.length - compared.unmatched.length);
  const newestAt = series.last_scanned_at;
  // The gap without a field is everything.
  const gaps = context.force ? [] : addsOnly ? [{}] : run.gaps;
  const history = source === 'git_history';
  const seriesNow = { ...series, tool: run.tool, history, seq, late, detached, gaps, addsOnly, newestAt };
  const { changed, absent } = compared;
  // A finding that a report only adds takes the place of none that it does not show: those are still where they were.
  const free = addsOnly ? { ...compared, absent: [] } : compared;
  const written = await matchAndWrite(tx, context, seriesNow, cause, findings, run.groups, free, (done) =>
    counter.step('writing', done),
  );

  counter.step('reconciling');
  const missed = detached ? [] : await withoutGaps(tx, seriesNow, absent);
  const held =
    detached || addsOnly ? null : await checkMassClosure(tx, context, series, missed, written, run.showsScan);
  const missing = held === null ? missed : [];
  await closeObservations(tx, series.id, seq, scannedAt, missing);
  const existing = new Set([
    ...written.filter((row) => !row.isNew).map((row) => row.vulnerabilityId),
    ...changed.map((row) => row.vulnerabilityId),
    ...missing.map((row) => row.vulnerability_id),
  ]);
  await writeClaims(tx, context, seriesNow, findings, [...existing]);
  const withStatements = await listWithStatements(tx, context, written);
  const unseen = [...new Set(absent.map((row) => row.vulnerability_id))];
  const suppressed = await alignSuppressions(tx, context, seriesNow, unseen);
  const reconciled = await reconcile(tx, {
    ids: [...existing, ...withStatements, ...suppressed],
    cause,
  });
  const listsPackages = !late && run.manifests.length > 0;
  const versionIds = late ? null : await writeInventory(tx, context, series, run, detached || addsOnly);
  if (versionIds !== null) {
    tx.changes.markTargetsChanged(context.repositoryId, ['package', 'package_version', 'manifest']);
  }
  const coverage = detached ? undefined : await describeCoverage(tx, series, run);
  const isFirst = series.last_seq === 0 && !detached;
  const [seen, replaced] = await Promise.all([
    detached ? countDetached(tx, series.id, seq) : countLive(tx, series.id),
    isFirst ? markReplaced(tx, context.reference.id, series, run.tool) : [],
    updateSeries(tx, series.id, {
      seq,
      scannedAt: late ? null : scannedAt,
      scanId: late ? null : scanId,
      succeededAt: late || outcome !== 'succeeded' || adding?.isFailed === true ? null : scannedAt,
      // The report is read again if its statements count by the time of their arrival, if its packages are matched with
      // the advisories of that time, if a suppression in it ends, if it only adds, or if it leaves open what it does not
      // show.
      reader:
        report.statements.length > 0 ||
        listsPackages ||
        findings.suppressionEnds ||
        addsOnly ||
        missing.length < absent.length
          ? null
          : context.reader,
      ...(detached || addsOnly ? {} : { held: held?.digest ?? null }),
      ...(coverage === undefined ? {} : { coverage }),
    }),
  ]);

  const here = (pair: { referenceId: ReferenceId }): boolean => pair.referenceId === context.reference.id;
  const created = new Set(written.filter((row) => row.isNew).map((row) => row.vulnerabilityId)).size;
  const reopened = reconciled.reopened.filter(here).length;
  const stillOpen = held?.vulnerabilities ?? 0;
  const counts = {
    ...noCounts,
    new: created,
    reopened,
    fixed: reconciled.closed.filter(here).length,
    unchanged: Math.max(0, seen - stillOpen - created - reopened),
    suppressed: findings.suppressed,
    closing_held: stillOpen,
  };
  const warnings = addsOnly ? [adding.warning] : replaced;
  return { counts, isLate: late, warnings, listsPackages, versionIds: versionIds ?? [] };
}

// A partial report without findings may have scanned nothing, so it does not prove that anything is clean.
function outcomeOf(run: PreparedRun, { partial }: ImportContext, findings: number): RunOutcome {
  return run.outcome === 'succeeded' && partial && findings === 0 ? 'scanned_nothing' : run.outcome;
}

/** Lists new vulnerabilities that a VEX document or a suppression covers. They are reconciled like known ones. */
async function listWithStatements(
  tx: Tx,
  context: ImportContext,
  written: WrittenFinding[],
): Promise<VulnerabilityId[]> {
  const created = written.filter((row) => row.isNew);
  const suppressed = created.filter((row) => row.suppressed).map((row) => row.vulnerabilityId);
  const advisories = new Set(created.flatMap((row) => row.advisory ?? []));
  if (advisories.size === 0) return suppressed;
  const stated = await listStated(tx, context.repositoryId, [...advisories]);
  const named = created.filter((row) => row.advisory !== null && stated.has(row.advisory));
  return [...suppressed, ...named.map((row) => row.vulnerabilityId)];
}
