/**
 * Moves the violations of a merged vulnerability to the survivor, for each policy of which the survivor has none. The
 * other violations end with their exceptions, because an exception or a snooze of one problem does not cover another.
 */

import type { ChangeTx } from '../../db/database.ts';
import type { MergedVulnerabilities } from '../../domain/change-set.ts';
import { withdrawExceptions, withdrawOpenExceptions } from '../exceptions/exception-store.ts';
import { endSnoozes } from '../snooze/snooze-store.ts';
import { endedEvents } from '../violation-events.ts';
import { deleteViolations, listMatchesOfViolations, listStoredViolations } from './evaluate-store.ts';
import {
  clearSnoozeUndos,
  endLongerSnoozes,
  listMergedViolations,
  listUnmatched,
  setTargets,
  withdrawSurvivorExceptions,
} from './merged-violation-store.ts';

/**
 * The caller holds the lock of the evaluation, so that no other transaction writes violations of these vulnerabilities,
 * and evaluates the survivors afterwards. The rows of the merged vulnerabilities are deleted already.
 */
export async function moveViolations(tx: ChangeTx, merged: MergedVulnerabilities): Promise<void> {
  if (merged.cause.actorId === null) {
    // Findings under the other name may come where the policy applies, and nobody has seen them there.
    const unmatched = await listUnmatched(tx, merged);
    await withdrawExceptions(tx, unmatched);
    await endSnoozes(tx, unmatched);
  }
  const violations = await listMergedViolations(tx, merged);
  if (violations.length === 0) return;
  const idsOf = (moves: boolean) => violations.filter((row) => row.moves === moves).map((row) => row.id);
  await setTargets(tx, merged, idsOf(true));
  const ended = idsOf(false);
  if (ended.length === 0) return;
  await withdrawSurvivorExceptions(tx, merged, ended);
  await endLongerSnoozes(tx, merged, ended);
  await clearSnoozeUndos(tx, merged, ended);
  const [stored, matches] = await Promise.all([
    listStoredViolations(tx, ended),
    listMatchesOfViolations(tx, ended, null),
  ]);
  tx.changes.markVerdicts([...matches.values()].flat().map(({ referenceId }) => referenceId));
  await withdrawOpenExceptions(tx, ended);
  await deleteViolations(tx, ended);
  for (const event of endedEvents(stored, merged.cause)) tx.changes.addEvent(event);
}
