/**
 * Policies are evaluated before each commit for all changes of the transaction. Verdicts are updated in the same
 * transaction, so that no reader sees a change without its verdict.
 */
import type { ChangeTx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import { evaluate } from './evaluate.ts';
import { hasActivePolicy, listLiveOn, markPending } from './scope-store.ts';

/** Commit step: evaluates policies for everything that is marked in the change set. */
export async function evaluateChanges(tx: ChangeTx): Promise<void> {
  const { changes } = tx;
  await markVulnerabilitiesOnReferences(tx);
  const at = changes.at ?? new Date();
  const { vulnerabilities, changedOn, created, joined, merged, targets } = changes;
  await evaluate(tx, {
    policyIds: null,
    vulnerabilities,
    changedOn,
    created,
    joined,
    merged,
    targets,
    at,
  });
  changes.clearMarks();
}

/**
 * Runs this commit step before the commit. Only the review of an exception does so, because its answer shows the new
 * state of the violation. The step runs again before the commit, for what is marked later.
 */
export async function evaluateNow(tx: ChangeTx): Promise<void> {
  await evaluateChanges(tx);
}

async function markVulnerabilitiesOnReferences(tx: ChangeTx): Promise<void> {
  const { changes } = tx;
  const references = changes.takeReferences();
  if (references.size === 0 || !(await hasActivePolicy(tx))) return;
  const rows = await listLiveOn(tx, [...references.keys()]);
  for (const { id, reference_id: referenceId } of rows) {
    changes.markChangedOn(id, references.get(referenceId) as RepositoryId, [referenceId]);
  }
}

/** Commit step: the next sweeps evaluate policies for these repositories. */
export async function markRepositoriesForLater(tx: ChangeTx): Promise<void> {
  const repositoryIds = tx.changes.takeForLater();
  if (repositoryIds.length === 0 || !(await hasActivePolicy(tx))) return;
  await markPending(tx, repositoryIds);
}
