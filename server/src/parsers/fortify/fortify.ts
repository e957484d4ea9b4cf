/**
 * The reports of Fortify: the report's XML (ReportDefinition), the results of Static Code Analyzer (`.fvdl`), the
 * project archive (`.fpr`) with those results and the audit of people, and WebInspect's XML.
 */
import type { Format } from '../format.ts';
import type { ReportArchive } from '../reading/archive.ts';
import { decodeMember, decodeMemberBeginning, type ReportDocument } from '../reading/decode.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { xmlRoot } from '../reading/xml.ts';
import type { Report, Run } from '../report.ts';
import { type Audit, noAudit, readAudit } from './audit.ts';
import { readFvdl } from './fvdl.ts';
import { readFortifyXml } from './report-xml.ts';
import { isWebInspect, readWebInspect } from './webinspect.ts';

export const fortify: Format = {
  name: 'fortify',
  marks: ['ReportDefinition', 'FVDL', 'GroupingSection'],
  recognises,
  parse,
};

function recognises({ json, text, archive }: ReportDocument): boolean {
  if (archive !== null) return resultsIn(archive).length > 0;
  return json === undefined && isResult(text);
}

function isResult(text: string): boolean {
  const root = xmlRoot(text)?.name;
  return root === 'FVDL' || root === 'ReportDefinition' || isWebInspect(text);
}

/** The members with findings; an archive holds one of each. Their names are the same in all versions. */
function resultsIn(archive: ReportArchive): string[] {
  return ['audit.fvdl', 'webinspect.xml']
    .flatMap((file) => memberNamed(archive, file) ?? [])
    .filter((name) => isResult(decodeMemberBeginning(archive, name)));
}

/** Some tools pack the archive again, with a folder around all members. */
function memberNamed(archive: ReportArchive, file: string): string | null {
  return archive.names.find((name) => name === file || name.endsWith(`/${file}`)) ?? null;
}

function parse({ text, archive }: ReportDocument, context: ParseContext): Report {
  const runs: Run[] = [];
  if (archive === null) {
    runs.push(readResult(text, '', noAudit, context));
  } else {
    const audited = memberNamed(archive, 'audit.xml');
    const audit = audited === null ? noAudit : readAudit(decodeMember(archive, audited), context);
    for (const name of resultsIn(archive)) {
      const pointer = `/${name.slice(name.lastIndexOf('/') + 1)}`;
      runs.push(readResult(decodeMember(archive, name), pointer, audit, context));
    }
  }
  return newReport(fortify.name, context, runs);
}

/** Each result is one run. `pointer` is that of its file in an archive. */
function readResult(text: string, pointer: string, audit: Audit, context: ParseContext): Run {
  const root = xmlRoot(text)?.name;
  if (root === 'FVDL') return readFvdl(text, pointer, audit, context);
  if (root === 'ReportDefinition') return readFortifyXml(text, context);
  return readWebInspect(text, pointer, context);
}
