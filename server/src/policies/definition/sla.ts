/** The time to fix in a policy document: a number and a unit, such as `7d`. */

import { daySeconds, hourSeconds } from '../../domain/time.ts';

const seconds = { h: hourSeconds, d: daySeconds, w: 7 * daySeconds };
export const slaPattern = '^[1-9][0-9]{0,3}[hdw]$';

/** The time to fix in seconds. Throws RangeError if the text does not match `slaPattern`. */
export function slaSeconds(window: string): number {
  const match = /^([1-9][0-9]{0,3})([hdw])$/.exec(window);
  if (!match) throw new RangeError(`not a time to fix: ${window}`);
  return Number(match[1]) * seconds[match[2] as keyof typeof seconds];
}
