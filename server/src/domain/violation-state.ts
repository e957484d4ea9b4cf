/**
 * The enumerations of a violation and their packing into one small integer: the second column of the list's index, and
 * what verdicts are read by. Stored: a value may be added at the end of its list, never moved or removed.
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

export function packViolation(traits: ViolationTraits): number {
  return (
    (enforcementModes.indexOf(traits.enforcement) << enforcementShift) |
    (violationStatuses.indexOf(traits.status) << statusShift) |
    (targetTypes.indexOf(traits.targetType) << typeShift) |
    (traits.snoozed ? 1 : 0)
  );
}

/** Throws on a number that `packViolation` cannot have made. */
export function unpackViolation(packed_state: number): ViolationTraits {
  const enforcement = enforcementModes[packed_state >> enforcementShift];
  const status = violationStatuses[(packed_state >> statusShift) & 7];
  const targetType = targetTypes[(packed_state >> typeShift) & 15];
  if (enforcement === undefined || status === undefined || targetType === undefined) {
    throw new RangeError(`not a violation's packed state: ${packed_state}`);
  }
  return { enforcement, status, targetType, snoozed: (packed_state & 1) !== 0 };
}

/** In SQL: whether a column's enforcement in force is at least this. */
export function sqlEnforcementAtLeast(column: string, mode: EnforcementMode): string {
  return `${column} >> ${enforcementShift} >= ${enforcementModes.indexOf(mode)}`;
}

/** In SQL: whether a column's status is another than this. */
export function sqlViolationStatusIsNot(column: string, status: ViolationStatus): string {
  return `(${column} >> ${statusShift} & 7) <> ${violationStatuses.indexOf(status)}`;
}

/** It stops the merge. Asking for an exception changes nothing about that; only another person's approval does. */
export function isBlocking({ enforcement, status, snoozed }: ViolationTraits): boolean {
  return enforcement === 'block' && isUnresolved(status) && !snoozed;
}

/** It is worth a warning: it stands, and nobody has been exempted from it. */
export function isWarning({ enforcement, status }: ViolationTraits): boolean {
  return (enforcement === 'block' || enforcement === 'warn') && isUnresolved(status);
}

/** It stands: neither resolved nor waived. */
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

/** The stored numbers of all violations that are so. */
export function packedStatesWhere(isSo: (traits: ViolationTraits) => boolean): number[] {
  return allTraits.filter(isSo).map(packViolation);
}
