/**
 * Bandit's JSON. The same scan as SARIF gives the same rule, file, line, severity and code. A password that Bandit
 * quotes in its message is masked in all texts.
 */
import type { Format } from './format.ts';
import { maskedMessage, quotedPassword, withoutPassword } from './reading/bandit-passwords.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding, newRun, severityOfLabel } from './reading/finding.ts';
import { pathGaps } from './reading/gaps.ts';
import {
  arrayAt,
  asInteger,
  asRecord,
  field,
  integerAt,
  numberAt,
  recordAt,
  stringAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { codeBetween, numberedCode, snippetOf } from './reading/numbered-code.ts';
import { repositoryPath } from './reading/paths.ts';
import { type NoFinding, newReport, readRows } from './reading/rows.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from './reading/text.ts';
import type { Gap, Report, ReportFinding, Run } from './report.ts';

export const bandit: Format = {
  name: 'bandit',
  marks: ['results', 'errors', 'generated_at', 'metrics'],
  runFields: ['generated_at'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const results = field(json, 'results');
  if (!Array.isArray(results)) return false;
  const first = results.find((result) => asRecord(result) !== null);
  if (first !== undefined)
    return stringAt(first, 'test_id') !== null && stringAt(first, 'issue_text') !== null;
  return recordAt(recordAt(json, 'metrics'), '_totals') !== null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings = readRows(arrayAt(json, 'results'), '/results', context, readIssue);
  return newReport(bandit.name, context, [
    newRun({
      tool: 'bandit',
      outcome: outcomeOf(json, context),
      showsScan: (numberAt(recordAt(recordAt(json, 'metrics'), '_totals'), 'loc') ?? 0) > 0,
      gaps: [...unreadFiles(json), ...filteredSeverities(json)],
      findings,
    }),
  ]);
}

function unreadFiles(json: unknown): Gap[] {
  const files = arrayAt(json, 'errors').map((error) => stringAt(error, 'filename'));
  return pathGaps(files.map(repositoryPath));
}

/** The metrics count all issues, also those that a least severity, a least confidence or a baseline leaves out. */
function filteredSeverities(json: unknown): Gap[] {
  const totals = recordAt(recordAt(json, 'metrics'), '_totals');
  const listed = arrayAt(json, 'results').map((row) => stringAt(row, 'issue_severity'));
  return ['UNDEFINED', 'LOW', 'MEDIUM', 'HIGH'].flatMap((label) => {
    const shown = listed.filter((other) => other === label).length;
    const isFiltered = (numberAt(totals, `SEVERITY.${label}`) ?? 0) > shown;
    return isFiltered ? { severity: severityOfLabel(label) } : [];
  });
}

/** The metrics count the lines of all files that were read. */
function outcomeOf(json: unknown, context: ParseContext): Run['outcome'] {
  const hasErrors = arrayAt(json, 'errors').length > 0;
  if (hasErrors) context.warn('Bandit could not read some files: nothing in them was checked.');
  const totals = recordAt(recordAt(json, 'metrics'), '_totals');
  if (arrayAt(json, 'results').length > 0 || numberAt(totals, 'loc') !== 0) return 'succeeded';
  if (hasErrors) return 'failed';
  // A project of empty files has files and no lines.
  if (Object.keys(recordAt(json, 'metrics') ?? {}).length > 1) return 'succeeded';
  context.warn('Bandit read no file: this run has no results, so it closes nothing.');
  return 'scanned_nothing';
}

function readIssue(record: unknown, pointer: string, context: ParseContext): ReportFinding | NoFinding {
  const id = stringAt(record, 'test_id');
  const message = stringAt(record, 'issue_text');
  if (id === null && message === null) return { unreadable: 'The result has neither a test_id nor a text.' };
  const rule = cleanName(id ?? stringAt(record, 'test_name') ?? '', context);
  const password = quotedPassword(rule, message ?? '');
  const text = password === null ? (message ?? '') : maskedMessage;
  const range = arrayAt(record, 'line_range')
    .slice(0, 10_000)
    .map((line) => asInteger(line, 1));
  const line = range[0] ?? integerAt(record, 'line_number', 1);
  const written = stringAt(record, 'code') ?? '';
  const raw = numberedCode(written);
  const code = password === null ? raw : numberedCode(withoutPassword(written, password));
  return newFinding({
    pointer,
    type: 'sast',
    severity: severityOfLabel(stringAt(record, 'issue_severity')),
    title: safeTitle(text, context) || rule || 'Finding without a text',
    description: safeText(text, context),
    rule,
    cwes: cwesOf([stringAt(recordAt(record, 'issue_cwe'), 'id')]),
    path: repositoryPath(stringAt(record, 'filename')),
    line,
    // SARIF has the first line alone, so that both reports have the same code.
    ...sourceCode(codeBetween(raw, line, line), context, codeBetween(code, line, line)),
    links: safeLinks([stringAt(record, 'more_info'), stringAt(recordAt(record, 'issue_cwe'), 'link')]),
    evidence: newEvidence({ snippet: snippetOf(code, line, range.at(-1) ?? line) }, context),
  });
}
