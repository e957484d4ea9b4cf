/**
 * A row of CSV (RFC 4180), for people with a spreadsheet. Texts come from reports, so a cell that a spreadsheet would
 * run as a formula gets an apostrophe before it.
 */
export type Cell = string | number | boolean | null | undefined;

/** The row with its line end. */
export function csvRow(cells: Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

// A spreadsheet may begin another cell at a tab or a line end. Some skip blanks and characters without width before the
// sign, and some read full-width or small signs as plain ones.
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
