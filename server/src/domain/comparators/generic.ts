/**
 * Orders versions whose ecosystem has no rule here, such as R, Haskell or plain files. The order is good enough to
 * choose among fixes, but must never be used if an ecosystem's own order is known.
 */
import { compareDigits, compareParts, compareText, isDigits } from './digits.ts';

/** Numbers compare by value and words by letter. A missing part comes before a number and after a word. */
export function compareGeneric(a: string, b: string): number {
  return compareParts(partsOf(a), partsOf(b), comparePart);
}

function partsOf(version: string): string[] {
  return (
    version
      .replace(/^v/i, '')
      .toLowerCase()
      .match(/[0-9]+|[a-z]+/g) ?? []
  );
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a !== undefined && b !== undefined) {
    if (isDigits(a) && isDigits(b)) return compareDigits(a, b);
    if (!isDigits(a) && !isDigits(b)) return compareText(a, b);
  }
  return rankOf(a) - rankOf(b);
}

// A word marks a version before the release (1.0-rc < 1.0), a number one after it (1.0 < 1.0.1).
function rankOf(part: string | undefined): number {
  if (part === undefined) return 1;
  return isDigits(part) ? 2 : 0;
}
