/**
 * Gosec's JSON. The same scan as SARIF gives the same rule, file, line, severity and code. Issues that a `#nosec`
 * comment or a setting of gosec suppresses are listed if gosec was told to track them.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding, newRun, severityOfLabel } from './reading/finding.ts';
import { pathGaps } from './reading/gaps.ts';
import { arrayAt, asInteger, asRecord, field, numberAt, recordAt, stringAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { codeBetween, numberedCode, snippetOf } from './reading/numbered-code.ts';
import { repositoryPath } from './reading/paths.ts';
import { type NoFinding, newReport, readRows } from './reading/rows.ts';
import { secretMask } from './reading/secret-mask.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from './reading/text.ts';
import type { Report, ReportFinding, Run } from './report.ts';

export const gosec: Format = {
  name: 'gosec',
  marks: ['Issues', 'Stats', 'Golang errors', 'GosecVersion'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const issues = field(json, 'Issues');
  if (!Array.isArray(issues) && issues !== null) return false;
  const first = issues?.find((issue) => asRecord(issue) !== null);
  if (first !== undefined) return stringAt(first, 'rule_id') !== null || stringAt(first, 'details') !== null;
  const has = (key: string): boolean => Object.hasOwn(asRecord(json) ?? {}, key);
  return has('GosecVersion') || has('Golang errors') || numberAt(recordAt(json, 'Stats'), 'found') !== null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings = readRows(arrayAt(json, 'Issues'), '/Issues', context, readIssue);
  return newReport(gosec.name, context, [
    newRun({
      tool: 'gosec',
      toolVersion: cleanName(stringAt(json, 'GosecVersion'), context),
      outcome: outcomeOf(json, context),
      showsScan: (numberAt(recordAt(json, 'Stats'), 'files') ?? 0) > 0,
      gaps: pathGaps(errorNames(json).filter(isFile).map(repositoryPath)),
      findings,
    }),
  ]);
}

/**
 * Returns the keys of `Golang errors`: files, and for a package that could not be loaded its folder, an empty text or
 * `-`. Folders that Go never builds are left out.
 */
function errorNames(json: unknown): string[] {
  return Object.keys(recordAt(json, 'Golang errors') ?? {}).filter(
    (name) => isFile(name) || !isNeverBuilt(name),
  );
}

function isNeverBuilt(name: string): boolean {
  const path = repositoryPath(name) ?? '';
  // If the folder of the checkout is not known, the path begins with folders of the runner, which may begin with `_`.
  const hasRunnerFolders = name.replaceAll('\\', '/').replace(/^[A-Za-z]:/, '') === `/${path}`;
  return path.split('/').some((part) => part === 'testdata' || (part.startsWith('_') && !hasRunnerFolders));
}

function isFile(name: string): boolean {
  return name.endsWith('.go');
}

function outcomeOf(json: unknown, context: ParseContext): Run['outcome'] {
  const names = errorNames(json);
  if (names.length > 0) context.warn('gosec could not build some files: nothing in them was checked.');
  // The names of the files of such a package are not known.
  if (!names.every(isFile)) {
    context.warn('gosec could not load a package: vulnerabilities that this run does not show stay open.');
    return 'failed';
  }
  if (arrayAt(json, 'Issues').length > 0 || numberAt(recordAt(json, 'Stats'), 'files') !== 0) {
    return 'succeeded';
  }
  if (names.length > 0) return 'failed';
  context.warn('gosec scanned no file: this run has no results, so it closes nothing.');
  return 'scanned_nothing';
}

function readIssue(record: unknown, pointer: string, context: ParseContext): ReportFinding | NoFinding {
  const id = stringAt(record, 'rule_id');
  const details = stringAt(record, 'details');
  if (id === null && details === null) return { unreadable: 'The issue has neither a rule_id nor details.' };
  const rule = cleanName(id ?? '', context);
  const [line, end] = linesOf(stringAt(record, 'line') ?? '');
  const weakness = recordAt(record, 'cwe');
  const written = stringAt(record, 'code');
  const code = numberedCode(written ?? '');
  const ownCode = codeBetween(code, line, end);
  const cwes = cwesOf([stringAt(weakness, 'id') ?? stringAt(weakness, 'ID')]);
  const mask = secretMask(rule, cwes, [ownCode]);
  const text = mask.message(details);
  return newFinding({
    pointer,
    type: 'sast',
    severity: severityOfLabel(stringAt(record, 'severity')),
    title: safeTitle(text ?? '', context) || rule || 'Finding without a text',
    description: safeText(text, context),
    rule,
    cwes,
    path: repositoryPath(stringAt(record, 'file')),
    line,
    ...sourceCode(ownCode, context, mask.code(ownCode)),
    links: safeLinks([stringAt(weakness, 'url') ?? stringAt(weakness, 'URL')]),
    suppression: suppressionOf(record, context),
    evidence: newEvidence(
      { snippet: snippetOf(code, line, end), remediation: mask.message(stringAt(record, 'autofix')) },
      context,
      mask.code,
    ),
  });
}

/** The line is text, and may be a range: `36-39`. */
function linesOf(text: string): [number | null, number | null] {
  const [from = '', to] = text.slice(0, 40).split('-');
  const line = asInteger(from, 1);
  return [line, to === undefined ? line : (asInteger(to, 1) ?? line)];
}

/** A comment marks the location; a setting of gosec (`external`) covers the rule. */
function suppressionOf(record: unknown, context: ParseContext): ReportFinding['suppression'] {
  const all = arrayAt(record, 'suppressions')
    .map(asRecord)
    .filter((one) => one !== null);
  const isNosec = field(record, 'nosec') === true || stringAt(record, 'nosec') === 'true';
  if (all.length === 0 && !isNosec) return null;
  const inSource = all.find((one) => stringAt(one, 'kind') === 'inSource');
  const chosen = inSource ?? (isNosec ? null : all[0]);
  return {
    by: inSource !== undefined || isNosec ? 'source' : 'file',
    reason: safeText(stringAt(chosen, 'justification'), context),
    expiresAt: null,
  };
}
