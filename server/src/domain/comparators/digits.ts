/** The order of numbers that are written as digits, of any length, of plain text, and of lists of parts. */

export function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+/, '');
  const right = b.replace(/^0+/, '');
  return left.length - right.length || compareText(left, right);
}

/** Compares by code units, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Compares part by part. In the shorter list the parts after its end are undefined. */
export function compareParts<Part>(
  left: readonly Part[],
  right: readonly Part[],
  compare: (a: Part | undefined, b: Part | undefined) => number,
): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = compare(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}
