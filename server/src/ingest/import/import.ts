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
import { unnamedImageCategory } from '../../parsers/reading/images.ts';
import { runsWithUnreadableRows } from '../../parsers/report.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { FindingReader } from '../prepare/finding-reader.ts';
import type { PreparedReport, PreparedRun } from '../prepare/prepared-report.ts';
import { alignSuppressions, writeClaims } from './claims.ts';
import { closeMissing } from './closing.ts';
import type { ImportContext } from './import-context.ts';
import { matchAndWrite, type WrittenFinding } from './match-and-write.ts';
import { placeRun } from './place-run.ts';
import type { Progress } from './progress.ts';
import { recordRun } from './record-run.ts';
import { type RunInSeries, runsInSeries } from './runs-in-series.ts';
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
  /** A run has replaced the packages of its series. */
  replacesPackages: boolean;
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
  let replacesPackages = false;
  const warnings: string[] = [];
  const versionIds: PackageVersionId[] = [];
  const unread = runsWithUnreadableRows(report.runs, report.unreadable);
  for (const run of runsInSeries(report.runs, context.category)) {
    const isIncomplete = !context.force && unread.has(run.pointer);
    const imported = await importRun(tx, context, report, run, isIncomplete, counter);
    counts = addCounts(counts, imported.counts);
    if (imported.isLate) isLate = true;
    if (imported.listsPackages) listsPackages = true;
    if (imported.replacesPackages) replacesPackages = true;
    warnings.push(...imported.warnings);
    if (context.category === null && run.category === unnamedImageCategory) warnings.push(namelessImage(run));
    versionIds.push(...imported.versionIds);
  }
  const statements = await writeStatements(tx, context, report.statements);
  if (statements !== null) counts = { ...counts, statements };
  if (statements !== null && statements.unmatched > 0)
    warnings.push(unmatchedStatements(statements.unmatched));
  return { counts, isLate, warnings, listsPackages, replacesPackages, versionIds };
}

function unmatchedStatements(count: number): string {
  const one = 'One statement is about no known vulnerability of the repository: it is kept, and counts when';
  const more = `${count} statements are about no known vulnerability of the repository: they are kept, and count when`;
  return `${count === 1 ? one : more} a report finds it.`;
}

function namelessImage({ tool, image }: RunInSeries): string {
  const shared = `so ${tool} has one series for all such images of this reference`;
  return image === null
    ? `The report does not name its image, ${shared}. Give each image its own --category.`
    : `The image has no name but its digest, ${shared}. Scan the image by its name, or give each its own --category.`;
}

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

/** Imports a run. `isIncomplete` says that some of its rows could not be read, so that it closes nothing. */
async function importRun(
  tx: ChangeTx,
  context: ImportContext,
  report: PreparedReport,
  run: RunInSeries,
  isIncomplete: boolean,
  counter: ProgressCounter,
): Promise<ImportResult> {
  const cause: Cause = { scanId: context.scanId, actorId: null, at: context.scannedAt };
  const findings = new FindingReader(run.findings, report.helps, tx.tenantId);
  counter.step('comparing');
  const placed = await placeRun(tx, context, run, findings, isIncomplete);
  const { series, compared, adding } = placed;
  const { changed, absent } = compared;
  counter.step('writing', findings.length - compared.unmatched.length);
  const written = await matchAndWrite(tx, context, series, cause, findings, run.groups, compared, (done) =>
    counter.step('writing', done),
  );

  counter.step('reconciling');
  const { missing, held } = await closeMissing(tx, context, series, absent, written, run.showsScan);
  const existing = new Set([
    ...written.filter((row) => !row.isNew).map((row) => row.vulnerabilityId),
    ...changed.map((row) => row.vulnerability_id),
    ...missing.map((row) => row.vulnerability_id),
  ]);
  await writeClaims(tx, context, series, findings, [...existing]);
  const withStatements = await listWithStatements(tx, context, written);
  const unseen = [...new Set(absent.map((row) => row.vulnerability_id))];
  const suppressed = await alignSuppressions(tx, context, series, unseen);
  const reconciled = await reconcile(tx, {
    ids: [...existing, ...withStatements, ...suppressed],
    changedOn: [context.reference.id],
    cause,
  });
  // The same bytes are read again if statements in them count by the time of their arrival, if a suppression in them
  // ends, if they leave open what they do not show, if their packages are matched with the advisories of the time, or
  // if they only add to other reports.
  const listsPackages = !series.late && run.manifests.length > 0;
  const isReadAgain =
    report.statements.length > 0 ||
    findings.suppressionEnds ||
    missing.length < absent.length ||
    listsPackages ||
    series.addsOnly;
  const { versionIds, isAdding, seen, replaced } = await recordRun(
    tx,
    context,
    run,
    placed,
    held,
    isReadAgain,
  );

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
  const warnings = adding === null ? replaced : [adding.warning];
  const replacesPackages = listsPackages && !isAdding;
  return { counts, isLate: series.late, warnings, listsPackages, replacesPackages, versionIds };
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
