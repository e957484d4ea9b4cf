/** Asking all of a repository: because policies have changed, or what they ask of the repository itself. */
import { type Database, importTx } from '../../db/database.ts';
import { targetTypes } from '../../domain/policy-enums.ts';
import { refreshVerdicts } from '../verdict/verdict.ts';
import { evaluate } from './evaluate.ts';
import { lockEvaluations } from './evaluate-store.ts';
import { clearPending, listUndecided } from './scope-store.ts';

// What one transaction holds the repository's evaluation for: a second or two, so that no decision waits for longer.
const batchSize = 10_000;

/** `policyIds` null: all policies. In transactions of some thousand vulnerabilities. */
export async function evaluateRepository(
  db: Database,
  tenantId: string,
  repositoryId: string,
  policyIds: string[] | null,
): Promise<void> {
  let ids: string[] = [];
  for (let start = 0; start === 0 || start < ids.length; start += batchSize) {
    await importTx(db, tenantId, async (tx) => {
      const now = new Date();
      // Whoever held the lock has committed: what it brought is in the list. Who comes later knows the policies.
      await lockEvaluations(tx, tenantId, [repositoryId], now);
      if (start === 0) ids = await listUndecided(tx, tenantId, repositoryId);
      const references = await evaluate(tx, tenantId, {
        policyIds,
        vulnerabilities: new Map(ids.slice(start, start + batchSize).map((id) => [id, repositoryId])),
        targets: start === 0 ? new Map([[repositoryId, new Set(targetTypes)]]) : new Map(),
        at: now,
        now,
      });
      if (references) await refreshVerdicts(tx, tenantId, references);
    });
  }
}

/** The mark of `markForLater` goes first: who marks it meanwhile is heard the next time. */
export async function evaluatePendingTargets(
  db: Database,
  tenantId: string,
  repositoryId: string,
): Promise<void> {
  await importTx(db, tenantId, (tx) => clearPending(tx, tenantId, repositoryId));
  await evaluateRepository(db, tenantId, repositoryId, null);
}
