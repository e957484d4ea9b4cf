/** Time to fix, as a policy writes it: a number and a unit, `7d`. */

const seconds = { h: 3600, d: 24 * 3600, w: 7 * 24 * 3600 };
export const slaPattern = '^[1-9][0-9]{0,3}[hdw]$';

/** Throws RangeError for what is no window. */
export function slaSeconds(window: string): number {
  const match = /^([1-9][0-9]{0,3})([hdw])$/.exec(window);
  if (!match) throw new RangeError(`not a time to fix: ${window}`);
  return Number(match[1]) * seconds[match[2] as keyof typeof seconds];
}
