/**
 * Processing takes the oldest waiting scan of a repository or workspace from its encrypted report to `completed` or
 * `failed`.
 *
 * A repository has one scan in progress at a time, in the order of the scans. A scan belongs to its worker as long as
 * the worker sends heartbeats (`progress.ts`). A worker that dies leaves nothing half-written, because its transaction
 * is rolled back; another worker takes the scan half a minute later. The import holds the lock of the repository until
 * its commit, against merges, splits and a worker that comes back.
 */

import type { Config } from '../../config.ts';
import { isDiskFull } from '../../db/connection-errors.ts';
import { type ChangeTx, type Database, importTx, rehearse, type Tx, tenantTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { RepositoryId, TenantId } from '../../domain/ids.ts';
import type { WrittenScan } from '../../domain/written-scan.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import type { ImportOutcome } from '../../metrics/metrics.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { ReportError } from '../../parsers/report.ts';
import {
  learnMatchedNames,
  learnNamesOfNewPackages,
  matchUploaded,
  withoutMatchTool,
} from '../matching/match-uploaded.ts';
import { parseInThread } from '../prepare/parser-thread.ts';
import type { PreparedReport } from '../prepare/prepared-report.ts';
import { failedScanEvent } from '../scans/completed-scan.ts';
import {
  type FirstScan,
  failScan,
  findFirstScan,
  findScan,
  listFirstScans,
  postponeScan,
  releaseScan,
  type ScanError,
  type ScanRow,
  startScan,
} from '../scans/store.ts';
import { deleteReport, type ReportId, readReport, type SealedReport } from '../upload/waiting-report.ts';
import { importReport } from './import.ts';
import { learnNames } from './learned-names.ts';
import { lostAfterMs, type Progress, showProgress } from './progress.ts';
import { confirmReport, readerOf } from './same-report.ts';
import { findSameReport } from './same-report-store.ts';
import { writeScan } from './write-scan.ts';

// A scan fails for good after this many starts, so that it does not stop the scans behind it.
const maxAttempts = 4;

// An operator needs time to make space, and a report that fills the disk by itself must not do so for ever.
const diskFullMs = 3_600_000;

export interface ProcessDependencies {
  db: Database;
  secret: InstallSecret;
  config: Config;
  /** Called for each scan. Metrics and traces use it. */
  observeImport?: (() => ImportObserver) | undefined;
  warn?: (data: object, message: string) => void;
}

export interface ImportObserver {
  /** Called when a step begins or continues. */
  step(name: string): void;
  /** `failed` because of the report; `retried` for any other reason. */
  end(outcome: ImportOutcome): void;
}

/** The scan failed, but not because of its report. It waits for another attempt. */
export class ProcessingError extends Error {
  readonly scan: Attempt;

  constructor(scan: Attempt, cause: unknown) {
    super(`scan ${scan.id}: ${(cause as Error).message}`, { cause });
    this.scan = scan;
  }
}

type Attempt = Pick<TakenScan, 'id' | 'attempts'>;

/**
 * Processes the scans of the repository until none waits, or another worker holds the next one, or it pauses after a
 * failed attempt. Returns their number. Throws ProcessingError if a scan must be tried again.
 */
export async function processRepository(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  repositoryId: RepositoryId,
): Promise<number> {
  for (let scans = 0; ; scans++) {
    const scan = await tenantTx(dependencies.db, tenantId, async (tx) => {
      const first = await findFirstScan(tx, repositoryId, lostAfterMs);
      return first?.is_free ? takeScan(tx, first, dependencies) : null;
    });
    if (scan === null) return scans;
    await processTaken(dependencies, tenantId, scan);
  }
}

/**
 * Processes the oldest free scan of the workspace. `sendNext` sends the job for the next scan: at once if another
 * worker may start it, otherwise when this scan is done. Returns `later` if no scan is free, because other workers hold
 * them or they pause after a failed attempt. Throws ProcessingError if the scan must be tried again later.
 */
export async function processWorkspace(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  sendNext: (tx: Tx) => Promise<void>,
): Promise<'processed' | 'later' | 'idle'> {
  const { db } = dependencies;
  const scan = await tenantTx(db, tenantId, async (tx) => {
    const [first, second] = await listFirstScans(tx, lostAfterMs);
    if (!first) return 'idle';
    const scan = first.is_free ? await takeScan(tx, first, dependencies) : null;
    if (second?.is_free) await sendNext(tx);
    // Another worker was faster. If another scan is free, its job is sent already.
    return scan ?? 'later';
  });
  if (typeof scan === 'string') return scan;
  await processTaken(dependencies, tenantId, scan);
  await tenantTx(db, tenantId, async (tx) => {
    const [first] = await listFirstScans(tx, lostAfterMs);
    if (first?.is_free) await sendNext(tx);
  });
  return 'processed';
}

interface TakenScan extends ScanRow {
  attempts: number;
  /**
   * The report, or `same` if another scan has shown the same. Null if the scan is given up: it was started too often,
   * or has no report.
   */
  report: 'same' | SealedReport | null;
}

/** Returns null if another worker holds the scan. */
async function takeScan(
  tx: Tx,
  { id }: FirstScan,
  dependencies: ProcessDependencies,
): Promise<TakenScan | null> {
  const attempts = await startScan(tx, id, lostAfterMs);
  const scan = attempts === null ? undefined : await findScan(tx, id);
  if (attempts === null || !scan) return null;
  if (attempts > maxAttempts) return { ...scan, attempts, report: null };
  const same = await findSameReport(tx, scan, readerIn(dependencies));
  const report = same === null ? await readReport(tx, reportIdOf(tx.tenantId, scan)) : 'same';
  return { ...scan, attempts, report };
}

function reportIdOf(tenantId: TenantId, { id: scanId }: ScanRow): ReportId {
  return { tenantId, scanId };
}

async function processTaken(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  scan: TakenScan,
): Promise<void> {
  const { attempts } = scan;
  const { db, config, observeImport, warn } = dependencies;
  if (scan.report === null) {
    const reason = attempts > maxAttempts ? 'started too often' : 'its report is not there';
    warn?.({ scanId: scan.id, attempts: Math.min(attempts, maxAttempts), reason }, 'scan given up');
    await failOwnScan(db, tenantId, scan, config.keepReportsDays);
    return;
  }
  const observer = observeImport?.();
  let outcome: ImportOutcome = 'retried';
  const progress = showProgress(db, tenantId, scan, observer?.step);
  try {
    const isConfirmed = scan.report === 'same' && (await confirm(dependencies, tenantId, scan, progress));
    const report = isConfirmed ? null : await read(dependencies, tenantId, scan, progress);
    if (report instanceof ReportError) {
      await finishFailed(db, tenantId, scan, report, config.keepReportsDays);
      outcome = 'failed';
      return;
    }
    if (report !== null) await importRead(dependencies, tenantId, scan, report, progress);
    outcome = 'completed';
  } catch (error) {
    // The release is best effort: without it, the scan becomes free once its worker counts as lost.
    await tenantTx(db, tenantId, (tx) => releaseScan(tx, scan, nextAttempt(scan, error))).catch(() => {});
    throw new ProcessingError(scan, error);
  } finally {
    observer?.end(outcome);
    await progress.end();
  }
}

/**
 * A report is not lost by a full disk: for an hour after the first attempt, the last one is kept, and the pauses are a
 * minute longer.
 */
function nextAttempt(
  { started_at: startedAt, attempts }: TakenScan,
  error: unknown,
): { counted: number; pauseSeconds: number } {
  const isKept = isDiskFull(error) && Date.now() - (startedAt?.getTime() ?? 0) < diskFullMs;
  return isKept
    ? { counted: Math.min(attempts, maxAttempts - 1), pauseSeconds: 60 }
    : { counted: attempts, pauseSeconds: 0 };
}

/** Completes a scan that shows the same as another one. Returns false if it no longer does. */
async function confirm(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  scan: TakenScan,
  progress: Progress,
): Promise<boolean> {
  const reader = readerIn(dependencies);
  let isSame = true;
  await inRepository(dependencies, tenantId, scan, async (tx) => {
    const same = await findSameReport(tx, scan, reader);
    isSame = same !== null;
    if (same === null) return;
    progress.step('reconciling', same.counts.read, same.counts.read);
    const { format, tools } = same;
    const report = { format, tools, warnings: [], unreadable: [], reader };
    await writeScan(tx, scan, report, progress, (context) => confirmReport(tx, context, same));
  });
  return isSame;
}

async function importRead(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  scan: TakenScan,
  report: PreparedReport,
  progress: Progress,
): Promise<void> {
  const { db } = dependencies;
  progress.step('waiting', 0, report.read);
  // A dry run learns the names inside its rehearsal, which is rolled back.
  if (!scan.dry_run) {
    if (report.names.length > 0) await importTx(db, tenantId, (tx) => learnNames(tx, report.names, scan));
    await learnMatchedNames(db, tenantId, report, scan);
  }
  const { format, warnings, unreadable } = report;
  const tools = [...new Set(report.runs.map((run) => run.tool))];
  const reader = readerIn(dependencies);
  const importInto = (tx: ChangeTx): Promise<WrittenScan> =>
    writeScan(tx, scan, { format, tools, warnings, unreadable, reader }, progress, async (context) => {
      const imported = await importReport(tx, context, report, progress);
      if (!imported.listsPackages) return imported;
      const { counts, warnings } = await matchUploaded(tx, context, report, imported);
      return { counts, isLate: imported.isLate, warnings: [...imported.warnings, ...warnings] };
    });
  await inRepository(dependencies, tenantId, scan, async (tx) => {
    if (scan.dry_run) {
      // The changes of a rehearsal are its own and gone with it, so the scan is noted here.
      tx.changes.scan = await rehearse(db, tx, async (rehearsal) => {
        await learnNames(rehearsal, report.names, scan);
        await learnNamesOfNewPackages(rehearsal, report, scan);
        return importInto(rehearsal);
      });
    } else await importInto(tx);
  });
}

/**
 * Works in the transaction of the scan, which locks the repository. It deletes the report of a scan that it completes.
 */
async function inRepository(
  { db, config }: ProcessDependencies,
  tenantId: TenantId,
  scan: TakenScan,
  work: (tx: ChangeTx) => Promise<void>,
): Promise<void> {
  await importTx(db, tenantId, async (tx) => {
    await lockRepository(tx, scan.repository_id);
    const first = await findFirstScan(tx, scan.repository_id, lostAfterMs);
    if (first?.id !== scan.id) {
      // Another worker may have taken this scan because this one counted as lost. Then it is final. If it is not, an
      // earlier scan has come meanwhile: a scan has its place from the beginning of its upload.
      await postponeScan(tx, scan);
      return;
    }
    await work(tx);
    const isDone = tx.changes.scan !== null;
    if (isDone && config.keepReportsDays === 0) await deleteReport(tx, reportIdOf(tenantId, scan));
  });
}

/** Prepares the report. It is not yet read if the scan was taken for the same as another one, and is not. */
async function read(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  scan: TakenScan,
  progress: Progress,
): Promise<PreparedReport | ReportError> {
  const { db, secret } = dependencies;
  const reportId = reportIdOf(tenantId, scan);
  progress.step('reading');
  const report =
    scan.report === 'same' ? await tenantTx(db, tenantId, (tx) => readReport(tx, reportId)) : scan.report;
  if (report === null) throw new Error('the report is not there any more');
  try {
    return withoutMatchTool(
      await parseInThread(report, reportId, secret, scan.format, limitsOf(dependencies)),
    );
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

function limitsOf({ config }: ProcessDependencies): Limits {
  return {
    maxFindings: config.maxFindings,
    maxNesting: config.maxNesting,
    maxTextLength: config.maxTextKb * 1024,
    maxInflatedBytes: config.maxInflatedMb * 1024 * 1024,
    maxInflationRatio: config.maxInflationRatio,
  };
}

const readerIn = (dependencies: ProcessDependencies): string =>
  readerOf(dependencies.secret, limitsOf(dependencies));

async function finishFailed(
  db: Database,
  tenantId: TenantId,
  scan: Attempt,
  { code, message, pointer, line }: ScanError,
  keepReportsDays: number,
): Promise<void> {
  await tenantTx(db, tenantId, async (tx) => {
    const failed = await failScan(tx, scan, { code, message, pointer, line });
    if (failed === undefined) return;
    tx.changes.addEvent(failedScanEvent(failed, code));
    if (keepReportsDays === 0) await deleteReport(tx, { tenantId, scanId: scan.id });
  });
}

/** Fails a scan for an internal reason, unless another worker has taken it since this attempt. */
export async function failOwnScan(
  db: Database,
  tenantId: TenantId,
  scan: Attempt,
  keepReportsDays: number,
): Promise<void> {
  const message =
    'The report could not be processed; the log of the server says why. Send it again after an update.';
  const error = { code: 'INTERNAL_ERROR', message, pointer: null, line: null };
  await finishFailed(db, tenantId, scan, error, keepReportsDays);
}
