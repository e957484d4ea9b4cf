/**
 * A row of CSV (RFC 4180), for people with a spreadsheet. Texts come from reports: a cell that a spreadsheet would run as a
 * formula is led by an apostrophe.
 */
export type Cell = string | number | boolean | null | undefined;

/** With its line end. */
export function csvRow(cells: Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

// A tab or line end is where a spreadsheet may begin another cell. Before the sign some skip what is blank or has no
// width, and some take the signs of full width, or the small ones, for the plain ones.
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
