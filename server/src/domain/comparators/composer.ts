/**
 * The order of Composer's versions: that of PHP's version_compare, with branches before all versions. No library has it
 * (docs/adr/0097-versions-are-tested-by-own-examples.md).
 */
import { compareDigits, compareParts, isDigits } from './digits.ts';

export function compareComposer(a: string, b: string): number {
  return compareParts(partsOf(a), partsOf(b), comparePart);
}

function partsOf(version: string): string[] {
  return (
    version
      .toLowerCase()
      .replace(/^v(?=[0-9])/, '')
      .match(/[0-9]+|[a-z]+|#/g) ?? []
  );
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a !== undefined && b !== undefined && isDigits(a) && isDigits(b)) return compareDigits(a, b);
  if (isPatchBefore(a, b)) return -1;
  if (isPatchBefore(b, a)) return 1;
  const order = rankOf(a) - rankOf(b);
  if (order !== 0) return order;
  // The longer of two versions is newer if the rest begins with a number: 1.0 < 1.0.0.
  if (a === undefined && b !== undefined && isDigits(b)) return -1;
  return b === undefined && a !== undefined && isDigits(a) ? 1 : 0;
}

const stabilityRanks = new Map([
  ['dev', 1],
  ['alpha', 2],
  ['a', 2],
  ['beta', 3],
  ['b', 3],
  ['rc', 4],
  ['c', 4],
  ['#', 5],
  ['patch', 6],
  ['pl', 6],
  ['p', 6],
]);

// Words that PHP does not know come before all known words. A number and the end of the version count as a release.
function rankOf(part: string | undefined): number {
  return part === undefined || isDigits(part) ? 5 : (stabilityRanks.get(part) ?? 0);
}

// Composer fills versions up with zeros before it compares, so 1.0pl1 is older than 1.0.1.
function isPatchBefore(stability: string | undefined, number: string | undefined): boolean {
  return (
    stabilityRanks.get(stability ?? '') === 6 && number !== undefined && /^[0-9]*[1-9][0-9]*$/.test(number)
  );
}
