/**
 * Intake: a report that has been received is taken for a repository and a reference, which are made where they are
 * missing. Scan and job stand in one transaction: after it nothing is lost, before it the report is nothing.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../../../db/database.ts';
import { idempotencyKeyReused } from '../../../errors.ts';
import { sendImportJob } from '../../../jobs/queue.ts';
import {
  chooseDefault,
  describeReference,
  getOrCreateReference,
  getOrCreateRepository,
  type RepositoryIdentity,
} from '../../repositories/create.ts';
import type { ReferenceName } from '../../repositories/reference-name.ts';
import { CounterChanges } from '../../vulnerabilities/counters.ts';
import { findByIdempotencyKey, findLatestSame, forgetIdempotencyKeys, insertScan } from '../store.ts';

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
  decides: boolean;
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
  /** The sender's key: the same key again, within a day, is the same upload. */
  idempotencyKey: string | null;
  /** Without a key: the same bytes are the same upload where that is the latest one of its kind. */
  recogniseSame: boolean;
}

// As long as the sender may try again (design: 24 hours).
const idempotencyMs = 24 * 3600 * 1000;

/** Throws 409 for a key that came with something else, RepositoryNotAllowed for a repository that may not be made. */
export async function takeReport(
  tx: Tx,
  boss: PgBoss,
  tenantId: string,
  input: ReportInput,
  { scanId, digest, idempotencyKey, recogniseSame }: TakeOptions,
): Promise<Taken> {
  const parameters = parametersDigest(input, digest);
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
  const repositoryId = await getOrCreateRepository(tx, tenantId, input.repository);
  const reference = await getOrCreateReference(tx, tenantId, repositoryId, input.reference);
  const source = input.source === null ? null : input.source === 'git_history' ? 1 : 0;
  const sha = input.sha?.toLowerCase() ?? null;
  if (recogniseSame && idempotencyKey === null) {
    const { category, format, partial, dryRun, force, decides } = input;
    const same = {
      referenceId: reference.id,
      sha,
      category,
      source,
      format,
      partial,
      dryRun,
      force,
      decides,
    };
    const earlier = await findLatestSame(tx, tenantId, same);
    if (earlier?.digest.equals(digest)) return { scanId: earlier.id, repositoryId, repeated: true };
  }
  const counters = new CounterChanges();
  // A dry run says what would be; it makes what it needs to say it, and chooses nothing.
  if (!input.dryRun) {
    await chooseDefault(tx, tenantId, repositoryId, reference, input.defaultBranch, counters);
    await describeReference(tx, tenantId, reference.id, {
      baseRef: input.baseRef?.fullRef ?? null,
      baseSha: input.baseSha?.toLowerCase() ?? null,
      environment: input.environment,
    });
  }
  await insertScan(tx, tenantId, {
    id: scanId,
    repositoryId,
    referenceId: reference.id,
    sha,
    baseRef: input.baseRef?.fullRef ?? null,
    baseSha: input.baseSha?.toLowerCase() ?? null,
    environment: input.environment,
    format: input.format,
    category: input.category,
    source,
    partial: input.partial,
    dryRun: input.dryRun,
    force: input.force,
    decides: input.decides,
    scannedAt: input.scannedAt,
    fileName: input.fileName,
    digest,
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, digest: parameters },
    uploadedBy: input.uploadedBy,
  });
  await sendImportJob(boss, tx, { tenantId, repositoryId });
  await counters.write(tx, tenantId);
  return { scanId, repositoryId, repeated: false };
}

// The time is not among them unless it was given: the sender's second attempt is a moment later.
function parametersDigest(
  { scannedAt: _, uploadedBy: _by, ...parameters }: ReportInput,
  digest: Buffer,
): Buffer {
  return createHash('sha256').update(JSON.stringify(parameters)).update(digest).digest();
}
