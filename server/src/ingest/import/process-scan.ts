/**
 * Processing takes the oldest waiting scan of a repository or workspace from its encrypted report to `completed` or
 * `failed`.
 *
 * A repository has one scan in progress at a time, in the order of the scans. A scan belongs to its worker as long as
 * the worker sends heartbeats (`progress.ts`). A worker that dies leaves nothing half-written, because its transaction
 * is rolled back; another worker takes the scan half a minute later. The import holds the lock of the repository until
 * its commit, against merges, splits and a worker that comes back.
 */

import { chooseDefault } from '../../actions/repositories/default-branch.ts';
import { describeReference } from '../../actions/repositories/describe-reference.ts';
import type { Config } from '../../config.ts';
import { type Database, importTx, type Tx, tenantTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { ChangeSet } from '../../domain/change-set.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { parseReference } from '../../domain/reference-name.ts';
import { staysWhereBlocked } from '../../inventory/repositories/create.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import { ReportError } from '../../parsers/report.ts';
import { evaluateChanges } from '../../policies/evaluation/evaluate-changes.ts';
import { requiresApproval } from '../../policies/exceptions/requires-approval.ts';
import { listComparedWith, refreshVerdicts } from '../../policies/verdict/verdict.ts';
import { reconcileReference } from '../../vulnerabilities/reconcile-scope.ts';
import { parseInThread } from '../prepare/parser-thread.ts';
import type { PreparedReport } from '../prepare/prepared-report.ts';
import {
  completeScan,
  type FirstScan,
  failScan,
  findNextScan,
  listFirstScans,
  releaseScan,
  type ScanError,
  type ScanRow,
  startScan,
  updateScanned,
} from '../scans/store.ts';
import { deleteReport, listPieces, type ReportId } from '../upload/waiting-report.ts';
import { learnNames, type Teacher } from './advisories.ts';
import { importReport } from './import.ts';
import type { ImportCounts } from './import-context.ts';
import { mergePending } from './late-aliases.ts';
import { lostAfterMs, type Progress, showProgress } from './progress.ts';

// A scan fails for good after this many starts, so that it does not stop the scans behind it.
const maxAttempts = 4;

export interface ProcessDependencies {
  db: Database;
  secret: InstallSecret;
  config: Config;
  /** It is called with each step as the step begins. Measurements use it. */
  watch?: (step: string) => void;
  warn?: (data: object, message: string) => void;
}

export interface Processed {
  scans: number;
  /**
   * More scans may wait, so the caller must ask again a little later: another worker holds the next scan and may be
   * lost.
   */
  again: boolean;
}

/** The scan failed, but not because of its report. It waits for another attempt. */
export class ProcessingError extends Error {
  readonly scanId: string;

  constructor(scanId: string, cause: unknown) {
    super(`scan ${scanId}: ${(cause as Error).message}`, { cause });
    this.scanId = scanId;
  }
}

/** Processes all waiting scans of the repository. Throws ProcessingError if the scan must be tried again. */
export async function processRepository(
  dependencies: ProcessDependencies,
  tenantId: TenantId,
  repositoryId: string,
): Promise<Processed> {
  for (let scans = 0; ; scans++) {
    const claimed = await tenantTx(dependencies.db, tenantId, (tx) => claim(tx, repositoryId));
    if (typeof claimed === 'string') return { scans, again: claimed === 'held' };
    await processClaimed(dependencies, tenantId, claimed);
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
): Promise<'processed' | 'later' | 'nothing waits'> {
  const { db } = dependencies;
  const found = await tenantTx(db, tenantId, async (tx) => {
    const [first, second] = await listFirst(tx);
    if (!first) return 'nothing waits';
    const claimed = first.is_free ? await claim(tx, first.repository_id) : 'held';
    if (second?.is_free) await sendNext(tx);
    // Another worker was faster. If another scan is free, its job is sent already.
    return typeof claimed === 'string' ? 'later' : claimed;
  });
  if (typeof found === 'string') return found;
  await processClaimed(dependencies, tenantId, found);
  await tenantTx(db, tenantId, async (tx) => {
    const [first] = await listFirst(tx);
    if (first?.is_free) await sendNext(tx);
  });
  return 'processed';
}

function listFirst(tx: Tx): Promise<FirstScan[]> {
  const now = Date.now();
  return listFirstScans(tx, { now: new Date(now), lostBefore: new Date(now - lostAfterMs) });
}

interface Claimed {
  scan: ScanRow;
  attempts: number;
  /** It is null if the scan was started too often and is given up. */
  pieces: Uint8Array[] | null;
}

async function claim(tx: Tx, repositoryId: string): Promise<Claimed | 'held' | 'nothing waits'> {
  const scan = await findNextScan(tx, repositoryId);
  if (!scan) return 'nothing waits';
  const attempts = await startScan(tx, scan.id, new Date(Date.now() - lostAfterMs));
  if (attempts === null) return 'held';
  if (attempts > maxAttempts) return { scan, attempts, pieces: null };
  return { scan, attempts, pieces: await listPieces(tx, { tenantId: tx.tenantId, scanId: scan.id }) };
}

async function processClaimed(
  { db, secret, config, watch, warn }: ProcessDependencies,
  tenantId: TenantId,
  { scan, attempts, pieces }: Claimed,
): Promise<void> {
  const repositoryId = scan.repository_id;
  if (pieces === null) {
    warn?.({ scanId: scan.id, attempts: maxAttempts }, 'scan given up');
    await failScanOfOurs(db, tenantId, scan.id, config.keepReportsDays);
    return;
  }
  const progress = showProgress(db, tenantId, { id: scan.id, attempts }, watch);
  try {
    progress.step('reading');
    const report = await parse(scan, pieces, { tenantId, scanId: scan.id }, secret, config);
    if (report instanceof ReportError) {
      await finishFailed(db, tenantId, scan.id, report, config.keepReportsDays);
      return;
    }
    progress.step('waiting', 0, report.read);
    // A dry run learns the names inside its rehearsal, which is rolled back.
    if (!scan.dry_run) {
      await importTx(db, tenantId, (tx) => learnNames(tx, report.names, teacherOf(scan)));
    }
    await importTx(db, tenantId, async (tx) => {
      await lockRepository(tx, repositoryId);
      // Another worker may have taken this scan because this one counted as lost. Then the report is already applied.
      const next = await findNextScan(tx, repositoryId);
      if (next?.id === scan.id) await apply(tx, next, report, progress, config);
    });
  } catch (error) {
    // The release is best effort: without it, the scan becomes free once its worker counts as lost.
    await tenantTx(db, tenantId, (tx) => releaseScan(tx, { id: scan.id, attempts })).catch(() => {});
    throw new ProcessingError(scan.id, error);
  } finally {
    await progress.end();
  }
}

function teacherOf(scan: ScanRow): Teacher {
  return {
    repositoryId: scan.repository_id,
    scanId: scan.id,
    userId: scan.uploaded_by,
    // A trusted name counts in all repositories, and also where a policy blocks.
    trusted: scan.may_override_policy,
  };
}

async function parse(
  scan: ScanRow,
  pieces: Uint8Array[],
  reportId: ReportId,
  secret: InstallSecret,
  config: Config,
): Promise<PreparedReport | ReportError> {
  const limits = {
    maxFindings: config.maxFindings,
    maxNesting: config.maxNesting,
    maxTextLength: config.maxTextKb * 1024,
  };
  try {
    return await parseInThread(pieces, reportId, secret, scan.format, limits);
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

async function apply(
  tx: Tx,
  scan: ScanRow,
  report: PreparedReport,
  progress: Progress,
  { keepReportsDays }: Config,
): Promise<void> {
  const { changes } = tx;
  const { counts, verdict } = scan.dry_run
    ? await rehearse(tx, async () => {
        await learnNames(tx, report.names, teacherOf(scan));
        return write(tx, scan, report, new ChangeSet(), progress);
      })
    : await write(tx, scan, report, changes, progress);
  await completeScan(tx, scan.id, {
    format: report.format,
    tools: [...new Set(report.runs.map((run) => run.tool))],
    counts,
    warnings: report.warnings,
    unreadable: report.unreadable,
    verdict,
  });
  if (!scan.dry_run && verdict !== null) {
    // References that are compared with this one now compare with this scan, so the scan had to be complete first.
    const compared = await listComparedWith(tx, scan.repository_id, scan.full_ref);
    await refreshVerdicts(tx, compared);
  }
  if (keepReportsDays === 0) await deleteReport(tx, { tenantId: tx.tenantId, scanId: scan.id });
}

async function write(
  tx: Tx,
  scan: ScanRow,
  report: PreparedReport,
  changes: ChangeSet,
  progress: Progress,
): Promise<{ counts: ImportCounts; verdict: Verdict | null }> {
  // The row is locked so that the sweep cannot mark the reference as quiet between this read and the change.
  const lockReference = () =>
    tx.query<ReferenceNow>(
      `select is_default, tracked, active, last_scanned_at from reference
        where tenant_id = $1 and id = $2 for no key update`,
      [tx.tenantId, scan.reference_id],
    );
  const [before] = await lockReference();
  // An older report says nothing valid about its reference, because a newer report has described it since.
  const isOlder = before?.last_scanned_at != null && before.last_scanned_at > scan.scanned_at;
  // Policies of every target type may depend on the reference; only policies about vulnerabilities depend on a
  // decision.
  const mayDescribe = scan.may_override_policy || !(await requiresApproval(tx, scan.repository_id));
  if (!isOlder) report.warnings.push(...(await describe(tx, scan, mayDescribe, changes)));
  const [reference] = await lockReference();
  await updateScanned(tx, scan);
  const cause = { scanId: scan.id, actorId: null, at: scan.scanned_at };
  if (reference && !reference.active) {
    await reconcileReference(tx, scan.reference_id, cause, changes);
    changes.markTargetsChanged(scan.repository_id);
  }
  await mergePending(tx, scan.repository_id, cause, changes);
  const runs = scan.category === null ? report.runs : withCategory(report, scan.category);
  const { counts, isLate } = await importReport(
    tx,
    {
      scanId: scan.id,
      repositoryId: scan.repository_id,
      reference: {
        id: scan.reference_id,
        fullRef: scan.full_ref,
        isDefault: reference?.is_default ?? false,
        tracked: reference?.tracked ?? false,
        active: !isOlder || (reference?.active ?? true),
      },
      scannedAt: scan.scanned_at,
      partial: scan.partial,
      source: scan.source ?? 'current',
      force: scan.force,
      mayDecide:
        scan.may_decide &&
        (mayDescribe || !(await requiresApproval(tx, scan.repository_id, 'vulnerability'))),
      overridesPolicy: scan.may_override_policy,
    },
    { ...report, runs },
    changes,
    progress,
  );
  progress.step('evaluating');
  changes.markTargetsChanged(scan.repository_id, ['analysis', 'asset']);
  changes.at = scan.scanned_at;
  const references = await evaluateChanges(tx, changes);
  // Policies are not evaluated for a late report, so it has no verdict.
  if (isLate) return { counts, verdict: null };
  const found = await refreshVerdicts(tx, new Set(references ?? []).add(scan.reference_id));
  return { counts, verdict: found.get(scan.reference_id) ?? null };
}

interface ReferenceNow {
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  last_scanned_at: Date | null;
}

/**
 * Applies what the sender says about the repository and the reference beside the report. Returns a warning for each
 * value that is not taken over. A dry run changes nothing here. Where a policy blocks, only a sender with that right
 * may change the default branch or move the reference to another environment.
 */
async function describe(tx: Tx, scan: ScanRow, mayChange: boolean, changes: ChangeSet): Promise<string[]> {
  if (scan.dry_run) return [];
  const actor = { actorId: scan.uploaded_by };
  const given = scan.default_branch === null ? null : parseReference(scan.default_branch);
  const reference = { id: scan.reference_id, type: scan.reference_type };
  const isDefault = await chooseDefault(tx, scan.repository_id, reference, given, mayChange, actor, changes);
  const { isElsewhere, kept } = await describeReference(
    tx,
    scan.reference_id,
    { baseRef: scan.base_ref, baseSha: scan.base_sha, environment: scan.environment },
    { mayChange, approves: scan.may_override_policy, actor },
  );
  if (isElsewhere) changes.markReferenceChanged(scan.reference_id, scan.repository_id);
  return [...(isDefault ? [] : ['default branch']), ...kept].map((what) =>
    staysWhereBlocked(`The ${what} stays as it was`),
  );
}

// A category from the sender replaces the report's own. The order of the runs keeps several runs of one tool apart.
function withCategory(report: PreparedReport, category: string): PreparedReport['runs'] {
  const seen = new Map<string, number>();
  return report.runs.map((run) => {
    const number = (seen.get(run.tool) ?? 0) + 1;
    seen.set(run.tool, number);
    return { ...run, category: number === 1 ? category : `${category}#${number}` };
  });
}

// A dry run does all the work and rolls it back, so its result says what a real run would do.
async function rehearse<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('savepoint rehearsal');
  const result = await work();
  await tx.query('rollback to savepoint rehearsal');
  return result;
}

async function finishFailed(
  db: Database,
  tenantId: TenantId,
  scanId: string,
  { code, message, pointer, line }: ScanError,
  keepReportsDays: number,
): Promise<void> {
  await tenantTx(db, tenantId, async (tx) => {
    await failScan(tx, scanId, { code, message, pointer, line });
    if (keepReportsDays === 0) await deleteReport(tx, { tenantId, scanId });
  });
}

/** Fails a scan for an internal reason, unless another worker has finished it. */
export async function failScanOfOurs(
  db: Database,
  tenantId: TenantId,
  scanId: string,
  keepReportsDays: number,
): Promise<void> {
  const message =
    'The report could not be processed; the log of the server says why. Send it again after an update.';
  const error = { code: 'INTERNAL_ERROR', message, pointer: null, line: null };
  await finishFailed(db, tenantId, scanId, error, keepReportsDays);
}
