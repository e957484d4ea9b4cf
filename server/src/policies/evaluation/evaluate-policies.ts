/**
 * Evaluates changed policies for the whole workspace, a few repositories at once. The run may end at any moment and
 * start again. A change during the run is evaluated in another round.
 */

import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { batchesByWeight } from '../../domain/batches.ts';
import type { RepositoryId, TenantId } from '../../domain/ids.ts';
import { rethrow } from '../../inventory/repositories/isolate-failures.ts';
import { isPending } from '../definition/policy.ts';
import {
  countRepositories,
  listRepositorySizes,
  type RepositorySize,
  setEvaluated,
  updatePolicyProgress,
} from '../definition/progress-store.ts';
import { listPolicies } from '../definition/store.ts';
import { batchSize, evaluateRepositories, noteFailure } from './evaluate-repositories.ts';
import { markPending, renewAges } from './scope-store.ts';

const pageSize = 200;
// A statement takes as long to plan for a small repository as for a large one, so small ones are evaluated together.
const maxTogether = 50;
// While the database tests the conditions of some repositories, this process works out the violations of others. More
// would take the processors from requests and from imports (ADR 105).
const maxAtOnce = 2;

/** Evaluates in rounds until no policy is pending. Returns the number of policies that were evaluated. */
export async function evaluatePolicies(db: Database, tenantId: TenantId): Promise<number> {
  for (let evaluated = 0; ; ) {
    const round = await evaluatePendingPolicies(db, tenantId);
    if (round === 0) return evaluated;
    evaluated += round;
  }
}

/**
 * Evaluates one round, for the worker: a workspace that changes policies all the time must not keep it from other
 * workspaces. A change during the round has sent a job of its own. Repositories whose evaluation fails are left to the
 * sweep, and the error is passed to `failed`, which throws it if none is given. Returns the number of policies that
 * were evaluated.
 */
export async function evaluatePendingPolicies(
  db: Database,
  tenantId: TenantId,
  stopping: () => boolean = () => false,
  failed: (error: unknown) => void = rethrow,
): Promise<number> {
  const { pending, total } = await tenantReadTx(db, tenantId, async (tx) => ({
    pending: (await listPolicies(tx)).filter(isPending),
    total: await countRepositories(tx),
  }));
  if (pending.length > 0) {
    const ids = pending.map((policy) => policy.id);
    let done = 0;
    // The round was stopped, or a failure could not be noted: the policies stay pending, and the sweep sends another
    // job.
    let isUnfinished = false;
    // Both evaluations ask this one generator, so the progress is written in order.
    const groups = (async function* () {
      for await (const repositoryIds of repositoriesTogether(db, tenantId)) {
        if (stopping()) {
          isUnfinished = true;
          return;
        }
        const progress = { done, total };
        await tenantTx(db, tenantId, (tx) => updatePolicyProgress(tx, ids, progress));
        yield repositoryIds;
      }
    })();
    const evaluateGroups = async (): Promise<void> => {
      for await (const repositoryIds of groups) {
        const note = () => importTx(db, tenantId, (tx) => markPending(tx, repositoryIds));
        await evaluateRepositories(db, tenantId, repositoryIds, ids).catch(async (error) => {
          if (!(await noteFailure(error, note, failed))) isUnfinished = true;
        });
        done += repositoryIds.length;
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: maxAtOnce }, evaluateGroups));
    const errors = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (errors.length > 0)
      throw errors.length === 1
        ? errors[0]
        : new AggregateError(errors, 'Both evaluations of the policies failed.');
    if (isUnfinished) return 0;
    await tenantTx(db, tenantId, async (tx) => {
      await setEvaluated(tx, pending);
      await renewAges(tx);
    });
  }
  return pending.length;
}

/** All repositories of the workspace in order of their ids, a few small ones at once. */
async function* repositoriesTogether(db: Database, tenantId: TenantId): AsyncGenerator<RepositoryId[]> {
  let page: RepositorySize[] = [];
  do {
    const afterId = page.at(-1)?.id ?? null;
    page = await tenantReadTx(db, tenantId, (tx) => listRepositorySizes(tx, afterId, pageSize));
    for (const together of batchesByWeight(page, maxTogether, batchSize, (row) => row.vulnerabilities)) {
      yield together.map((row) => row.id);
    }
  } while (page.length === pageSize);
}
