/** The status values of VEX, and those of them that deny a vulnerability. It must never read a document. */

/** The domain `vex_status` of the database has the same values. */
export const vexStatuses = [
  'not_affected',
  'false_positive',
  'affected',
  'exploitable',
  'fixed',
  'under_investigation',
] as const;
export type VexStatus = (typeof vexStatuses)[number];

type Denial = 'not_affected' | 'false_positive';

export function isDenial(status: VexStatus): status is Denial {
  return status === 'not_affected' || status === 'false_positive';
}
