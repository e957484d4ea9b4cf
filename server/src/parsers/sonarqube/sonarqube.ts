/**
 * SonarQube's findings: an answer of its web API (`api/issues/search`, `api/hotspots/search`), the rows of one without
 * the answer around them, and the JSON of sonar-report. Rows are read in `issues.ts`. Each project is a run, and so are
 * the hotspots of a project, because they come in a report of their own.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, numberAt, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { outcomeOfPage } from '../reading/pages.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Report, ReportFinding, Run } from '../report.ts';
import { isHotspot, type RowContext, readSonarQubeIssue, sonarRuleOf } from './issues.ts';

export const sonarqube: Format = {
  name: 'sonarqube',
  writesLists: true,
  marks: ['issues', 'hotspots', 'components', 'paging'],
  recognises,
  parse,
};

const lists = ['issues', 'hotspots'] as const;

function recognises({ json }: ReportDocument): boolean {
  if (Array.isArray(json)) return isRow(json.find((element) => asRecord(element) !== null));
  const given = lists.map((list) => field(json, list)).filter((rows) => Array.isArray(rows));
  if (given.length === 0) return false;
  const first = given.flatMap((rows) => rows.slice(0, 20)).find((row) => asRecord(row) !== null);
  return first === undefined ? isEmptyAnswer(asRecord(json) ?? {}) : isRow(first);
}

/** Every issue names its component, its rule and its severity. A hotspot of older servers names no rule. */
function isRow(row: unknown): boolean {
  const component = stringAt(row, 'component') ?? stringAt(recordAt(row, 'component'), 'key');
  const state = ['status', 'issueStatus', 'severity'].some((key) => stringAt(row, key) !== null);
  const record = asRecord(row);
  if (record === null || component === null || !state) return false;
  return sonarRuleOf(record) !== null || isHotspot(record);
}

function isEmptyAnswer(json: JsonRecord): boolean {
  const has = (key: string): boolean => Object.hasOwn(json, key);
  const isPage = recordAt(json, 'paging') !== null || (has('total') && (has('ps') || has('p')));
  return (isPage && (has('components') || has('facets'))) || has('sonarBaseURL') || has('hotspotKeys');
}

/** One project's issues, or its hotspots. */
interface Series {
  category: string;
  findings: ReportFinding[];
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rowContext = rowContextOf(json);
  const series = new Map<string, Series>();
  for (const { row, pointer } of rowsOf(json, context)) {
    const record = asRecord(row);
    const finding = record === null ? null : readSonarQubeIssue(record, pointer, rowContext, context);
    if (record === null || finding === null || 'unreadable' in finding) {
      const reason =
        finding !== null && 'unreadable' in finding ? finding.unreadable : 'It is not an object.';
      context.addUnreadable(pointer, reason);
      continue;
    }
    // A row that is no open finding still shows that its project was analysed.
    const found = seriesOf(series, projectOf(record) ?? rowContext.project, isHotspot(record), context);
    if ('skip' in finding) context.warn(finding.skip);
    else found.findings.push(finding);
  }
  const outcome = outcomeOf(json, context);
  const showsScan = series.size > 0 || showsAnalysis(json);
  if (series.size === 0) seriesOf(series, rowContext.project, false, context);
  return newReport(
    sonarqube.name,
    context,
    [...series.values()].map(({ category, findings }) =>
      newRun({ tool: 'sonarqube', category, outcome, showsScan, findings }),
    ),
  );
}

function rowsOf(json: unknown, context: ParseContext): { row: unknown; pointer: string }[] {
  const parts = Array.isArray(json)
    ? [{ rows: json as readonly unknown[], at: '' }]
    : lists.map((list) => ({ rows: arrayAt(json, list), at: `/${list}` }));
  for (const { rows, at } of parts) context.addRows(rows.length, at);
  return parts.flatMap(({ rows, at }) => rows.map((row, index) => ({ row, pointer: `${at}/${index}` })));
}

function seriesOf(
  all: Map<string, Series>,
  project: string | null,
  hotspots: boolean,
  context: ParseContext,
): Series {
  if (project === null) {
    context.warn('The report names no project of SonarQube, so it closes nothing of reports that name one.');
  }
  const category = cleanName(`${project ?? ''}${hotspots ? '/hotspots' : ''}`, context);
  const known = all.get(category);
  if (known !== undefined) return known;
  context.addRun('');
  const series: Series = { category, findings: [] };
  all.set(category, series);
  return series;
}

/** Older answers have the project's key only in the component, before the last colon. */
function projectOf(row: JsonRecord): string | null {
  const component = stringAt(row, 'component') ?? '';
  const colon = component.lastIndexOf(':');
  return (
    stringAt(row, 'project') ??
    stringAt(recordAt(row, 'project'), 'key') ??
    (colon > 0 ? component.slice(0, colon) : null)
  );
}

function rowContextOf(json: unknown): RowContext {
  const paths = new Map<string, string | null>();
  let project = stringAt(json, 'sonarComponent') ?? stringAt(json, 'projectName');
  for (const component of arrayAt(json, 'components')) {
    const key = stringAt(component, 'key');
    if (key === null) continue;
    const isProject = ['TRK', 'APP', 'VW'].includes(stringAt(component, 'qualifier') ?? '');
    if (isProject) project ??= key;
    const path = stringAt(component, 'path');
    if (path !== null || isProject) paths.set(key, path);
  }
  const rules = new Map<string, JsonRecord>();
  for (const rule of arrayAt(json, 'rules')) {
    const record = asRecord(rule);
    const key = stringAt(record, 'key');
    if (record !== null && key !== null) rules.set(key, record);
  }
  // sonar-report has an object of rules by their keys.
  const byKey = recordAt(json, 'rules');
  for (const key of Object.keys(byKey ?? {})) {
    const record = recordAt(byKey, key);
    if (record !== null) rules.set(key, record);
  }
  return { paths, rules, help: new Map(), project };
}

/** An answer without rows may be about a project that was never analysed. */
function showsAnalysis(json: unknown): boolean {
  const gate = stringAt(recordAt(recordAt(json, 'qualityGateStatus'), 'projectStatus'), 'status');
  const rules = arrayAt(json, 'rules').length + Object.keys(recordAt(json, 'rules') ?? {}).length;
  return arrayAt(json, 'components').length + rules > 0 || (gate !== null && gate !== 'NONE');
}

/** The default and the largest number of rows that the web API gives at once. */
const pageSizes: ReadonlySet<number> = new Set([100, 500]);

/** A missing row may be on another page. Rows without the answer around them do not say how many there are. */
function outcomeOf(json: unknown, context: ParseContext): Run['outcome'] {
  const total = numberAt(json, 'total') ?? numberAt(recordAt(json, 'paging'), 'total');
  const shown = lists.reduce((sum, list) => sum + arrayAt(json, list).length, 0);
  const isFullPage = Array.isArray(json) && pageSizes.has(json.length);
  return outcomeOfPage(isFullPage || (total !== null && total > shown), context);
}
