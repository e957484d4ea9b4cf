/** A scan of a reference, written in the transaction that locks its repository. */
import { chooseDefault } from '../../actions/repositories/default-branch.ts';
import { describeReference } from '../../actions/repositories/describe-reference.ts';
import type { ChangeTx } from '../../db/database.ts';
import { parseReference } from '../../domain/reference-name.ts';
import { maxKeptTexts, maxKeptTools, type WrittenScan } from '../../domain/written-scan.ts';
import { staysWhereBlocked } from '../../inventory/repositories/create.ts';
import { markToMatch } from '../../inventory/repositories/references-to-match.ts';
import {
  getActivity,
  getDescription,
  type ReferenceDescriptionRow,
} from '../../inventory/repositories/store.ts';
import { requiresApproval } from '../../policies/exceptions/requires-approval.ts';
import { listComparedWith } from '../../policies/verdict/compared-reference-store.ts';
import { reconcileReference } from '../../vulnerabilities/reconcile-scope.ts';
import { matchIfDue } from '../matching/match-uploaded.ts';
import { type ScanRow, updateScanned } from '../scans/store.ts';
import type { ShownImport } from './import.ts';
import type { ImportContext } from './import-context.ts';
import { mergePending } from './late-aliases.ts';
import { readOwnership } from './ownership.ts';
import type { Progress } from './progress.ts';

/**
 * Applies what the sender says about the reference, then imports the report by `importFindings`. The commit steps
 * evaluate policies for its changes, complete the scan and give it its verdict.
 */
export async function writeScan(
  tx: ChangeTx,
  scan: ScanRow,
  report: Pick<WrittenScan, 'format' | 'tools' | 'warnings' | 'unreadable'> & Pick<ImportContext, 'reader'>,
  progress: Progress,
  importFindings: (context: ImportContext) => Promise<ShownImport>,
): Promise<WrittenScan> {
  const { changes } = tx;
  changes.at = scan.scanned_at;
  // Locked, so that the sweep cannot mark the reference as quiet before the transaction ends.
  const before = await getDescription(tx, scan.reference_id);
  // An older report says nothing valid about its reference, because a newer report has described it since.
  const isOlder = before.lastScannedAt !== null && before.lastScannedAt > scan.scanned_at;
  // Policies of every target type may depend on the reference; only policies about vulnerabilities depend on a
  // decision.
  const mayDescribe = scan.may_override_policy || !(await requiresApproval(tx, scan.repository_id));
  const warnings = [...report.warnings, ...(isOlder ? [] : await describe(tx, scan, before, mayDescribe))];
  const reference = await getActivity(tx, scan.reference_id);
  await updateScanned(tx, scan);
  const cause = { scanId: scan.id, actorId: null, at: scan.scanned_at };
  if (!reference.active) {
    await reconcileReference(tx, scan.reference_id, cause);
    changes.markTargetsChanged(scan.repository_id);
    await markToMatch(tx, [scan.reference_id]);
  }
  const [ownership] = await Promise.all([
    readOwnership(tx, scan.repository_id),
    mergePending(tx, scan.repository_id, cause),
  ]);
  const context: ImportContext = {
    scanId: scan.id,
    repositoryId: scan.repository_id,
    reader: report.reader,
    reference: {
      id: scan.reference_id,
      fullRef: scan.full_ref,
      isDefault: reference.is_default,
      tracked: reference.tracked,
      active: !isOlder || reference.active,
    },
    scannedAt: scan.scanned_at,
    partial: scan.partial,
    category: scan.category,
    source: scan.source,
    sha: scan.sha,
    fileName: scan.file_name,
    force: scan.force,
    mayConfirm: true,
    mayDecide:
      scan.may_decide && (mayDescribe || !(await requiresApproval(tx, scan.repository_id, 'vulnerability'))),
    overridesPolicy: scan.may_override_policy,
    ...ownership,
  };
  changes.showsFixes = true;
  const shown = await importFindings(context);
  changes.showsFixes = false;
  const isDue = !reference.active || reference.to_match;
  const imported = isDue ? await matchIfDue(tx, context, shown) : shown;
  progress.step('evaluating');
  // The first scan of a reference shows that a repository lives whose default branch has ended.
  const isFirst = before.lastScannedAt === null;
  changes.markTargetsChanged(
    scan.repository_id,
    isFirst ? ['analysis', 'provider', 'repository'] : ['analysis'],
  );
  changes.markTargetsChangedOn(scan.reference_id, scan.repository_id, ['asset']);
  // References that are compared with this one compare with this scan from now on.
  if (!imported.isLate && !scan.dry_run)
    changes.markVerdicts(await listComparedWith(tx, scan.repository_id, scan.full_ref));
  changes.scan = {
    id: scan.id,
    repositoryId: scan.repository_id,
    referenceId: scan.reference_id,
    isDryRun: scan.dry_run,
    scannedAt: scan.scanned_at,
    format: report.format,
    tools: report.tools.slice(0, maxKeptTools),
    counts: imported.counts,
    warnings: [...warnings, ...imported.warnings].slice(0, maxKeptTexts),
    unreadable: report.unreadable.slice(0, maxKeptTexts),
    // Policies are not evaluated for a late report, so it has no verdict.
    ...(imported.isLate ? { verdict: null } : {}),
  };
  return changes.scan;
}

/**
 * Applies the values that the sender gives for the repository and the reference. Returns a warning for each value that
 * is not applied. A dry run changes nothing here. Where a policy blocks, only a sender with that right may change the
 * default branch or the environment of the reference.
 */
async function describe(
  tx: ChangeTx,
  scan: ScanRow,
  before: ReferenceDescriptionRow,
  mayChange: boolean,
): Promise<string[]> {
  if (scan.dry_run) return [];
  const { changes } = tx;
  const actor = { actorId: scan.uploaded_by };
  const given = scan.default_branch === null ? null : parseReference(scan.default_branch);
  const reference = { id: scan.reference_id, type: scan.reference_type };
  const isDefault = await chooseDefault(tx, scan.repository_id, reference, given, mayChange, actor);
  const { isElsewhere, kept } = await describeReference(
    tx,
    before,
    { baseRef: scan.base_ref, baseSha: scan.base_sha, environment: scan.environment },
    { mayChange, approves: scan.may_override_policy, actor },
  );
  if (isElsewhere) changes.markReferenceChanged(scan.reference_id, scan.repository_id);
  return [...(isDefault ? [] : ['default branch']), ...kept].map((property) =>
    staysWhereBlocked(`The ${property} stays as it was`),
  );
}
