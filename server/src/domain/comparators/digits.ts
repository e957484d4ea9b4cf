/** The order of numbers that are written as digits, of any length, and of plain text. */

export function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+/, '');
  const right = b.replace(/^0+/, '');
  return left.length - right.length || compareText(left, right);
}

/** Compares by code units, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}
