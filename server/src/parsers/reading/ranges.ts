/**
 * Owns what ranges of versions say of a fix. Takes the notations of npm, Cargo and GitHub's advisories; must
 * never compare versions or resolve a range.
 */

const maxRange = 2000;

/** Where each alternative of a range of patched versions begins: `>=1.1.0 <2 || ^2.3` → 1.1.0 and 2.3. */
export function patchedFrom(range: string): string[] {
  return each(range, /^(?:>=|\^|~>?|=)?[ \t]*v?([0-9][\w.+-]*)/);
}

/** Where each alternative of a range of vulnerable versions ends: `>=4 <4.3.1` → 4.3.1. Nothing for `<=4.3.0`. */
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
