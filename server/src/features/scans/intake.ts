/**
 * Intake: a report is taken for a repository and a reference, which are made where they are missing. Report, scan
 * and job stand in one transaction: after it nothing is lost, before it nothing is there.
 */
import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId } from '../../ids.ts';
import { sendImportJob } from '../../jobs/queue.ts';
import { upsertOrganization } from '../organizations/store.ts';
import type { ReferenceName } from '../repositories/reference-name.ts';
import { referenceTypes } from '../repositories/reference-name.ts';
import { repositoryRef } from '../repositories/service.ts';
import {
  findReferences,
  findRepository,
  insertReference,
  type ReferenceRow,
  updateDefaultReference,
  upsertRepository,
} from '../repositories/store.ts';
import { CounterChanges } from '../vulnerabilities/counters.ts';
import { settleRepository } from '../vulnerabilities/sweep.ts';
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
  await chooseDefault(tx, tenantId, repositoryId, reference, input.defaultBranch);
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
  return { scanId, repositoryId };
}

/** Two reports of a repository that nobody knew may come at once: the second waits for the first here. */
async function getOrCreateRepository(tx: Tx, tenantId: string, fullName: string): Promise<string> {
  const found = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (found) return found.id;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${tenantId} ${fullName.toLowerCase()}`,
  ]);
  const meanwhile = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (meanwhile) return meanwhile.id;
  const slash = fullName.lastIndexOf('/');
  const path = fullName.slice(0, slash);
  const organizationId = await getOrCreateOrganization(tx, tenantId, path);
  const id = newId();
  return upsertRepository(tx, tenantId, {
    id,
    organizationId,
    name: fullName.slice(slash + 1),
    fullName,
    source: 0,
    externalId: localExternalId('repository', id),
    isPrivate: true,
    isArchived: false,
    isEnabled: true,
    isMonorepo: false,
  });
}

async function getOrCreateOrganization(tx: Tx, tenantId: string, path: string): Promise<string> {
  const [found] = await tx.query<{ id: string }>(
    'select id from organization where tenant_id = $1 and path_key = $2',
    [tenantId, path.toLowerCase()],
  );
  if (found) return found.id;
  const id = newId();
  return upsertOrganization(tx, tenantId, {
    id,
    name: path.slice(path.lastIndexOf('/') + 1),
    fullPath: path,
    type: 0,
    externalId: localExternalId('organization', id),
    orphaned: false,
    description: null,
    parentId: null,
  });
}

async function getOrCreateReference(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  name: ReferenceName,
): Promise<ReferenceRow> {
  const [found] = await findReferences(tx, tenantId, repositoryId, [name.fullRef]);
  if (found) return found;
  const id = newId();
  const type = referenceTypes.indexOf(name.type);
  await insertReference(tx, tenantId, { id, repositoryId, fullRef: name.fullRef, type });
  const [row] = await findReferences(tx, tenantId, repositoryId, [name.fullRef]);
  if (!row) throw new Error('the reference is not there');
  return row;
}

// Given by name: that one, for good. Else the first branch seen, as a guess until somebody says.
async function chooseDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  reference: ReferenceRow,
  given: ReferenceName | null,
): Promise<void> {
  if (given) await setDefaultBranch(tx, tenantId, repositoryId, given);
  else if (referenceTypes[reference.type] === 'branch') {
    const state = await lockDefault(tx, tenantId, repositoryId);
    if (state.referenceId === null)
      await updateDefaultReference(tx, tenantId, repositoryId, reference.id, true);
  }
}

/** Makes the branch the default, and settles what that changes: it is tracked, and the one before is not. */
export async function setDefaultBranch(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  branch: ReferenceName,
): Promise<void> {
  const state = await lockDefault(tx, tenantId, repositoryId);
  const chosen = await getOrCreateReference(tx, tenantId, repositoryId, branch);
  if (state.referenceId === chosen.id && !state.guessed) return;
  await updateDefaultReference(tx, tenantId, repositoryId, chosen.id, false);
  if (state.referenceId === null || state.referenceId === chosen.id) return;
  const counters = new CounterChanges();
  const cause = { scanId: null, actorId: null, at: new Date() };
  await settleRepository(tx, tenantId, repositoryId, cause, counters);
  await counters.write(tx, tenantId);
}

// An import holds the same lock: neither sees the other's half.
async function lockDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
): Promise<{ referenceId: string | null; guessed: boolean }> {
  const [row] = await tx.query<{ default_reference_id: string | null; default_guessed: boolean }>(
    `select default_reference_id, default_guessed from repository
      where tenant_id = $1 and id = $2 for no key update`,
    [tenantId, repositoryId],
  );
  if (!row) throw new Error('the repository is not there');
  return { referenceId: row.default_reference_id, guessed: row.default_guessed };
}
