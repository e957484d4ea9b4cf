/**
 * Trivy's rows about files: secrets and misconfigurations. A secret's text must leave only masked, even if Trivy did
 * not mask it.
 */
import { newEvidence } from '../reading/evidence.ts';
import { newFinding, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { maskLine, redact } from '../reading/redact.ts';
import {
  cleanName,
  cleanText,
  safeCode,
  safeLinks,
  safeText,
  safeTitle,
  sourceCode,
} from '../reading/text.ts';
import type { ReportFinding, ReportSnippet } from '../report.ts';
import { resultLocationOf, type TrivyResult, type TrivyRow } from './result.ts';

export function readSecret(
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
): TrivyRow {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The secret is not an object.' };
  const rule = stringAt(record, 'RuleID');
  const match = stringAt(record, 'Match');
  if (rule === null && match === null) return { unreadable: 'The secret has neither RuleID nor Match.' };
  const name = cleanName(rule ?? '', context);
  return newFinding({
    pointer,
    type: 'secret',
    severity: severityOfLabel(stringAt(record, 'Severity')),
    title: safeTitle(stringAt(record, 'Title') ?? name, context) || name || 'Secret',
    description: safeText(stringAt(record, 'Category'), context),
    rule: name,
    ...resultLocationOf(null, result, false),
    line: integerAt(record, 'StartLine', 1),
    secret: { value: null, maskedLine: match === null ? null : maskedMatch(match, context) },
    evidence: newEvidence({ snippet: snippetOf(record, maskedCode) }, context),
  });
}

/** A line of the secret without a mask is the secret itself. */
function maskedCode(line: string, isCause: boolean): string {
  const text = line.slice(0, 1000);
  if (isCause && text.includes('***')) return redact(text);
  return maskLine(text) ?? (isCause && text.trim() !== '' ? '****' : text);
}

/** The mask is Trivy's own, so that the line is the same in every scan. Anything that is not masked is masked here. */
export function maskedMatch(match: string, context: ParseContext): string | null {
  const line = cleanText(match.slice(0, 1000), context);
  return line.includes('***') ? redact(line) : maskLine(line);
}

export function readMisconfiguration(
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
): TrivyRow {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The misconfiguration is not an object.' };
  const id = stringAt(record, 'ID') ?? stringAt(record, 'AVDID');
  if (id === null) return { unreadable: 'The misconfiguration has no ID.' };
  const status = stringAt(record, 'Status') ?? 'FAIL';
  if (status !== 'FAIL')
    return { skip: 'Checks that passed or were excepted are counted and are no findings.' };
  const cause = recordAt(record, 'CauseMetadata') ?? recordAt(record, 'IacMetadata');
  const rule = checkId(cleanName(id, context), cleanName(stringAt(record, 'AVDID'), context));
  const texts = ['Message', 'Description', 'Resolution'].map((key) => stringAt(record, key));
  return newFinding({
    pointer,
    type: 'iac',
    severity: severityOfLabel(stringAt(record, 'Severity')),
    title: safeTitle(stringAt(record, 'Title') ?? stringAt(record, 'Message') ?? rule, context) || rule,
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    ...resultLocationOf(null, result, false),
    line: integerAt(cause, 'StartLine', 1),
    ...causeCodeOf(cause, context),
    links: safeLinks([stringAt(record, 'PrimaryURL'), ...stringsAt(record, 'References')]),
    evidence: newEvidence(
      { snippet: snippetOf(cause, (line) => line), remediation: stringAt(record, 'Resolution') },
      context,
    ),
  });
}

/** Trivy shows some lines around the cause. `shown` masks secrets. */
function snippetOf(
  cause: JsonRecord | null,
  shown: (line: string, isCause: boolean) => string,
): ReportSnippet | null {
  const lines = arrayAt(recordAt(cause, 'Code'), 'Lines').slice(0, 500);
  const numbers = lines
    .filter((line) => field(line, 'IsCause') === true)
    .map((line) => integerAt(line, 'Number', 1));
  if (lines.length === 0) return null;
  return {
    text: lines.map((line) => shown(textOf(line), field(line, 'IsCause') === true)).join('\n'),
    firstLine: integerAt(lines[0], 'Number', 1),
    markedFrom: numbers[0] ?? null,
    markedTo: numbers.at(-1) ?? null,
  };
}

function textOf(line: unknown): string {
  const content = field(line, 'Content');
  return typeof content === 'string' ? content : '';
}

/**
 * Gives one spelling for all versions of Trivy. They wrote `KSV001` and `KCV0001` with `AVD-KSV-0001` and
 * `AVD-KCV-0001` beside them, then `AVD-AWS-0086`, and now `KSV-0001` and `AWS-0086`. SARIF has the first id alone.
 */
export function checkId(id: string, avdId: string | null): string {
  const known = [avdId ?? '', id].map((text) => /^(?:AVD-)?([A-Z0-9]+-[0-9]{4,})$/.exec(text)?.[1]);
  const [fromAvd, fromId] = known;
  if (fromAvd !== undefined) return fromAvd;
  if (fromId !== undefined) return fromId;
  const short = /^([A-Z]{2,8})([0-9]{3,5})$/.exec(id);
  return short === null ? id : `${short[1]}-${(short[2] ?? '').padStart(4, '0')}`;
}

/**
 * Returns the line that Trivy reports, such as that of an attribute. A whole block, as of a resource without an
 * attribute, is named by its resource, so that another edit of the block does not look like another finding.
 */
function causeCodeOf(
  cause: JsonRecord | null,
  context: ParseContext,
): Pick<ReportFinding, 'code' | 'rawCode'> {
  const lines: string[] = [];
  for (const line of arrayAt(recordAt(cause, 'Code'), 'Lines')) {
    const content = field(line, 'Content');
    if (field(line, 'IsCause') === true && typeof content === 'string') lines.push(content);
  }
  const resource = stringAt(cause, 'Resource');
  const written = lines.length > 1 && resource !== null ? null : sourceCode(lines.join('\n'), context);
  if (written !== null && written.code !== null) return written;
  const names = ['Provider', 'Service'].map((key) => stringAt(cause, key));
  return {
    code: safeCode(resource ?? names.filter((name) => name !== null).join('/'), context),
    rawCode: null,
  };
}
