/**
 * CSV (RFC 4180), a row a vulnerability, for people with a spreadsheet. Texts come from reports: a cell that a
 * spreadsheet would run as a formula is led by an apostrophe.
 */
import type { ExportItem } from '../reports/export/item.ts';
import { type Walk, walkItems } from '../reports/export/walk.ts';

type Cell = string | number | boolean | null | undefined;

/** Name of the column → its cell. */
const columns: [string, (item: ExportItem) => Cell][] = [
  ['id', (item) => item.id],
  ['title', (item) => item.title],
  ['severity', (item) => item.severity],
  ['type', (item) => item.type],
  ['source', (item) => item.source],
  ['status', (item) => item.status],
  ['resolution', (item) => item.resolution],
  ['confirmed', (item) => item.confirmed],
  ['triaged', (item) => item.triaged],
  ['repository', (item) => item.repository.full_name],
  ['ref', (item) => item.location.reference.ref],
  ['path', (item) => item.location.path],
  ['line', (item) => item.location.line],
  ['rule', (item) => item.rule],
  ['identifiers', (item) => item.identifiers.join(' ')],
  ['cwes', (item) => item.cwes.join(' ')],
  ['package', (item) => item.package],
  ['fix_version', (item) => item.fix_version],
  ['cvss_score', (item) => item.cvss.score],
  ['cvss_vector', (item) => item.cvss.vector],
  ['kev_added_on', (item) => item.kev?.added_on],
  ['kev_due_on', (item) => item.kev?.due_on],
  ['kev_ransomware', (item) => item.kev?.ransomware],
  ['epss_score', (item) => item.epss?.score],
  ['epss_percentile', (item) => item.epss?.percentile],
  ['assignee', (item) => item.assignee?.email],
  ['accepted_until', (item) => item.accepted_until],
  ['introduced_at', (item) => item.introduced_at],
  ['vulnerable_at', (item) => item.vulnerable_at],
  ['exploitable_at', (item) => item.exploitable_at],
  ['updated_at', (item) => item.updated_at],
  ['references', (item) => item.references.map(({ ref, status }) => `${ref} ${status}`).join('; ')],
  ['tools', (item) => item.tools.map(({ tool }) => tool).join(' ')],
  ['links', (item) => item.links.join(' ')],
  ['description', (item) => item.description],
];

export async function* csv(walk: Walk): AsyncGenerator<string> {
  yield csvRow(columns.map(([name]) => name));
  for await (const items of walkItems(walk)) {
    yield items.map((item) => csvRow(columns.map(([, cell]) => cell(item)))).join('');
  }
}

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
