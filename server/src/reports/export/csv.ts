/** The export as CSV, with one row for each vulnerability. */
import { type Cell, csvRow } from '../../http/csv-row.ts';
import type { ExportItem } from './item.ts';
import { type ExportWalk, walkItems } from './walk.ts';

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
  [
    'references',
    (item) =>
      item.references
        .map(({ ref, status, active }) => `${ref} ${status}${active ? '' : ' (inactive)'}`)
        .join('; '),
  ],
  ['tools', (item) => item.tools.map(({ tool }) => tool).join(' ')],
  ['links', (item) => item.links.join(' ')],
  ['description', (item) => item.description],
  ['reach', (item) => item.reach],
];

export function csvHeader(): string {
  return csvRow(columns.map(([name]) => name));
}

export async function* csv(walk: ExportWalk): AsyncGenerator<string> {
  yield csvHeader();
  for await (const items of walkItems(walk)) {
    yield items.map((item) => csvRow(columns.map(([, cell]) => cell(item)))).join('');
  }
}
