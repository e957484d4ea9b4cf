/**
 * Moves the violations of a merged vulnerability to the survivor, for each policy of which the survivor has none. The
 * other violations end with their exceptions, because an exception or a snooze of one problem does not cover another.
 */

import type { Tx } from '../../db/database.ts';
import type { WorkspaceEvent } from '../../domain/workspace-event.ts';
import { endViolations } from '../../policies/evaluation/end-of-merged.ts';
import { listStoredViolations } from '../../policies/evaluation/evaluate-store.ts';
import { withdrawExceptions } from '../../policies/exceptions/exception-store.ts';
import { endSnoozes } from '../../policies/snooze/snooze-store.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import type { Merge } from './merge-store.ts';
import {
  clearSnoozeUndos,
  endLongerSnoozes,
  listMergedViolations,
  listUnmatched,
  setTargets,
  withdrawSurvivorExceptions,
} from './merge-violation-store.ts';

/**
 * Moves the violations, and returns the events of those that end. It must run before the merged vulnerabilities are
 * deleted.
 */
export async function moveViolations(tx: Tx, merges: Merge[], cause: Cause): Promise<WorkspaceEvent[]> {
  if (cause.actorId === null) {
    // Findings under the other name may come where the policy applies, and nobody has seen them there.
    const unmatched = await listUnmatched(tx, merges);
    await withdrawExceptions(tx, unmatched);
    await endSnoozes(tx, unmatched);
  }
  const violations = await listMergedViolations(tx, merges);
  if (violations.length === 0) return [];
  const idsOf = (moves: boolean) => violations.filter((row) => row.moves === moves).map((row) => row.id);
  await setTargets(tx, merges, idsOf(true));
  const ended = idsOf(false);
  if (ended.length === 0) return [];
  await withdrawSurvivorExceptions(tx, merges, ended);
  await endLongerSnoozes(tx, merges, ended);
  await clearSnoozeUndos(tx, merges, ended);
  return endViolations(tx, await listStoredViolations(tx, ended), cause);
}
