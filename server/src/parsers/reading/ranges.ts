/**
 * The facts about a fix in version ranges. Reads the notations of npm, Cargo and GitHub's advisories. It must never
 * compare versions or resolve a range.
 */

const maxRange = 2000;

/** Returns the start of each alternative in a range of patched versions: `>=1.1.0 <2 || ^2.3` → 1.1.0 and 2.3. */
export function patchedFrom(range: string): string[] {
  return each(range, /^(?:>=|\^|~>?|=)?[ \t]*v?([0-9][\w.+-]*)/);
}

/**
 * Gives the end of each alternative in a range of vulnerable versions: `>=4 <4.3.1` → 4.3.1. `<=4.3.0` gives nothing.
 */
export function vulnerableUntil(range: string): string[] {
  return each(range, /(?:^|[ \t,])<[ \t]*v?([0-9][\w.+-]*)/);
}

function each(range: string, bound: RegExp): string[] {
  const versions = range
    .slice(0, maxRange)
    .split('||')
    .map((alternative) => bound.exec(alternative.trim())?.[1]);
  return [...new Set(versions.filter((version) => version !== undefined))];
}
