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
export function unpackViolation(bucket: number): ViolationTraits {
  const enforcement = enforcementModes[bucket >> enforcementShift];
  const status = violationStatuses[(bucket >> statusShift) & 7];
  const targetType = targetTypes[(bucket >> typeShift) & 15];
  if (enforcement === undefined || status === undefined || targetType === undefined) {
    throw new RangeError(`not a violation's bucket: ${bucket}`);
  }
  return { enforcement, status, targetType, snoozed: (bucket & 1) !== 0 };
}

/** It stops the merge. Asking for an exception changes nothing about that; only another person's approval does. */
export function isBlocking({ enforcement, status, snoozed }: ViolationTraits): boolean {
  return enforcement === 'block' && isUnsettled(status) && !snoozed;
}

/** It is worth a warning: it stands, and nobody has been exempted from it. */
export function isWarning({ enforcement, status }: ViolationTraits): boolean {
  return (enforcement === 'block' || enforcement === 'warn') && isUnsettled(status);
}

/** It stands: neither resolved nor waived. */
export function isUnsettled(status: ViolationStatus): boolean {
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
export function bucketsWhere(isSo: (traits: ViolationTraits) => boolean): number[] {
  return allTraits.filter(isSo).map(packViolation);
}
