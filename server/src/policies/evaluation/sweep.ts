/**
 * Evaluates policies again after time has passed: an exception or a snooze ends, an age is reached, a scan becomes old,
 * or a repository is marked as pending. It also ends exceptions that have reached their end, and adds missing built-in
 * policies.
 */

import { recordAudits } from '../../access/audit/record.ts';
import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { RepositoryId, TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { agesOf } from '../definition/ages.ts';
import { ensureBuiltins } from '../definition/builtin.ts';
import { isPending } from '../definition/policy.ts';
import { listPolicies } from '../definition/store.ts';
import { evaluatePendingTargets, noteFailure } from './evaluate-repositories.ts';
import { lockEvaluations } from './evaluate-store.ts';
import { markTargets } from './mark-targets.ts';
import {
  type AgeWindow,
  endExpiredExceptions,
  getSweptUntil,
  listAged,
  listEndedSnoozes,
  listPendingRepositories,
  listRepositoriesOfExpired,
  listTargets,
  listUnscannedSince,
  type PendingRepository,
  renewAges,
  setEvaluationFailed,
  setSweptUntil,
} from './scope-store.ts';

// Limits of one run, so that each transaction stays short. The next run, a minute later, handles the rest.
const maxAtOnce = 5_000;
const maxRepositoriesAtOnce = 50;
// A repository that fails stays pending, behind those that have not failed.
const maxFailuresAtOnce = 1_000;

/**
 * `pending`: policies wait for their evaluation in the workspace. The caller sends a job, because the first one may be
 * lost. An error in one repository is passed to `failed`, which throws it if none is given, and the others continue.
 */
export async function sweepViolations(
  db: Database,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<{ pending: boolean }> {
  await tenantTx(db, tenantId, (tx) => ensureBuiltins(tx));
  await importTx(db, tenantId, async (tx) => {
    const awake = await listEndedSnoozes(tx, now, maxAtOnce);
    const expired = await listRepositoriesOfExpired(tx, now, maxAtOnce);
    // All locks of the evaluation that follows are taken at once, in the order of every evaluation.
    await lockEvaluations(tx, [...awake.map((row) => row.repository_id), ...expired]);
    const ended = await endExpiredExceptions(tx, now, expired, maxAtOnce);
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
    const { changes } = tx;
    markTargets(changes, [...concerned, ...awake]);
    changes.at = now;
  });
  await evaluateAges(db, tenantId, now);
  await evaluatePendingRepositories(db, tenantId, failed);
  const policies = await tenantReadTx(db, tenantId, (tx) => listPolicies(tx));
  return { pending: policies.some(isPending) };
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

async function evaluateAges(db: Database, tenantId: TenantId, now: Date): Promise<void> {
  const { since, ages } = await tenantTx(db, tenantId, async (tx) => ({
    since: await getSweptUntil(tx, now),
    ages: agesOf(await listPolicies(tx)),
  }));
  if (since > now) return;
  if (ages.vulnerability.length > 0) {
    await evaluateAged(db, tenantId, { since, until: now, days: ages.vulnerability }, now);
  }
  await importTx(db, tenantId, async (tx) => {
    const { changes } = tx;
    if (ages.analysis.length > 0) {
      const window = { since, until: now, days: ages.analysis };
      for (const id of await listUnscannedSince(tx, window)) changes.markTargetsChanged(id, ['analysis']);
    }
    changes.at = now;
    await setSweptUntil(tx, now);
    await renewAges(tx);
  });
}

async function evaluateAged(db: Database, tenantId: TenantId, window: AgeWindow, now: Date): Promise<void> {
  for (let afterId: VulnerabilityId | null = null; ; ) {
    const after: VulnerabilityId | null = afterId;
    const rows = await importTx(db, tenantId, async (tx) => {
      const aged = await listAged(tx, { ...window, afterId: after, limit: maxAtOnce });
      const { changes } = tx;
      for (const row of aged) changes.markChanged(row.id, row.repository_id);
      changes.at = now;
      return aged;
    });
    if (rows.length < maxAtOnce) break;
    afterId = rows.at(-1)?.id ?? null;
  }
}
