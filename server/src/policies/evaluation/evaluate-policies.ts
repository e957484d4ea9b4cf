/**
 * Evaluates changed policies for the whole workspace, repository by repository. The run may end at any moment and start
 * again; another round evaluates a change that comes meanwhile.
 */

import { type Database, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { TenantId } from '../../domain/ids.ts';
import { isPending, listPolicies } from '../definition/policy.ts';
import {
  countRepositories,
  listRepositoryIds,
  setEvaluated,
  updatePolicyProgress,
} from '../definition/progress.ts';
import { evaluateRepository } from './evaluate-repository.ts';

const pageSize = 200;
// The progress is written once for so many repositories, so that a reader of the console sees it move.
const progressEvery = 20;

/** Evaluates in rounds until no policy is pending. Gives the number of policies that were evaluated. */
export async function evaluatePolicies(db: Database, tenantId: TenantId): Promise<number> {
  for (let asked = 0; ; ) {
    const round = await evaluatePendingPolicies(db, tenantId);
    if (round === 0) return asked;
    asked += round;
  }
}

/**
 * Evaluates one round, for the worker: a workspace that changes policies all the time must not keep it from other
 * workspaces. A change that comes meanwhile has sent a job of its own. Gives the number of policies that were
 * evaluated.
 */
export async function evaluatePendingPolicies(
  db: Database,
  tenantId: TenantId,
  stopping: () => boolean = () => false,
): Promise<number> {
  const { pending, total } = await tenantReadTx(db, tenantId, async (tx) => ({
    pending: (await listPolicies(tx)).filter(isPending),
    total: await countRepositories(tx),
  }));
  if (pending.length > 0) {
    const ids = pending.map((policy) => policy.id);
    let done = 0;
    for (let afterId: string | null = null; ; ) {
      const after: string | null = afterId;
      const page: string[] = await tenantReadTx(db, tenantId, (tx) => listRepositoryIds(tx, after, pageSize));
      for (const repositoryId of page) {
        if (stopping()) return 0;
        if (done % progressEvery === 0) {
          const progress = { done, total };
          await tenantTx(db, tenantId, (tx) => updatePolicyProgress(tx, ids, progress));
        }
        await evaluateRepository(db, tenantId, repositoryId, ids);
        done++;
      }
      if (page.length < pageSize) break;
      afterId = page.at(-1) ?? null;
    }
    await tenantTx(db, tenantId, (tx) => setEvaluated(tx, pending));
  }
  return pending.length;
}
