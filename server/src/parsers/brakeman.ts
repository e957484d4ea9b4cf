/**
 * Brakeman's JSON. The same scan as SARIF gives the same rule (`BRAKE0044`), file and severity, which both take from
 * the confidence, because Brakeman has no other. Ignored warnings are rows too.
 */
import type { Severity } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { advisoriesIn, cwesOf, newFinding, newRun } from './reading/finding.ts';
import { pathGaps } from './reading/gaps.ts';
import {
  arrayAt,
  asNumber,
  asRecord,
  asString,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { normalisePath, repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { secretMask } from './reading/secret-mask.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from './reading/text.ts';
import { isFingerprint } from './reading/tools.ts';
import type { Report, ReportFinding } from './report.ts';

export const brakeman: Format = {
  name: 'brakeman',
  marks: ['scan_info', 'warnings', 'ignored_warnings', 'errors'],
  runFields: ['start_time', 'end_time', 'duration'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  if (!Array.isArray(field(json, 'warnings'))) return false;
  return (
    recordAt(json, 'scan_info') !== null ||
    stringAt(asRecord(arrayAt(json, 'warnings')[0]), 'warning_code') !== null
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  for (const list of ['warnings', 'ignored_warnings'] as const) {
    const rows = arrayAt(json, list);
    context.addRows(rows.length, `/${list}`);
    for (const [index, row] of rows.entries()) {
      const pointer = `/${list}/${index}`;
      const record = asRecord(row);
      const finding = record === null ? null : readWarning(record, pointer, context);
      if (record === null || finding === null) {
        context.addUnreadable(pointer, 'The warning has neither a code nor a message.');
        continue;
      }
      if (list === 'ignored_warnings') finding.suppression = ignoredBy(record, context);
      findings.push(finding);
    }
  }
  const errors = arrayAt(json, 'errors');
  if (errors.length > 0) context.warn('Brakeman could not read some files: nothing in them was checked.');
  const info = recordAt(json, 'scan_info');
  const appPath = stringAt(info, 'app_path');
  const unread = errors.map((error) => unreadFile(error, appPath));
  return newReport(brakeman.name, context, [
    newRun({
      tool: 'brakeman',
      // An error without a file is one of a check, or of the whole application.
      outcome: unread.includes(null) ? 'failed' : 'succeeded',
      showsScan: arrayAt(info, 'checks_performed').length > 0,
      gaps: pathGaps(unread),
      toolVersion: cleanName(stringAt(info, 'brakeman_version'), context),
      category: categoryOf(appPath, context),
      findings,
    }),
  ]);
}

/**
 * The sentence about the file stands at the end of an error, or instead of its location in the program: `… Could not
 * parse app/models/bed.rb`. The path of a template is absolute, and those of warnings begin in the application.
 */
function unreadFile(error: unknown, appPath: string | null): string | null {
  const sentence =
    /^.*\b(?:Could not parse|Parsing|[Ww]hile (?:processing|compiling HAML in)) (\S.*?)(?: took too long\b.*)?$/s;
  for (const key of ['error', 'location']) {
    const file = sentence.exec(stringAt(error, key)?.slice(0, 8192) ?? '')?.[1];
    if (file === undefined) continue;
    const isInside = appPath !== null && file.startsWith(`${appPath}/`);
    return repositoryPath(isInside ? file.slice(appPath.length + 1) : file);
  }
  return null;
}

/** An application in a folder of the repository. A path of an unknown machine gives no category. */
function categoryOf(path: string | null, context: ParseContext): string {
  if (path === null) return '';
  const inRepository = repositoryPath(path);
  const isKnown = inRepository !== normalisePath(path.replace(/^[A-Za-z]:/, ''));
  return isKnown && inRepository !== null ? cleanName(inRepository, context) : '';
}

/** Brakeman's own levels in SARIF: error, warning and note. */
const severities: Readonly<Record<string, Severity>> = {
  high: 'high',
  medium: 'medium',
  weak: 'low',
  low: 'low',
};

function severityOf(record: JsonRecord): Severity {
  const word = (stringAt(record, 'confidence') ?? '').trim().toLowerCase();
  return Object.hasOwn(severities, word) ? (severities[word] ?? 'unknown') : 'unknown';
}

function readWarning(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding | null {
  const kind = stringAt(record, 'warning_type');
  const rule = ruleOf(record, context);
  const code = stringAt(record, 'code');
  const cwes = cwesOf(arrayAt(record, 'cwe_id').slice(0, 100).map(asString));
  const mask = secretMask(rule, cwes, [code]);
  const message = mask.message(stringAt(record, 'message'));
  if (message === null && rule === '') return null;
  const file = stringAt(record, 'file');
  const fingerprint = stringAt(record, 'fingerprint')?.trim() ?? '';
  const input = stringAt(record, 'user_input');
  const texts = [message, input === null ? null : `User input: ${input}`];
  const path = repositoryPath(file);
  const line = integerAt(record, 'line', 1);
  return newFinding({
    pointer,
    type: 'sast',
    severity: severityOf(record),
    title: safeTitle([kind, message].filter((text) => text !== null).join(': '), context) || rule,
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    relatedAdvisories: advisoriesIn(message ?? ''),
    cwes,
    path,
    line,
    // Brakeman writes it into its ignore file, to know the warning again in another line.
    fingerprint: isFingerprint(fingerprint)
      ? { scheme: 'brakeman', value: fingerprint, pathFree: false }
      : null,
    ...sourceCode(code, context, mask.code(code)),
    links: safeLinks([stringAt(record, 'link')]),
    evidence: newEvidence({ dataFlow: renderPath(record, { path, line, text: mask.code(code) }) }, context),
  });
}

function ruleOf(record: JsonRecord, context: ParseContext): string {
  const code = asNumber(field(record, 'warning_code'));
  if (code !== null && Number.isInteger(code) && code >= 0) return `BRAKE${String(code).padStart(4, '0')}`;
  return cleanName(stringAt(record, 'check_name') ?? stringAt(record, 'warning_type') ?? '', context);
}

type Step = { path: string | null; line: number | null; text: string | null };

/** The rendering steps of a view: from the controller, over other views, to the warning. */
function renderPath(record: JsonRecord, end: Step): Step[] {
  const steps = arrayAt(record, 'render_path').map((row): Step => {
    const names = [stringAt(row, 'class'), stringAt(row, 'method')].filter((name) => name !== null);
    const rendered = stringAt(recordAt(row, 'rendered'), 'name');
    const from = asString(row) ?? (names.join('#') || (stringAt(row, 'name') ?? ''));
    return {
      path: repositoryPath(stringAt(row, 'file')),
      line: integerAt(row, 'line', 1),
      text: rendered === null ? from : `${from} renders ${rendered}`,
    };
  });
  return steps.length === 0 ? [] : [...steps, end];
}

function ignoredBy(record: JsonRecord, context: ParseContext): ReportFinding['suppression'] {
  const note = safeText(stringAt(record, 'note'), context);
  return { by: 'file', reason: note ?? 'Ignored in the ignore file of Brakeman.', expiresAt: null };
}
