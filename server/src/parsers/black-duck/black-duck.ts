/**
 * Black Duck's report about a version of a project: the CSV of its security risks, alone or in the ZIP archive in which
 * Black Duck packs the reports of all categories. In the archive the list of sources says where components are.
 */
import type { Format } from '../format.ts';
import type { ReportArchive } from '../reading/archive.ts';
import { decodeMember, decodeMemberBeginning, type ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { pointerStep } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import type { Report, ReportFinding } from '../report.ts';
import { readSecurityRisks, securityRisksIn } from './security.ts';
import { isSourceCsv, SourcePaths } from './sources.ts';

export const blackDuck: Format = {
  name: 'black-duck',
  marks: ['Vulnerability id', 'Remediation status', 'Security Risk'],
  recognises,
  parse,
};

/** Black Duck packs one report of each category. */
const maxMembers = 10;

function recognises({ json, text, archive }: ReportDocument): boolean {
  if (archive !== null) return securityMembers(archive).length > 0;
  return json === undefined && securityRisksIn(text);
}

/** The names are `security.csv` and `source.csv` or `files.csv`, in newer versions with a time before the dot. */
function securityMembers(archive: ReportArchive): string[] {
  return membersNamed(archive, /(?:^|\/)security[^/]*\.csv$/i).filter((name) =>
    securityRisksIn(decodeMemberBeginning(archive, name)),
  );
}

function membersNamed(archive: ReportArchive, pattern: RegExp): string[] {
  return archive.names.filter((name) => pattern.test(name)).slice(0, maxMembers);
}

function parse({ text, archive }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const paths = new SourcePaths();
  const read = (csv: string, prefix: string): void =>
    readSecurityRisks(csv, prefix, paths, context, (row, pointer) =>
      takeRow(row, pointer, findings, context),
    );
  if (archive === null) {
    read(text, '');
  } else {
    for (const name of membersNamed(archive, /(?:^|\/)(?:files|source)[^/]*\.csv$/i)) {
      if (isSourceCsv(decodeMemberBeginning(archive, name))) paths.add(decodeMember(archive, name), context);
    }
    for (const name of securityMembers(archive)) read(decodeMember(archive, name), `/${pointerStep(name)}`);
  }
  return newReport(blackDuck.name, context, [
    newRun({ tool: blackDuck.name, showsScan: paths.size > 0, findings }),
  ]);
}
