/**
 * Intake: a report that has been received is taken for a repository and a reference, which are made where they are
 * missing. Scan and job stand in one transaction: after it nothing is lost, before it the report is nothing.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../../db/database.ts';
import { idempotencyKeyReused } from '../../domain/errors.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
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

/** What is told with a report. */
export interface ReportInput {
  repository: RepositoryIdentity;
  reference: ReferenceName;
  /** Given: it is the repository's default from now on. */
  defaultBranch: ReferenceName | null;
  sha: string | null;
  /** Of a pull request: what it is compared with. */
  baseRef: ReferenceName | null;
  baseSha: string | null;
  /** Where the reference is deployed, such as `production`. */
  environment: string | null;
  scannedAt: Date;
  category: string | null;
  format: string;
  /** Null: as the report itself says. */
  source: 'current' | 'git_history' | null;
  partial: boolean;
  dryRun: boolean;
  force: boolean;
  /** Whoever sends it may decide about vulnerabilities. */
  mayDecide: boolean;
  /** Even what a policy blocks: an admin's word. */
  mayOverridePolicy: boolean;
  fileName: string | null;
  uploadedBy: string | null;
}

export interface Taken {
  scanId: string;
  repositoryId: string;
  /** The same report was there: `scanId` is the earlier scan, and what was received is to be thrown away. */
  repeated: boolean;
}

export interface TakeOptions {
  /** Under which the report waits. */
  scanId: string;
  digest: Buffer;
  /** The size of the report, decompressed. */
  bytes: number;
  /** The bound of all waiting reports of the workspace, this one included; null where the operator sends it. */
  maxWaitingBytes: number | null;
  /** The sender's key: the same key again, within a day, is the same upload. */
  idempotencyKey: string | null;
  /** Without a key: the same bytes a moment later are the same upload where that is the latest one of its kind. */
  recogniseSame: boolean;
  /** The time of the scan was told, and is not the moment at which the report came. */
  scannedAtGiven: boolean;
}

// Who tries again does so within minutes; the same bytes later are another look at the same thing (docs/adr/0011).
const repeatMs = 10 * 60 * 1000;

// Whoever tries again with a key does so within a day; older keys are forgotten.
const idempotencyMs = 24 * 3600 * 1000;

/**
 * Throws 409 for a key that came with something else, 429 where too much waits already, RepositoryNotAllowed for a
 * repository that may not be made.
 */
export async function takeReport(
  tx: Tx,
  boss: PgBoss,
  tenantId: string,
  input: ReportInput,
  { scanId, digest, bytes, maxWaitingBytes, idempotencyKey, recogniseSame, scannedAtGiven }: TakeOptions,
): Promise<Taken> {
  const parameters = parametersDigest(input, digest, scannedAtGiven);
  if (idempotencyKey !== null) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${tenantId} ${idempotencyKey}`,
    ]);
    await forgetIdempotencyKeys(tx, tenantId, new Date(Date.now() - idempotencyMs));
    const earlier = await findByIdempotencyKey(tx, tenantId, idempotencyKey);
    if (earlier) {
      if (!earlier.idempotency_digest.equals(parameters)) throw idempotencyKeyReused();
      return { scanId: earlier.id, repositoryId: earlier.repository_id, repeated: true };
    }
  }
  const warnings: string[] = [];
  const repositoryId = await getOrCreateRepository(tx, tenantId, input.repository, {
    mayChange: !input.dryRun,
    mayChangeWithoutApproval: input.mayOverridePolicy,
    requiresApproval: (id) => requiresApproval(tx, tenantId, id),
    actor: { actorId: input.uploadedBy },
    onKept: (warning) => warnings.push(warning),
  });
  const reference = await getOrCreateReference(tx, tenantId, repositoryId, input.reference);
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
    const earlier = await findLatestSame(tx, tenantId, same, new Date(Date.now() - repeatMs));
    if (earlier?.digest.equals(digest)) return { scanId: earlier.id, repositoryId, repeated: true };
  }
  await insertScan(tx, tenantId, {
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
  if (maxWaitingBytes !== null && (await sumWaitingBytes(tx, tenantId)) > maxWaitingBytes) {
    throw tooMuchWaits(maxWaitingBytes);
  }
  await sendImportJob(boss, tx, { tenantId }, await isImporting(tx, tenantId));
  return { scanId, repositoryId, repeated: false };
}

// The time is not among them unless it was given: the sender's second attempt is a moment later.
function parametersDigest(
  { uploadedBy: _, scannedAt, ...rest }: ReportInput,
  digest: Buffer,
  scannedAtGiven: boolean,
): Buffer {
  const parameters = { ...rest, scannedAt: scannedAtGiven ? scannedAt : null };
  return createHash('sha256').update(JSON.stringify(parameters)).update(digest).digest();
}
