/**
 * A row of CSV (RFC 4180), for people with a spreadsheet. Texts come from reports, so what a spreadsheet would run as a
 * formula gets an apostrophe before it.
 */
export type Cell = string | number | boolean | null | undefined;

/** The row with its line end. */
export function csvRow(cells: Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

// Some spreadsheets skip blanks and characters without width before the sign, and some read full-width or small signs
// as plain ones.
const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b]';
const formula = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{Cc}\\p{Cf}]*${sign})`, 'u');
// A spreadsheet separates cells at semicolons if the comma is its decimal sign. It then sees no quotes
// before the first of them. So another cell begins there, and at a tab or a line end. Quotes at its start are no part
// of its text.
const formulaInside = new RegExp(`[;\\t\\r\\n](?=(?:(?![\\t\\r\\n])["\\s\\p{Cc}\\p{Cf}])*${sign})`, 'gu');

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' ? withoutFormulas(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutFormulas(text: string): string {
  const plain = text.replace(formulaInside, "$&'");
  return formula.test(text) ? `'${plain}` : plain;
}
