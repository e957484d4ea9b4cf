/**
 * The enumerations of a violation and their packing into one small integer, the packed state. It is the second column
 * of the list's index, and verdicts are read by it. The numbers are stored: a value may be added at the end of its
 * list, but never moved or removed.
 */
import { type EnforcementMode, enforcementModes, type TargetType, targetTypes } from './policy-enums.ts';

export const violationStatuses = ['open', 'pending_review', 'waived', 'resolved'] as const;
export type ViolationStatus = (typeof violationStatuses)[number];

export interface ViolationTraits {
  enforcement: EnforcementMode;
  status: ViolationStatus;
  targetType: TargetType;
  snoozed: boolean;
}

// enforcement 2 bits | status 3 | target type 4 | snoozed 1.
const enforcementShift = 8;
const statusShift = 5;
const typeShift = 1;
const snoozedBit = 1;

export function packViolation(traits: ViolationTraits): number {
  return (
    (enforcementModes.indexOf(traits.enforcement) << enforcementShift) |
    (violationStatuses.indexOf(traits.status) << statusShift) |
    (targetTypes.indexOf(traits.targetType) << typeShift) |
    (traits.snoozed ? snoozedBit : 0)
  );
}

/** Throws RangeError for a number that `packViolation` cannot have made. */
export function unpackViolation(packedState: number): ViolationTraits {
  const enforcement = enforcementModes[packedState >> enforcementShift];
  const status = violationStatuses[(packedState >> statusShift) & 7];
  const targetType = targetTypes[(packedState >> typeShift) & 15];
  if (enforcement === undefined || status === undefined || targetType === undefined) {
    throw new RangeError(`not a violation's packed state: ${packedState}`);
  }
  return { enforcement, status, targetType, snoozed: (packedState & snoozedBit) !== 0 };
}

/** In SQL: whether the enforcement of a column of packed states is at least `mode`. */
export function sqlEnforcementAtLeast(column: string, mode: EnforcementMode): string {
  return `${column} >> ${enforcementShift} >= ${enforcementModes.indexOf(mode)}`;
}

/** In SQL: whether the status of a column of packed states is not `status`. */
export function sqlViolationStatusIsNot(column: string, status: ViolationStatus): string {
  return `(${column} >> ${statusShift} & 7) <> ${violationStatuses.indexOf(status)}`;
}

/** In SQL: a column of packed states as snoozed if the condition is true, and as not snoozed otherwise. */
export function sqlWithSnoozed(column: string, isSnoozed: string): string {
  return `(case when ${isSnoozed} then ${column} | ${snoozedBit} else ${column} & ~${snoozedBit} end)`;
}

/** A blocking violation stops the merge. A request for an exception does not change that; only its approval does. */
export function isBlocking({ enforcement, status, snoozed }: ViolationTraits): boolean {
  return enforcement === 'block' && isUnresolved(status) && !snoozed;
}

/** True for an unresolved violation with the enforcement `warn` or `block`, also while it is snoozed. */
export function isWarning({ enforcement, status }: ViolationTraits): boolean {
  return (enforcement === 'block' || enforcement === 'warn') && isUnresolved(status);
}

/** An unresolved violation is neither resolved nor waived. */
export function isUnresolved(status: ViolationStatus): boolean {
  return status === 'open' || status === 'pending_review';
}

const allTraits: ViolationTraits[] = enforcementModes.flatMap((enforcement) =>
  violationStatuses.flatMap((status) =>
    targetTypes.flatMap((targetType) =>
      [false, true].map((snoozed) => ({ enforcement, status, targetType, snoozed })),
    ),
  ),
);

/** The packed states of all traits for which `isSo` is true. */
export function packedStatesWhere(isSo: (traits: ViolationTraits) => boolean): number[] {
  return allTraits.filter(isSo).map(packViolation);
}

/** The packed states of unresolved violations, of every type of target. */
export const unresolvedStates = packedStatesWhere(({ status }) => isUnresolved(status));

/** The packed states of unresolved violations of vulnerabilities. */
export const unresolvedOfVulnerabilities = packedStatesWhere(
  ({ status, targetType }) => isUnresolved(status) && targetType === 'vulnerability',
);

/** The packed states of violations that block. */
export const blockingStates = packedStatesWhere(isBlocking);

/** The packed states of violations that warn without blocking. */
export const warningStates = packedStatesWhere((traits) => isWarning(traits) && !isBlocking(traits));
