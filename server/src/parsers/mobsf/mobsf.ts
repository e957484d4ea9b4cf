/**
 * The JSON of MobSF and mobsfscan: the report about an app, with sections (`app-report.ts`), and mobsfscan's results by
 * rule (`code.ts`).
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { pathGaps } from '../reading/gaps.ts';
import { arrayAt, asRecord, pointerStep, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Gap, Report, ReportFinding } from '../report.ts';
import { readApp } from './app-report.ts';
import { readRule, severityOfMobsfscan } from './code.ts';

export const mobsf: Format = {
  name: 'mobsf',
  marks: ['mobsfscan_version', 'app_name', 'code_analysis', 'manifest_analysis'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const record = asRecord(json);
  if (record === null) return false;
  const has = (key: string): boolean => Object.hasOwn(record, key);
  if (has('mobsfscan_version')) return recordAt(record, 'results') !== null;
  return has('app_name') && has('code_analysis') && ['binary_analysis', 'permissions', 'appsec'].some(has);
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const scan = stringAt(json, 'mobsfscan_version') ?? null;
  const isScan =
    recordAt(json, 'results') !== null && Object.hasOwn(asRecord(json) ?? {}, 'mobsfscan_version');
  const findings = isScan ? readScan(json, context) : readApp(json, context);
  const version = isScan ? scan : (stringAt(json, 'version')?.replace(/^v/, '') ?? null);
  const app = isScan ? null : (stringAt(json, 'package_name') ?? stringAt(json, 'bundle_id'));
  return newReport(mobsf.name, context, [
    newRun({
      tool: isScan ? 'mobsfscan' : 'mobsf',
      toolVersion: cleanName(version, context),
      category: app === null ? '' : cleanName(app, context),
      // A report about an app lists its parts, even if nothing was found.
      showsScan: !isScan,
      gaps: isScan ? gapsOf(json) : [],
      findings,
    }),
  ]);
}

/** mobsfscan lists files that it could not parse. */
function gapsOf(json: unknown): Gap[] {
  const paths = arrayAt(json, 'errors').map((error) => stringAt(error, 'path') ?? stringAt(error, 'file'));
  return pathGaps(paths.map(repositoryPath));
}

function readScan(json: unknown, context: ParseContext): ReportFinding[] {
  const findings: ReportFinding[] = [];
  for (const [id, row] of Object.entries(recordAt(json, 'results') ?? {})) {
    const pointer = `/results/${pointerStep(id)}`;
    context.addRows(1, pointer);
    const read = readRule(id, row, pointer, severityOfMobsfscan, context);
    if (read === null) context.addUnreadable(pointer, 'The rule is not an object.');
    else for (const finding of read) findings.push(finding);
  }
  return findings;
}
