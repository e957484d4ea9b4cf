/**
 * The exports of Nessus and Tenable: `.nessus` (NessusClientData_v2) and CSV. Types: plug-ins about web applications
 * are `dast`, all others `other`, because a host is neither a repository's package nor its image.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName } from '../reading/text.ts';
import { xmlRoot } from '../reading/xml.ts';
import type { Report } from '../report.ts';
import { isNessusCsv, readNessusCsv } from './csv.ts';
import type { Scan } from './scan.ts';
import { readNessusXml } from './xml.ts';

export const nessus: Format = {
  name: 'nessus',
  marks: ['NessusClientData_v2', 'ReportHost', 'ReportItem'],
  recognises,
  parse,
};

function recognises({ json, text }: ReportDocument): boolean {
  if (json !== undefined) return false;
  return xmlRoot(text)?.name === 'NessusClientData_v2' || isNessusCsv(text);
}

function parse({ text }: ReportDocument, context: ParseContext): Report {
  const scan: Scan = /^\s*</.test(text) ? readNessusXml(text, context) : readNessusCsv(text, context);
  if (!scan.showsHosts) {
    context.warn('Nessus reached no host: this run has no results, so it closes nothing.');
  }
  if (scan.hasUnfinishedHosts) {
    context.warn('Nessus did not finish some hosts: vulnerabilities that this run does not show stay open.');
  }
  if (scan.gaps.length > 0) {
    context.warn(
      'Nessus could not run local checks on some hosts: what such checks found earlier stays open.',
    );
  }
  return newReport(nessus.name, context, [
    newRun({
      tool: 'nessus',
      toolVersion: cleanName(scan.version, context),
      category: scan.name === null ? '' : stableCategory(cleanName(scan.name, context)),
      outcome: !scan.showsHosts ? 'scanned_nothing' : scan.hasUnfinishedHosts ? 'failed' : 'succeeded',
      gaps: scan.gaps,
      showsScan: scan.showsHosts,
      findings: scan.findings,
    }),
  ]);
}
