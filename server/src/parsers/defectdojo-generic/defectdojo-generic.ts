/**
 * DefectDojo's generic findings, JSON and CSV: the report and its run. Findings are read in `findings.ts`. The report's
 * `type` names the tool; without it, as in CSV, the findings have no other name than the format's.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import { isKnownFamily, toolFamily } from '../reading/tools.ts';
import type { Report, ReportFinding } from '../report.ts';
import { isGenericCsv, readGenericCsv } from './csv.ts';
import { isGenericFinding, readGenericFinding } from './findings.ts';

export const defectdojoGeneric: Format = {
  name: 'defectdojo-generic',
  marks: ['findings', 'name', 'type'],
  recognises,
  alsoReads,
  parse,
};

const headFields = new Set([
  'findings',
  'name',
  'title',
  'type',
  'version',
  'description',
  'static_tool',
  'dynamic_tool',
  'soc',
]);

function recognises({ json, text }: ReportDocument): boolean {
  if (json === undefined) return isGenericCsv(text);
  const findings = field(json, 'findings');
  if (!Array.isArray(findings)) return false;
  const first = findings.slice(0, 20).find((finding) => asRecord(finding) !== null);
  if (first !== undefined) return isGenericFinding(asRecord(first) ?? {});
  const keys = Object.keys(asRecord(json) ?? {});
  const isNamed = keys.some((key) => key === 'name' || key === 'title' || key === 'type');
  return isNamed && keys.every((key) => headFields.has(key));
}

/** Amazon Inspector and others write the same if they found nothing. */
function alsoReads({ json }: ReportDocument): boolean {
  const findings = field(json, 'findings');
  return Array.isArray(findings) && findings.length === 0 && Object.keys(asRecord(json) ?? {}).length === 1;
}

function parse({ json, text }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const tool = toolOf(stringAt(json, 'type'));
  const read = (row: unknown, pointer: string): void => {
    const record = asRecord(row);
    if (record === null) {
      context.addUnreadable(pointer, 'The finding is not an object.');
      return;
    }
    const found = readGenericFinding(record, pointer, tool ?? defectdojoGeneric.name, context);
    takeRow(found, pointer, findings, context);
  };
  if (json === undefined) {
    readGenericCsv(text, context, read);
  } else {
    const rows = arrayAt(json, 'findings');
    context.addRows(rows.length, '/findings');
    for (const [index, row] of rows.entries()) read(row, `/findings/${index}`);
  }
  return newReport(defectdojoGeneric.name, context, [
    newRun({
      tool: tool ?? defectdojoGeneric.name,
      toolVersion: cleanName(stringAt(json, 'version'), context),
      category: categoryOf(stringAt(json, 'name') ?? stringAt(json, 'title'), context),
      findings,
      // The analyses of an unknown tool are unknown too.
      ...(tool === null || !isKnownFamily(tool) ? { analysisTypes: [] } : {}),
    }),
  ]);
}

/** DefectDojo's own name for a report without a type is none of a tool. Its types of tests end with `Scan`. */
function toolOf(type: string | null): string | null {
  const name = (type ?? '').trim().replace(/ scan$/i, '');
  return name === '' || /^generic findings import$/i.test(name) ? null : toolFamily(name);
}

/** The name tells reports apart, unless it holds a number, which may be a date or the number of a build. */
function categoryOf(name: string | null, context: ParseContext): string {
  return name === null || /[0-9]/.test(name) ? '' : cleanName(name, context);
}
