/** Evaluates policies for a whole repository, after a change of policies or of what they ask about the repository. */

import { type Database, importTx } from '../../db/database.ts';
import type { TenantId } from '../../domain/ids.ts';
import { targetTypes } from '../../domain/policy-enums.ts';
import { evaluate } from './evaluate.ts';
import { lockEvaluations } from './evaluate-store.ts';
import { clearPending, listUndecided } from './scope-store.ts';

// A batch of this size takes a second or two, and no decision may wait longer for the lock of the evaluation.
const batchSize = 10_000;

/** Evaluates in transactions of `batchSize` vulnerabilities each. `policyIds` null means all policies. */
export async function evaluateRepository(
  db: Database,
  tenantId: TenantId,
  repositoryId: string,
  policyIds: string[] | null,
): Promise<void> {
  let ids: string[] = [];
  for (let start = 0; start === 0 || start < ids.length; start += batchSize) {
    await importTx(db, tenantId, async (tx) => {
      const now = new Date();
      // Lock before listing: earlier writers are visible then, and later ones already see the new policies.
      await lockEvaluations(tx, [repositoryId], now);
      if (start === 0) ids = await listUndecided(tx, repositoryId);
      await evaluate(tx, {
        policyIds,
        vulnerabilities: new Map(ids.slice(start, start + batchSize).map((id) => [id, repositoryId])),
        targets: start === 0 ? new Map([[repositoryId, new Set(targetTypes)]]) : new Map(),
        at: now,
        now,
      });
    });
  }
}

/** Clears the mark of `markForLater` first, so that a mark which is set meanwhile is handled the next time. */
export async function evaluatePendingTargets(
  db: Database,
  tenantId: TenantId,
  repositoryId: string,
): Promise<void> {
  await importTx(db, tenantId, (tx) => clearPending(tx, repositoryId));
  await evaluateRepository(db, tenantId, repositoryId, null);
}
