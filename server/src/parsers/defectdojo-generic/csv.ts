/**
 * Turns the CSV form of generic findings into the rows of the JSON form. The columns are those of DefectDojo's
 * documentation, in any case and with any signs between their words; those with the names of JSON's fields are read
 * too.
 */
import { readCsv, readCsvHeader } from '../reading/csv.ts';
import type { JsonRecord } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { knownFields } from './findings.ts';

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Maps the plain name of a column to its field. The first are the names that only CSV has. */
const fields: ReadonlyMap<string, string> = new Map([
  ...Array.from(knownFields, (name): [string, string] => [plain(name), name]),
  ['cweid', 'cwe'],
  ['cweids', 'cwes'],
  ['url', 'endpoints'],
  ['falsepositive', 'false_p'],
  ['mitigateddate', 'mitigated'],
  ['vulnerabilityid', 'vulnerability_ids'],
]);

/** DefectDojo needs these three, and most of the others are its own. */
export function isGenericCsv(text: string): boolean {
  const names = readCsvHeader(text)?.header.map(plain) ?? [];
  const known = names.filter((name) => fields.has(name)).length;
  return (
    ['title', 'severity', 'description'].every((name) => names.includes(name)) && names.length - known < known
  );
}

/** Counts each row and hands it over with its pointer, in the shape of a finding in JSON. */
export function readGenericCsv(
  text: string,
  context: ParseContext,
  onRow: (row: JsonRecord, pointer: string) => void,
): void {
  readCsv(text, context, (cells, pointer) => {
    context.addRows(1, pointer);
    onRow(rowOf(cells), pointer);
  });
}

function rowOf(cells: JsonRecord): JsonRecord {
  const row: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(cells)) {
    const name = fields.get(plain(column));
    if (name === undefined) continue;
    row[name] ??= name === 'endpoints' ? [cell] : name === 'cwes' ? String(cell).split(/[\s,;]+/, 100) : cell;
  }
  return row;
}
