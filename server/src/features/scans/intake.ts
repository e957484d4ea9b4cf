/**
 * Intake: a report is taken for a repository and a reference, which are made where they are missing. Report, scan
 * and job stand in one transaction: after it nothing is lost, before it nothing is there.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import { sendImportJob } from '../../jobs/queue.ts';
import { chooseDefault, getOrCreateReference, getOrCreateRepository } from '../repositories/create.ts';
import type { ReferenceName } from '../repositories/reference-name.ts';
import { CounterChanges } from '../vulnerabilities/counters.ts';
import { insertScan } from './store.ts';
import { storeReport } from './waiting-report.ts';

export interface ReportInput {
  /** `org/name`; nested groups too. */
  repository: string;
  reference: ReferenceName;
  /** Given: it is the repository's default from now on. */
  defaultBranch: ReferenceName | null;
  sha: string | null;
  scannedAt: Date;
  category: string | null;
  format: string;
  source: 'current' | 'git_history';
  partial: boolean;
  dryRun: boolean;
  force: boolean;
  fileName: string | null;
  report: Uint8Array;
  uploadedBy: string | null;
}

export interface Taken {
  scanId: string;
  repositoryId: string;
}

export async function takeReport(
  tx: Tx,
  boss: PgBoss,
  tenantId: string,
  input: ReportInput,
  reportKey: Buffer,
): Promise<Taken> {
  const repositoryId = await getOrCreateRepository(tx, tenantId, input.repository);
  const reference = await getOrCreateReference(tx, tenantId, repositoryId, input.reference);
  const counters = new CounterChanges();
  // A dry run says what would be; it makes what it needs to say it, and chooses nothing.
  if (!input.dryRun) {
    await chooseDefault(tx, tenantId, repositoryId, reference, input.defaultBranch, counters);
  }
  const scanId = newId();
  await insertScan(tx, tenantId, {
    id: scanId,
    repositoryId,
    referenceId: reference.id,
    sha: input.sha?.toLowerCase() ?? null,
    format: input.format,
    category: input.category,
    source: input.source === 'git_history' ? 1 : 0,
    partial: input.partial,
    dryRun: input.dryRun,
    force: input.force,
    scannedAt: input.scannedAt,
    fileName: input.fileName,
    digest: createHash('sha256').update(input.report).digest(),
    uploadedBy: input.uploadedBy,
  });
  await storeReport(tx, tenantId, scanId, input.report, reportKey);
  await sendImportJob(boss, tx, { tenantId, repositoryId });
  await counters.write(tx, tenantId);
  return { scanId, repositoryId };
}
