/**
 * Intake accepts a received report for a repository and a reference, and creates both if they are missing. It writes
 * scan and job in one transaction: after the commit nothing is lost, and before it the report does not count.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { ChangeTx } from '../../db/database.ts';
import { conflictingInput, idempotencyKeyReused } from '../../domain/errors.ts';
import type { RepositoryId, ScanId, UserId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
import { dayMs } from '../../domain/time.ts';
import {
  findIdentifiedDefault,
  getOrCreateReference,
  getOrCreateRepository,
  type RepositoryIdentity,
} from '../../inventory/repositories/create.ts';
import { sendImportJob } from '../../jobs/queue.ts';
import { requiresApproval } from '../../policies/exceptions/requires-approval.ts';
import {
  findByIdempotencyKey,
  findLatestSame,
  forgetIdempotencyKeys,
  insertScan,
  isImporting,
  lockIdempotencyKey,
  sumWaitingBytes,
} from './intake-store.ts';
import { scanTimeOf } from './scan-time.ts';
import { tooMuchWaits } from './waiting-bytes.ts';
import { deleteReport, type WaitingReport } from './waiting-report.ts';

/** The values that come with a report. */
export interface ReportInput {
  repository: RepositoryIdentity;
  /** Null means the default branch of the repository. */
  reference: ReferenceName | null;
  /** If it is given, it is the default branch of the repository from now on. */
  defaultBranch: ReferenceName | null;
  sha: string | null;
  /** The base that a pull request is compared with. */
  baseRef: ReferenceName | null;
  baseSha: string | null;
  /** The environment to which the reference is deployed, such as `production`. */
  environment: string | null;
  /** The time as the sender gives it; null means the time of arrival. */
  scannedAt: Date | null;
  category: string | null;
  format: string;
  /** Null means that the report itself decides. */
  source: Source | null;
  partial: boolean;
  dryRun: boolean;
  force: boolean;
  /** The sender may decide about vulnerabilities. */
  mayDecide: boolean;
  /** An admin sends it, so its decisions count even where a policy blocks. */
  mayOverridePolicy: boolean;
  fileName: string | null;
  uploadedBy: UserId | null;
}

export interface AcceptedReport {
  scanId: ScanId;
  repositoryId: RepositoryId;
  /** The same report came before: `scanId` is the earlier scan, and the received bytes must be deleted. */
  repeated: boolean;
}

/**
 * The conditions of an upload. A file of an operator is always accepted, because an operator does not send a file twice
 * by mistake.
 */
interface UploadTerms {
  /** The maximum size in bytes of all waiting reports of the workspace, including this one. */
  maxWaitingBytes: number;
  /**
   * The sender's key. The same key within a day means the same upload. Without a key, the same bytes within minutes are
   * the same upload, if that is the latest one with the same parameters.
   */
  idempotencyKey: string | null;
}

// A sender repeats a failed upload within minutes. The same bytes later are a new scan with the same result
// (docs/adr/0011).
const repeatMs = 10 * 60 * 1000;

// A sender repeats an upload with a key within a day; older keys are deleted.
const idempotencyMs = dayMs;

/**
 * Accepts the report. Throws 409 for a key that came with another request, 422 without a reference for a new
 * repository, 429 if too much waits already, and a conflict for a repository that may not be created.
 */
export async function acceptReport(
  tx: ChangeTx,
  boss: PgBoss,
  report: WaitingReport,
  given: ReportInput,
  arrivedAt: Date,
  upload: UploadTerms | null,
): Promise<AcceptedReport> {
  const name =
    given.reference ?? (await findIdentifiedDefault(tx, given.repository, (id) => requiresApproval(tx, id)));
  if (!name) throw conflictingInput('The ref field is required: the repository is new.', 'ref');
  const input = { ...given, reference: name };
  const key = upload?.idempotencyKey ?? null;
  const parameters = parametersDigest(input, report.digest);
  const repeats = async (scanId: ScanId, repositoryId: RepositoryId): Promise<AcceptedReport> => {
    await deleteReport(tx, report);
    return { scanId, repositoryId, repeated: true };
  };
  if (key !== null) {
    await lockIdempotencyKey(tx, key);
    await forgetIdempotencyKeys(tx, new Date(arrivedAt.getTime() - idempotencyMs));
    const earlier = await findByIdempotencyKey(tx, key);
    if (earlier) {
      if (!earlier.idempotency_digest.equals(parameters)) throw idempotencyKeyReused();
      return repeats(earlier.id, earlier.repository_id);
    }
  }
  const warnings: string[] = [];
  const repositoryId = await getOrCreateRepository(tx, input.repository, {
    mayChange: !input.dryRun,
    mayChangeWithoutApproval: input.mayOverridePolicy,
    requiresApproval: (id) => requiresApproval(tx, id),
    actor: { actorId: input.uploadedBy },
    onKept: (warning) => warnings.push(warning),
  });
  const reference = await getOrCreateReference(tx, repositoryId, input.reference);
  const givenColumns = {
    reference_id: reference.id,
    sha: input.sha?.toLowerCase() ?? null,
    base_ref: input.baseRef?.fullRef ?? null,
    base_sha: input.baseSha?.toLowerCase() ?? null,
    environment: input.environment,
    default_branch: input.defaultBranch?.fullRef ?? null,
    requested_format: input.format,
    category: input.category,
    // Several reports of a commit are told apart by their names (ADR 110).
    file_name: input.fileName?.normalize('NFC') ?? null,
    source: input.source,
    partial: input.partial,
    dry_run: input.dryRun,
    force: input.force,
    may_decide: input.mayDecide,
    may_override_policy: input.mayOverridePolicy,
    // A report about another time may be late, and then it says nothing about the present.
    scanned_at_given: input.scannedAt !== null,
  };
  if (upload && key === null) {
    const same = { ...givenColumns, idempotency_digest: parameters };
    const earlier = await findLatestSame(tx, same, new Date(arrivedAt.getTime() - repeatMs));
    if (earlier) return repeats(earlier, repositoryId);
  }
  await insertScan(tx, {
    ...givenColumns,
    id: report.scanId,
    repository_id: repositoryId,
    format: input.format,
    status: 'queued',
    scanned_at: scanTimeOf(input.scannedAt, arrivedAt),
    digest: report.digest,
    content_digest: report.contentDigest,
    report_bytes: report.bytes,
    idempotency_key: key,
    idempotency_digest: parameters,
    uploaded_by: input.uploadedBy,
    // These sentences name the values of the request that are not applied.
    warnings,
  });
  if (upload && (await sumWaitingBytes(tx)) > upload.maxWaitingBytes) {
    throw tooMuchWaits(upload.maxWaitingBytes);
  }
  await sendImportJob(boss, tx, await isImporting(tx));
  return { scanId: report.scanId, repositoryId, repeated: false };
}

// The sender's second attempt has the same digest, so the time of arrival and what is computed from it are not in it.
function parametersDigest({ uploadedBy: _, ...parameters }: ReportInput, digest: Buffer): Buffer {
  return createHash('sha256').update(JSON.stringify(parameters)).update(digest).digest();
}
