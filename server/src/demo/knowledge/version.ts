/**
 * Orders versions as far as the demo's own tables need it, over all ecosystems with one rule.
 *
 * It is no implementation of semver, Maven or Debian ordering and must never be used outside the demo: release
 * candidates, epochs and the tilde of Debian are compared like any other text.
 */

/** Negative when `a` is older than `b`, 0 when equal. */
export function compareVersions(a: string, b: string): number {
  const left = pieces(a);
  const right = pieces(b);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const x = left[index];
    const y = right[index];
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    const order = comparePieces(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether a version is in a range such as `<4.17.21` or `>=5.3.0 <5.3.18`; all conditions must hold. */
export function isInRange(version: string, range: string): boolean {
  return range.split(' ').every((condition) => {
    const match = /^(>=|<=|<)(.+)$/.exec(condition);
    if (match === null) throw new Error(`not a range: ${range}`);
    const order = compareVersions(version, match[2] ?? '');
    if (match[1] === '>=') return order >= 0;
    return match[1] === '<=' ? order <= 0 : order < 0;
  });
}

/** The version that ends the range and is safe again, or null when the range has no fix (`<=`). */
export function fixOfRange(range: string): string | null {
  return /(?:^| )<([^=\s]+)$/.exec(range)?.[1] ?? null;
}

function pieces(version: string): string[] {
  return version.match(/\d+|[a-z]+/gi) ?? [];
}

function comparePieces(a: string, b: string): number {
  const bothNumbers = /^\d/.test(a) && /^\d/.test(b);
  if (bothNumbers) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
