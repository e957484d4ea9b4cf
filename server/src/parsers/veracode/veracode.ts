/**
 * The reports of Veracode: the detailed XML report, the answers of the findings REST API, and the results of pipeline
 * scans. Each kind of analysis is a run, because each has reports and requests of its own. A flaw has the same rule,
 * file and code in all of them, and in the SARIF that Veracode makes of them.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, numberAt, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { mayBeFullPage, outcomeOfPage } from '../reading/pages.ts';
import { newReport } from '../reading/rows.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName } from '../reading/text.ts';
import { xmlRoot } from '../reading/xml.ts';
import type { Report, ReportFinding, Run } from '../report.ts';
import { isApiFinding, kindOfApiFinding, readApiFinding } from './api-findings.ts';
import { readDetailedReport } from './detailed-report.ts';
import type { Row } from './flaws.ts';
import { isPipelineFinding, readPipelineFinding } from './pipeline-findings.ts';

export const veracode: Format = {
  name: 'veracode',
  writesLists: true,
  marks: ['_embedded', '_links', 'page', 'scan_id', 'scan_status'],
  recognises: ({ json, text }) =>
    json === undefined ? xmlRoot(text)?.name === 'detailedreport' : shapeOf(json) !== null,
  parse: (document, context) => {
    const { json } = document;
    if (json === undefined) return parseXml(document, context);
    return shapeOf(json) === 'pipeline' ? parsePipeline(json, context) : parseApi(json, context);
  },
};

/** The list of findings, and its position in the report. */
function listOf(json: unknown): { rows: readonly unknown[]; at: string } | null {
  if (Array.isArray(json)) return { rows: json, at: '' };
  const embedded = field(recordAt(json, '_embedded'), 'findings');
  if (Array.isArray(embedded)) return { rows: embedded, at: '/_embedded/findings' };
  const findings = field(json, 'findings');
  return Array.isArray(findings) ? { rows: findings, at: '/findings' } : null;
}

function shapeOf(json: unknown): 'api' | 'pipeline' | null {
  const list = listOf(json);
  const first = list?.rows.find((row) => asRecord(row) !== null);
  if (first !== undefined) return isApiFinding(first) ? 'api' : isPipelineFinding(first) ? 'pipeline' : null;
  if (list !== null && stringAt(json, 'scan_id') !== null && stringAt(json, 'scan_status') !== null) {
    return 'pipeline';
  }
  // An answer without findings has no list.
  const hasPage = numberAt(recordAt(json, 'page'), 'total_elements') !== null;
  return hasPage && recordAt(recordAt(json, '_links'), 'application') !== null ? 'api' : null;
}

/** One kind of analysis of one application or sandbox. */
interface Analysis {
  kind: string;
  /** The application or the sandbox, by its id; empty if the report does not name one, or names one for all. */
  scope: string;
  findings: ReportFinding[];
  run: Partial<Run>;
}

const typesByKind: ReadonlyMap<string, VulnerabilityType> = new Map([
  ['static', 'sast'],
  ['pipeline', 'sast'],
  ['dynamic', 'dast'],
  ['sca', 'dependency'],
]);

class AnalysisList {
  readonly #analyses = new Map<string, Analysis>();
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  of(kind: string, run: Partial<Run> = {}, scope = ''): Analysis {
    const key = JSON.stringify([scope, kind]);
    const known = this.#analyses.get(key);
    if (known !== undefined) {
      Object.assign(known.run, run);
      return known;
    }
    this.#context.addRun('');
    const analysis = { kind, scope, findings: [], run: { ...run } };
    this.#analyses.set(key, analysis);
    return analysis;
  }

  add(kind: string, row: Row, pointer: string, scope: string): void {
    if ('unreadable' in row) {
      this.#context.addUnreadable(pointer, row.unreadable);
      return;
    }
    // A row that is no open finding still shows that its kind was analysed.
    const { findings } = this.of(kind, {}, scope);
    if ('skip' in row) this.#context.warn(row.skip);
    else for (const finding of row) findings.push(finding);
  }

  report(application: string | null, shared: Partial<Run> = {}): Report {
    if (this.#analyses.size === 0) this.of('');
    const name = application === null ? '' : cleanName(application, this.#context);
    return newReport(
      veracode.name,
      this.#context,
      Array.from(this.#analyses.values(), ({ kind, scope, findings, run }) => {
        const type = typesByKind.get(kind);
        const looked = type === undefined ? {} : { analysisTypes: [type], showsScan: true };
        // The id of a scope is the same in each run.
        const parts = [scope, stableCategory([name, kind].filter((part) => part !== '').join('/'))];
        const category = parts.filter((part) => part !== '').join('/');
        return newRun({ tool: 'veracode', category, findings, ...looked, ...shared, ...run });
      }),
    );
  }
}

function parseXml({ text }: ReportDocument, context: ParseContext): Report {
  const analyses = new AnalysisList(context);
  const { application, sandbox } = readDetailedReport(text, context, {
    onAnalysis: (kind, version) =>
      analyses.of(kind, {
        toolVersion: cleanName(version, context),
      }),
    onRow: (kind, row, pointer) => analyses.add(kind, row, pointer, ''),
  });
  const names = [application, sandbox].filter((name) => name !== null);
  return analyses.report(names.join('/') || null);
}

function parseApi(json: unknown, context: ParseContext): Report {
  const { rows, at } = listOf(json) ?? { rows: [], at: '' };
  const analyses = readRows(rows, at, kindOfApiFinding, readApiFinding, context);
  const page = recordAt(json, 'page');
  const total = numberAt(page, 'total_elements');
  const isPart = total === null ? (numberAt(page, 'total_pages') ?? 1) > 1 : total > rows.length;
  return analyses.report(null, { outcome: outcomeOfPage(isPart || mayBeFullPage(json), context) });
}

function parsePipeline(json: unknown, context: ParseContext): Report {
  const { rows, at } = listOf(json) ?? { rows: [], at: '' };
  const analyses = readRows(rows, at, () => 'pipeline', readPipelineFinding, context);
  const status = stringAt(json, 'scan_status');
  const hasFailed = status !== null && status.toUpperCase() !== 'SUCCESS';
  if (hasFailed)
    context.warn('The pipeline scan did not succeed: vulnerabilities that this run does not show stay open.');
  analyses.of('pipeline', { toolVersion: cleanName(stringAt(json, 'pipeline_scan'), context) });
  return analyses.report(null, {
    outcome: hasFailed ? 'failed' : 'succeeded',
    showsScan: !hasFailed && (rows.length > 0 || arrayAt(json, 'modules').length > 0),
  });
}

function readRows(
  rows: readonly unknown[],
  at: string,
  kindOf: (record: JsonRecord) => string,
  read: (record: JsonRecord, pointer: string, context: ParseContext) => Row,
  context: ParseContext,
): AnalysisList {
  const analyses = new AnalysisList(context);
  context.addRows(rows.length, at);
  for (const [index, row] of rows.entries()) {
    const pointer = `${at}/${index}`;
    const record = asRecord(row);
    if (record === null) context.addUnreadable(pointer, 'The finding is not an object.');
    else {
      const scope = cleanName(stringAt(record, 'context_guid') ?? '', context);
      analyses.add(kindOf(record), read(record, pointer, context), pointer, scope);
    }
  }
  return analyses;
}
