/** Evaluates policies for whole repositories, after a change of policies or of repository data that they read. */

import { type Database, importTx } from '../../db/database.ts';
import { batchesByWeight } from '../../domain/batches.ts';
import type { PolicyId, RepositoryId, TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { targetTypes } from '../../domain/policy-enums.ts';
import { evaluate } from './evaluate.ts';
import { lockEvaluations } from './evaluate-store.ts';
import {
  countActiveReferences,
  listUndecided,
  type PendingRepository,
  setEvaluatedMarks,
} from './scope-store.ts';
import { maxMatchesAtOnce } from './update-violations.ts';

/** A batch of this size takes a second or two, and no decision may wait longer for the lock of the evaluation. */
export const batchSize = 10_000;

/**
 * Evaluates in transactions of at most `batchSize` vulnerabilities and, if each of them matches on all active
 * references of its repository, `maxMatches` matches of a policy. `policyIds` null means all policies.
 */
export async function evaluateRepositories(
  db: Database,
  tenantId: TenantId,
  repositoryIds: RepositoryId[],
  policyIds: PolicyId[] | null,
  maxMatches: number = maxMatchesAtOnce,
): Promise<void> {
  let undecided: { id: VulnerabilityId; repository_id: RepositoryId }[][] = [[]];
  for (let at = 0; at < undecided.length; at++) {
    await importTx(db, tenantId, async (tx) => {
      // Lock before listing: earlier writers are visible then, and later ones already see the new policies.
      await lockEvaluations(tx, repositoryIds);
      if (at === 0) {
        const active = await countActiveReferences(tx, repositoryIds);
        const rows = await listUndecided(tx, repositoryIds);
        const weightOf = (row: (typeof rows)[number]): number => active.get(row.repository_id) ?? 1;
        undecided = [...batchesByWeight(rows, batchSize, maxMatches, weightOf)];
      }
      await evaluate(tx, {
        policyIds,
        vulnerabilities: new Map(undecided[at]?.map((row) => [row.id, row.repository_id])),
        targets: new Map(
          at === 0 ? repositoryIds.map((id) => [id, new Map(targetTypes.map((type) => [type, null]))]) : [],
        ),
        at: new Date(),
      });
    });
  }
}

/**
 * A repository whose evaluation fails or is interrupted stays marked, and so does one that is marked again meanwhile.
 */
export async function evaluatePendingTargets(
  db: Database,
  tenantId: TenantId,
  pending: PendingRepository,
): Promise<void> {
  await evaluateRepositories(db, tenantId, [pending.repository_id], null);
  await importTx(db, tenantId, (tx) => setEvaluatedMarks(tx, pending));
}

/**
 * Notes with `note` that an evaluation has failed, and passes its error to `failed`, then that of `note` if it fails
 * too. Returns whether it is noted.
 */
export async function noteFailure(
  error: unknown,
  note: () => Promise<void>,
  failed: (error: unknown) => void,
): Promise<boolean> {
  const errors = [error];
  await note().catch((noteError) => errors.push(noteError));
  // The error of the evaluation comes first, because `failed` may throw.
  for (const one of errors) failed(one);
  return errors.length === 1;
}
