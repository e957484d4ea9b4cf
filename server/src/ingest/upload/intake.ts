/**
 * Intake takes a received report for a repository and a reference, and creates both if they are missing. It writes scan
 * and job in one transaction: after the commit nothing is lost, and before it the report does not count.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../../db/database.ts';
import { idempotencyKeyReused } from '../../domain/errors.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
import { dayMs } from '../../domain/time.ts';
import {
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
  sumWaitingBytes,
} from '../scans/store.ts';
import { tooMuchWaits } from './waiting-bytes.ts';

/** The values that come with a report. */
export interface ReportInput {
  repository: RepositoryIdentity;
  reference: ReferenceName;
  /** If it is given, it is the default branch of the repository from now on. */
  defaultBranch: ReferenceName | null;
  sha: string | null;
  /** The base that a pull request is compared with. */
  baseRef: ReferenceName | null;
  baseSha: string | null;
  /** The environment to which the reference is deployed, such as `production`. */
  environment: string | null;
  scannedAt: Date;
  category: string | null;
  format: string;
  /** Null means that the report itself says it. */
  source: 'current' | 'git_history' | null;
  partial: boolean;
  dryRun: boolean;
  force: boolean;
  /** The sender may decide about vulnerabilities. */
  mayDecide: boolean;
  /** An admin sends it, so its decisions count even where a policy blocks. */
  mayOverridePolicy: boolean;
  fileName: string | null;
  uploadedBy: string | null;
}

export interface Taken {
  scanId: string;
  repositoryId: string;
  /** The same report came before: `scanId` is the earlier scan, and the received bytes must be deleted. */
  repeated: boolean;
}

export interface TakeOptions {
  /** The id under which the report waits. */
  scanId: string;
  digest: Buffer;
  /** The size of the decompressed report in bytes. */
  bytes: number;
  /**
   * The maximum size in bytes of all waiting reports of the workspace, including this one; null if the operator sends
   * it.
   */
  maxWaitingBytes: number | null;
  /** The sender's key. The same key within a day means the same upload. */
  idempotencyKey: string | null;
  /**
   * Without a key, the same bytes within minutes are the same upload, if that is the latest one with the same
   * parameters.
   */
  recogniseSame: boolean;
  /** The sender gave the time of the scan; otherwise it is the time of arrival. */
  scannedAtGiven: boolean;
}

// A sender repeats a failed upload within minutes. The same bytes later are a new scan with the same result
// (docs/adr/0011).
const repeatMs = 10 * 60 * 1000;

// A sender repeats an upload with a key within a day; older keys are deleted.
const idempotencyMs = dayMs;

/**
 * Takes the report. Throws 409 for a key that came with something else, 429 if too much waits already, and
 * RepositoryNotAllowed for a repository that may not be created.
 */
export async function takeReport(
  tx: Tx,
  boss: PgBoss,
  input: ReportInput,
  { scanId, digest, bytes, maxWaitingBytes, idempotencyKey, recogniseSame, scannedAtGiven }: TakeOptions,
): Promise<Taken> {
  const parameters = parametersDigest(input, digest, scannedAtGiven);
  if (idempotencyKey !== null) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${tx.tenantId} ${idempotencyKey}`,
    ]);
    await forgetIdempotencyKeys(tx, new Date(Date.now() - idempotencyMs));
    const earlier = await findByIdempotencyKey(tx, idempotencyKey);
    if (earlier) {
      if (!earlier.idempotency_digest.equals(parameters)) throw idempotencyKeyReused();
      return { scanId: earlier.id, repositoryId: earlier.repository_id, repeated: true };
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
  const sha = input.sha?.toLowerCase() ?? null;
  const told = {
    referenceId: reference.id,
    sha,
    baseRef: input.baseRef?.fullRef ?? null,
    baseSha: input.baseSha?.toLowerCase() ?? null,
    environment: input.environment,
    defaultBranch: input.defaultBranch?.fullRef ?? null,
    format: input.format,
    category: input.category,
    source: input.source ?? 'current',
    partial: input.partial,
    dryRun: input.dryRun,
    force: input.force,
    mayDecide: input.mayDecide,
    mayOverridePolicy: input.mayOverridePolicy,
  };
  if (recogniseSame && idempotencyKey === null) {
    const same = { ...told, scannedAt: scannedAtGiven ? input.scannedAt : null };
    const earlier = await findLatestSame(tx, same, new Date(Date.now() - repeatMs));
    if (earlier?.digest.equals(digest)) return { scanId: earlier.id, repositoryId, repeated: true };
  }
  await insertScan(tx, {
    ...told,
    id: scanId,
    repositoryId,
    scannedAt: input.scannedAt,
    fileName: input.fileName,
    digest,
    bytes,
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, digest: parameters },
    uploadedBy: input.uploadedBy,
    warnings,
  });
  if (maxWaitingBytes !== null && (await sumWaitingBytes(tx)) > maxWaitingBytes) {
    throw tooMuchWaits(maxWaitingBytes);
  }
  await sendImportJob(boss, tx, await isImporting(tx));
  return { scanId, repositoryId, repeated: false };
}

// The digest leaves out a time that was not given, because it differs at the sender's second attempt.
function parametersDigest(
  { uploadedBy: _, scannedAt, ...rest }: ReportInput,
  digest: Buffer,
  scannedAtGiven: boolean,
): Buffer {
  const parameters = { ...rest, scannedAt: scannedAtGiven ? scannedAt : null };
  return createHash('sha256').update(JSON.stringify(parameters)).update(digest).digest();
}
