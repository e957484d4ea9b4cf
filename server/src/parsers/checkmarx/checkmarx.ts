/**
 * The reports of Checkmarx: the XML of CxSAST, the results that the command line of Checkmarx One writes, and the
 * report that Checkmarx One makes for people. All are one run of the tool `checkmarx`, as the SARIF of the command line
 * is. The same problem has the same rule and file in each of them.
 */
import { types, type VulnerabilityType } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { leftOut } from '../reading/gaps.ts';
import { arrayAt, asRecord, field, numberAt, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { outcomeOfPage } from '../reading/pages.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName } from '../reading/text.ts';
import { xmlRoot } from '../reading/xml.ts';
import type { Gap, Report, ReportFinding, Run } from '../report.ts';
import { readCxSast } from './cxsast.ts';
import { isOneReport, reportRows } from './one-report.ts';
import { isResult, readResult } from './results.ts';

export const checkmarx: Format = {
  name: 'checkmarx',
  marks: ['results', 'totalCount', 'scanID'],
  recognises: ({ json, text }) =>
    json === undefined ? xmlRoot(text)?.name === 'CxXMLResults' : isOneReport(json) || isResultList(json),
  alsoReads: ({ json }) => arrayAt(json, 'results').length === 0 && numberAt(json, 'totalCount') === 0,
  parse: (document, context) => {
    const { json } = document;
    if (json === undefined) return parseXml(document, context);
    return isOneReport(json) ? parseReport(json, context) : parseResults(json, context);
  },
};

/** The command line writes the id of the scan, so a list without results can be recognised by it. */
function isResultList(json: unknown): boolean {
  const results = field(json, 'results') ?? [];
  if (!Array.isArray(results)) return false;
  const first = results.find((row) => asRecord(row) !== null);
  if (first !== undefined) return isResult(first);
  return numberAt(json, 'totalCount') !== null && stringAt(json, 'scanID') !== null;
}

function parseXml({ text }: ReportDocument, context: ParseContext): Report {
  const { findings, project, version, files } = readCxSast(text, context);
  const isEmpty = files === 0 && context.rows === 0;
  if (isEmpty) context.warn('Checkmarx scanned no file: this run has no results, so it closes nothing.');
  return reportOf(findings, context, {
    toolVersion: cleanName(version, context),
    category: categoryOf(project, context),
    outcome: isEmpty ? 'scanned_nothing' : 'succeeded',
    showsScan: (files ?? 0) > 0,
    analysisTypes: ['sast'],
  });
}

function parseResults(json: unknown, context: ParseContext): Report {
  const rows = arrayAt(json, 'results');
  context.addRows(rows.length, '/results');
  const findings = readRows(
    rows.map((row, index) => ({ row, pointer: `/results/${index}` })),
    context,
  );
  const isPage = (numberAt(json, 'totalCount') ?? 0) > rows.length;
  // Nothing but its rows says that an engine ran. Rows that are fixed say it too.
  const gaps = gapsBeside(rows.map((row) => stringAt(row, 'type') ?? ''));
  if (gaps.length > 0) {
    context.warn(
      'Some engines of Checkmarx have no result in this report: vulnerabilities that they found earlier stay open.',
    );
  }
  return reportOf(findings, context, { gaps, outcome: outcomeOfPage(isPage, context) });
}

function parseReport(json: unknown, context: ParseContext): Report {
  const { rows, unknownSections } = reportRows(json);
  context.addRows(rows.length, '');
  const findings = readRows(rows, context);
  const heads = ['reportHeader', 'executiveSummary', 'scanSummary'].map((key) => recordAt(json, key));
  const project = heads.map((head) => stringAt(head, 'projectName')).find((name) => name !== null) ?? null;
  const engines = heads.flatMap((head) => [...stringsAt(head, 'engines'), ...stringsAt(head, 'engineTypes')]);
  const analysisTypes = engines.flatMap((engine) => typesOfEngine(engine) ?? []);
  if (unknownSections.length > 0) {
    context.warn(
      'Sections of the report have a shape that is not known: they were not read, and nothing is closed.',
    );
  }
  return reportOf(findings, context, {
    category: categoryOf(project, context),
    outcome: unknownSections.length > 0 ? 'failed' : 'succeeded',
    gaps: gapsBeside(engines),
    ...(analysisTypes.length > 0 ? { analysisTypes, showsScan: true } : {}),
  });
}

/** The names that reports and results have for the engines. */
const typesByEngine: readonly (readonly [RegExp, readonly VulnerabilityType[]])[] = [
  [/^sast/i, ['sast']],
  // The packages of an image are those of its system and others.
  [/container/i, ['container', 'dependency']],
  [/^(?:sca|dependency)/i, ['dependency']],
  [/^(?:kics|iac|infrastructure)/i, ['iac']],
  [/secret/i, ['secret']],
  [/scorecard/i, ['other']],
];

function typesOfEngine(engine: string): readonly VulnerabilityType[] | null {
  return typesByEngine.find(([pattern]) => pattern.test(engine))?.[1] ?? null;
}

/** Returns the types that none of these engines finds. An engine that did not run or failed leaves no other mark. */
function gapsBeside(engines: readonly string[]): Gap[] {
  const found: (VulnerabilityType | undefined)[] = [];
  for (const engine of new Set(engines)) found.push(...(typesOfEngine(engine) ?? [undefined]));
  // A package may be malware itself.
  if (found.includes('dependency')) found.push('malware');
  return leftOut(types, found).map((type) => ({ type }));
}

function readRows(
  rows: readonly { row: unknown; pointer: string }[],
  context: ParseContext,
): ReportFinding[] {
  const findings: ReportFinding[] = [];
  for (const { row, pointer } of rows) {
    const record = asRecord(row);
    const read =
      record === null ? { unreadable: 'It is not an object.' } : readResult(record, pointer, context);
    takeRow(read, pointer, findings, context);
  }
  return findings;
}

function categoryOf(project: string | null, context: ParseContext): string {
  return project === null ? '' : stableCategory(cleanName(project, context));
}

function reportOf(findings: ReportFinding[], context: ParseContext, run: Partial<Run>): Report {
  return newReport(checkmarx.name, context, [newRun({ tool: 'checkmarx', findings, ...run })]);
}
