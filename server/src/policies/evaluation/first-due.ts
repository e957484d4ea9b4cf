/**
 * The unresolved violation of a vulnerability that is due first holds the packed states and the time of the
 * vulnerability, so that a list finds in one index what is due.
 */
import type { TargetId } from '../../domain/policy-enums.ts';
import { isUnresolved } from '../../domain/violation-state.ts';
import type { ListedState, StoredViolation } from './evaluate-store.ts';

/**
 * Returns the violations so that the first unresolved one of each target holds its vulnerability, and no other does.
 * The caller passes all violations of each target. A vulnerability that is not in `current` keeps the state that one of
 * its violations holds.
 */
export function withFirstDue(
  violations: readonly StoredViolation[],
  current: ReadonlyMap<TargetId, ListedState>,
): StoredViolation[] {
  const first = new Map<TargetId, StoredViolation>();
  const held = new Map<TargetId, ListedState>();
  for (const violation of violations) {
    const { targetId, listed, status } = violation;
    if (listed !== null) held.set(targetId, listed);
    if (!isUnresolved(status)) continue;
    const known = first.get(targetId);
    if (known === undefined || isDueBefore(violation, known)) first.set(targetId, violation);
  }
  return violations.map((violation) => {
    const { targetId } = violation;
    const isFirst = first.get(targetId) === violation;
    const listed = isFirst ? (current.get(targetId) ?? held.get(targetId) ?? null) : null;
    return isSameListed(violation.listed, listed) ? violation : { ...violation, listed };
  });
}

function isDueBefore(a: StoredViolation, b: StoredViolation): boolean {
  const difference = a.dueAt.getTime() - b.dueAt.getTime();
  return difference < 0 || (difference === 0 && a.id < b.id);
}

/** Returns true if both hold the same, or both hold no vulnerability. */
export function isSameListed(a: ListedState | null, b: ListedState | null): boolean {
  return (
    a?.packedState === b?.packedState &&
    a?.defaultBranchState === b?.defaultBranchState &&
    a?.introducedAt.getTime() === b?.introducedAt.getTime()
  );
}
