/** Ends the violations of vulnerabilities that have become part of others. */
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import type { WorkspaceEvent } from '../../domain/workspace-event.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { withdrawOpenExceptions } from '../exceptions/exception-store.ts';
import { endedEvents } from '../violation-events.ts';
import {
  deleteViolations,
  listMatchesOfViolations,
  listViolationsOfTargets,
  type StoredViolation,
} from './evaluate-store.ts';

/** Withdraws their exceptions, deletes them, and returns the events. */
export async function endViolations(
  tx: Tx,
  violations: readonly StoredViolation[],
  cause: Cause,
): Promise<WorkspaceEvent[]> {
  const ids = violations.map(({ id }) => id);
  await withdrawOpenExceptions(tx, ids);
  await deleteViolations(tx, ids);
  return endedEvents(violations, cause);
}

/**
 * A merge moves or ends the violations of a merged vulnerability before it takes the lock of the evaluation. With the lock
 * it sees those that another evaluation has written since, and ends them too. `merged`: vulnerability → repository.
 */
export async function endViolationsOfMerged(
  tx: ChangeTx,
  merged: ReadonlyMap<VulnerabilityId, RepositoryId>,
  at: Date,
): Promise<void> {
  const violations = await listViolationsOfTargets(tx, [...merged.values()], [...merged.keys()]);
  if (violations.length === 0) return;
  const matches = await listMatchesOfViolations(
    tx,
    violations.map(({ id }) => id),
  );
  tx.changes.markVerdicts([...matches.values()].flat().map(({ referenceId }) => referenceId));
  const cause = { scanId: tx.changes.scan?.id ?? null, actorId: null, at };
  for (const event of await endViolations(tx, violations, cause)) tx.changes.addEvent(event);
}
