/**
 * Evaluates policies again after time has passed: an exception or a snooze ends, an age is reached, a scan becomes old,
 * or a repository is marked as pending. It also ends exceptions that have reached their end, and adds missing built-in
 * policies.
 */

import { recordAudits } from '../../access/audit/record.ts';
import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { RepositoryId, TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { isolateFailures, rethrow } from '../../inventory/repositories/isolate-failures.ts';
import { agesOf } from '../definition/ages.ts';
import { ensureBuiltins } from '../definition/builtin.ts';
import { isPending } from '../definition/policy.ts';
import { listPolicies } from '../definition/store.ts';
import { evaluatePendingTargets, noteFailure } from './evaluate-repositories.ts';
import { lockEvaluations } from './evaluate-store.ts';
import { markTargets } from './mark-targets.ts';
import {
  type AgedRow,
  type AgeWindow,
  endExpiredExceptions,
  getSweptUntil,
  listAged,
  listEndedSnoozes,
  listPendingRepositories,
  listRepositoriesOfExpired,
  listTargets,
  listUnscannedSince,
  markPending,
  type PendingRepository,
  renewAges,
  setEvaluationFailed,
  setSweptUntil,
  type TargetRow,
} from './scope-store.ts';

// Limits of one run, so that each transaction stays short. The next run, a minute later, handles the rest.
const maxAtOnce = 5_000;
const maxRepositoriesAtOnce = 50;
// A repository that fails stays pending, behind those that have not failed.
const maxFailuresAtOnce = 1_000;

/**
 * `pending`: policies wait for their evaluation in the workspace. The caller sends a job, because the first one may be
 * lost. An error in one repository or one part of the work is passed to `failed`, which throws it if none is given, and
 * the others continue.
 */
export async function sweepViolations(
  db: Database,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void = rethrow,
): Promise<{ pending: boolean }> {
  await tenantTx(db, tenantId, (tx) => ensureBuiltins(tx));
  await evaluateEnded(db, tenantId, now, failed).catch(failed);
  await evaluateAges(db, tenantId, now, failed).catch(failed);
  await evaluatePendingRepositories(db, tenantId, failed).catch(failed);
  const policies = await tenantReadTx(db, tenantId, (tx) => listPolicies(tx));
  return { pending: policies.some(isPending) };
}

/** Evaluates the targets whose snooze has ended, and those of exceptions that have reached their end. */
async function evaluateEnded(
  db: Database,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void,
): Promise<void> {
  const { awake, expired } = await tenantReadTx(db, tenantId, async (tx) => ({
    awake: await listEndedSnoozes(tx, now, maxAtOnce),
    expired: await listRepositoriesOfExpired(tx, now, maxAtOnce),
  }));
  const endSnoozes = (rows: TargetRow[]): Promise<void> =>
    importTx(db, tenantId, async ({ changes }) => {
      markTargets(changes, rows);
      changes.at = now;
    });
  await isolateFailures(awake, endSnoozes, failed);
  await isolateFailures(expired, (rows) => endExceptions(db, tenantId, now, rows), failed);
}

async function endExceptions(
  db: Database,
  tenantId: TenantId,
  now: Date,
  rows: { repository_id: RepositoryId }[],
): Promise<void> {
  await importTx(db, tenantId, async (tx) => {
    const repositoryIds = rows.map((row) => row.repository_id);
    await lockEvaluations(tx, repositoryIds);
    const ended = await endExpiredExceptions(tx, now, repositoryIds, maxAtOnce);
    await recordAudits(
      tx,
      ended.map((row) => ({
        actorId: null,
        action: 'exception.end',
        targetId: row.id,
        data: { reason: 'It has reached its end.' },
      })),
    );
    const concerned = await listTargets(
      tx,
      ended.map((row) => ({
        policyId: row.policy_id,
        repositoryId: row.repository_id,
        violationId: row.violation_id,
      })),
    );
    markTargets(tx.changes, concerned);
    tx.changes.at = now;
  });
}

async function evaluatePendingRepositories(
  db: Database,
  tenantId: TenantId,
  failed: (error: unknown) => void,
): Promise<void> {
  const failedIds: RepositoryId[] = [];
  for (let left = maxRepositoriesAtOnce; left > 0 && failedIds.length < maxFailuresAtOnce; ) {
    const limit: number = left;
    const repositories: PendingRepository[] = await tenantReadTx(db, tenantId, (tx) =>
      listPendingRepositories(tx, failedIds, limit),
    );
    if (repositories.length === 0) return;
    for (const repository of repositories) {
      try {
        await evaluatePendingTargets(db, tenantId, repository);
        left--;
      } catch (error) {
        const id = repository.repository_id;
        failedIds.push(id);
        const note = () => importTx(db, tenantId, (tx) => setEvaluationFailed(tx, id, new Date()));
        await noteFailure(error, note, failed);
      }
    }
  }
}

async function evaluateAges(
  db: Database,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void,
): Promise<void> {
  const { since, ages } = await tenantTx(db, tenantId, async (tx) => ({
    since: await getSweptUntil(tx, now),
    ages: agesOf(await listPolicies(tx)),
  }));
  if (since > now) return;
  // A failure could not be noted: the next run begins at the same time again.
  let isUnfinished = false;
  const postpone = async (error: unknown, repositoryId: RepositoryId): Promise<void> => {
    const note = () => importTx(db, tenantId, (tx) => markPending(tx, [repositoryId]));
    if (!(await noteFailure(error, note, failed))) isUnfinished = true;
  };
  if (ages.vulnerability.length > 0) {
    await evaluateAged(db, tenantId, { since, until: now, days: ages.vulnerability }, now, postpone);
  }
  if (ages.analysis.length > 0) {
    const window = { since, until: now, days: ages.analysis };
    const unscanned = await importTx(db, tenantId, (tx) => listUnscannedSince(tx, window));
    const evaluateAnalyses = (rows: typeof unscanned): Promise<void> =>
      importTx(db, tenantId, async ({ changes }) => {
        for (const row of rows) changes.markTargetsChanged(row.repository_id, ['analysis']);
        changes.at = now;
      });
    await isolateFailures(unscanned, evaluateAnalyses, postpone);
  }
  if (isUnfinished) return;
  await importTx(db, tenantId, async (tx) => {
    await setSweptUntil(tx, now);
    await renewAges(tx);
  });
}

async function evaluateAged(
  db: Database,
  tenantId: TenantId,
  window: AgeWindow,
  now: Date,
  failed: (error: unknown, repositoryId: RepositoryId) => Promise<void>,
): Promise<void> {
  for (let afterId: VulnerabilityId | null = null; ; ) {
    const page: Parameters<typeof listAged>[1] = { ...window, afterId, limit: maxAtOnce };
    const aged: AgedRow[] = await importTx(db, tenantId, (tx) => listAged(tx, page));
    const evaluateRows = (rows: AgedRow[]): Promise<void> =>
      importTx(db, tenantId, async ({ changes }) => {
        for (const row of rows) changes.markChanged(row.id, row.repository_id);
        changes.at = now;
      });
    await isolateFailures(aged, evaluateRows, failed);
    if (aged.length < maxAtOnce) break;
    afterId = aged.at(-1)?.id ?? null;
  }
}
