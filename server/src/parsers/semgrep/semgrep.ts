/**
 * Semgrep's own JSON: the report and its findings in code. The same scan as SARIF gives the same findings. Findings in
 * packages are read in `packages.ts`. The list of scanned files is no inventory.
 */
import type { Severity } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import {
  cwesOf,
  type KnownFields,
  newFinding,
  newRun,
  severityOfLabel,
  severityOfScore,
} from '../reading/finding.ts';
import { pathGaps, ruleGaps } from '../reading/gaps.ts';
import {
  arrayAt,
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { maskLine } from '../reading/redact.ts';
import { newReport, readRows } from '../reading/rows.ts';
import { secretMask } from '../reading/secret-mask.ts';
import { secretLine } from '../reading/secrets.ts';
import { cleanName, readTimestamp, safeLinks, safeText, safeTitle, sourceCode } from '../reading/text.ts';
import { fingerprintKeys, isFingerprint } from '../reading/tools.ts';
import type { Gap, Report, ReportFinding, RunOutcome } from '../report.ts';
import { evidenceOf } from './evidence.ts';
import { semgrepPackageFacts } from './packages.ts';

export const semgrep: Format = {
  name: 'semgrep',
  marks: ['results', 'errors', 'paths', 'version'],
  recognises,
  parse,
};

/** Only Semgrep writes these keys beside `results` and `errors`. They identify a report without results. */
const ownKeys = ['paths', 'skipped_rules', 'interfile_languages_used', 'engine_requested'] as const;

function recognises({ json }: ReportDocument): boolean {
  const results = field(json, 'results');
  if (!Array.isArray(results) || !Array.isArray(field(json, 'errors'))) return false;
  const first = results.find((result) => asRecord(result) !== null);
  if (first !== undefined) return stringAt(first, 'check_id') !== null && stringAt(first, 'test_id') === null;
  const keys = Object.keys(asRecord(json) ?? {});
  return (
    ownKeys.some((key) => keys.includes(key)) ||
    keys.every((key) => ['results', 'errors', 'version', 'time'].includes(key))
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings = readRows(arrayAt(json, 'results'), '/results', context, (result, pointer) => {
    const record = asRecord(result);
    if (record === null) return { unreadable: 'The result is not an object.' };
    const rule = stringAt(record, 'check_id');
    if (rule === null) return { unreadable: 'The result has no check_id.' };
    return readResult(record, cleanName(rule, context), pointer, context);
  });
  if (arrayAt(json, 'errors').length > 0) {
    context.warn('Semgrep reports errors: it could not read some files, or not apply some rules to them.');
  }
  return newReport(semgrep.name, context, [
    newRun({
      tool: 'semgrep',
      toolVersion: cleanName(stringAt(json, 'version'), context),
      outcome: outcomeOf(json, context),
      gaps: [...unfinishedFiles(json), ...unappliedRules(json, context)],
      showsScan: arrayAt(recordAt(json, 'paths'), 'scanned').length > 0,
      findings,
    }),
  ]);
}

/**
 * Semgrep can end with a fatal error after it has found something. Older versions do not list the scanned files: their
 * run counts as failed if it has no results and an error.
 */
function outcomeOf(json: unknown, context: ParseContext): RunOutcome {
  const errors = arrayAt(json, 'errors');
  const hasResults = arrayAt(json, 'results').length > 0;
  const scanned = field(recordAt(json, 'paths'), 'scanned');
  const hasFailed =
    !hasResults && !Array.isArray(scanned) && errors.some((error) => stringAt(error, 'level') === 'error');
  if (hasFailed || errors.some((error) => errorTypes(error).some((type) => fatalTypes.has(type)))) {
    context.warn('Semgrep ended with an error, so this run closes nothing.');
    return 'failed';
  }
  if (hasResults || !Array.isArray(scanned) || scanned.length > 0) return 'succeeded';
  context.warn('Semgrep scanned no file: this run has no results, so it closes nothing.');
  return 'scanned_nothing';
}

/** After an error of the analysis across files, the results are those of single files. */
export const fatalTypes: ReadonlySet<string> = new Set([
  'Fatal error',
  'FatalError',
  'OOM during interfile analysis',
  'Timeout during interfile analysis',
]);

/** The reasons for which a file is left out although nobody excluded it. Findings in it are still there. */
const unwantedSkips: ReadonlySet<string> = new Set([
  'exceeded_size_limit',
  'too_big',
  'too_many_matches',
  'insufficient_permissions',
]);

/** The type is a text, or a list of a text and its details: `["PartialParsing", [{…}]]`. */
function errorTypes(error: unknown): string[] {
  return stringsAt(error, 'type').slice(0, 1);
}

/**
 * A rule that ran out of time or memory did not see the whole file, nor did any rule see a file that could not be
 * parsed at all. Files that were parsed in part are common and lasting, so they do not count. `--verbose` also lists
 * the files that were left out.
 */
function unfinishedFiles(json: unknown): Gap[] {
  const failed = arrayAt(json, 'errors').filter((error) => !errorTypes(error).includes('PartialParsing'));
  const skipped = arrayAt(recordAt(json, 'paths'), 'skipped').filter((file) =>
    unwantedSkips.has(stringAt(file, 'reason') ?? ''),
  );
  const paths = [...failed, ...skipped].map((row) => stringAt(row, 'path'));
  return pathGaps(paths.map(repositoryPath));
}

/** The path of these errors is a temporary file with the rules. */
const ruleErrors: ReadonlySet<string> = new Set(['IncompatibleRule', 'Incompatible rule', 'Missing plugin']);

/**
 * Rules that were left out because of their form, of Semgrep's version or of a missing plugin, and rules with an error
 * that names no file.
 */
function unappliedRules(json: unknown, context: ParseContext): Gap[] {
  const failed = arrayAt(json, 'errors').filter(
    (error) => stringAt(error, 'path') === null || errorTypes(error).some((type) => ruleErrors.has(type)),
  );
  const rules = [...failed, ...arrayAt(json, 'skipped_rules')].map((row) => stringAt(row, 'rule_id'));
  return ruleGaps(rules.flatMap((rule) => (rule === null ? [] : cleanName(rule, context))));
}

const unfinished =
  /^(?:Timeout|Out of memory|Stack overflow) (?:when running \S+ on (.+)|at line (.+):\d+):$/m;
const unapplied =
  /^(?:(?:Rule|Pattern) parse error in rule|Incompatible rule|Missing plugin for rule) (\S+):$/m;

/**
 * The gaps of an error that only its message tells, as in SARIF. An error of syntax is none: it may stand for a file
 * that was parsed in part.
 */
export function gapsInMessage(message: string, context: ParseContext): Gap[] {
  const [, ofRule, ofFile] = unfinished.exec(message) ?? [];
  const path = ofRule ?? ofFile;
  const rule = unapplied.exec(message)?.[1];
  return [
    ...(path === undefined ? [] : pathGaps([repositoryPath(path)])),
    ...(rule === undefined ? [] : ruleGaps([cleanName(rule, context)])),
  ];
}

function readResult(record: JsonRecord, rule: string, pointer: string, context: ParseContext): ReportFinding {
  const extra = recordAt(record, 'extra');
  const metadata = recordAt(extra, 'metadata');
  const path = stringAt(record, 'path');
  const message = stringAt(extra, 'message');
  const lines = loggedIn(stringAt(extra, 'lines'));
  const isSecret = isSecretRule(extra, metadata);
  // Older versions write a text, newer ones a list.
  const cwes = cwesOf(stringsAt(metadata, 'cwe'));
  const mask = secretMask(rule, cwes, [lines]);
  // The message may quote the text that the pattern matched.
  const text =
    isSecret && message !== null ? (maskLine(message.slice(0, 8000)) ?? message) : mask.message(message);
  const shared: KnownFields = {
    pointer,
    type: 'sast',
    severity: severityOf(extra, metadata),
    title: (text === null ? '' : safeTitle(text, context)) || rule,
    description: safeText(text, context),
    rule,
    cwes,
    path: repositoryPath(path),
    line: integerAt(recordAt(record, 'start'), 'line', 1),
    links: safeLinks([stringAt(metadata, 'source'), ...stringsAt(metadata, 'references')]),
    // `nosemgrep` beside the code. Such findings are listed if the user asked for ignored ones.
    suppression: field(extra, 'is_ignored') === true ? { by: 'source', reason: null, expiresAt: null } : null,
    committedAt: readTimestamp(stringAt(recordAt(extra, 'historical_info'), 'git_commit_timestamp')),
  };
  const found = semgrepPackageFacts(extra, metadata, rule, context);
  if (found !== null) return newFinding({ ...shared, ...found });
  if (isSecret) {
    return newFinding({
      ...shared,
      type: 'secret',
      secret: { value: null, maskedLine: secretLine(lines, [], context) },
      verified: stringAt(extra, 'validation_state') === 'CONFIRMED_VALID',
    });
  }
  return newFinding({
    ...shared,
    ...sourceCode(lines, context, mask.code(lines)),
    evidence: evidenceOf(record, extra, lines, mask.code, context),
    fingerprint: fingerprintOf(extra),
  });
}

/** True for Semgrep Secrets, whose rules try the secrets. Other rules about secrets count as rules about code. */
function isSecretRule(extra: JsonRecord | null, metadata: JsonRecord | null): boolean {
  return (
    stringAt(metadata, 'secret_type') !== null ||
    (stringAt(extra, 'validation_state') ?? '').startsWith('CONFIRMED_')
  );
}

/** Newer versions without a login omit the code and write this text in its place. */
function loggedIn(text: string | null): string | null {
  return text === null || text.trim().toLowerCase() === 'requires login' ? null : text;
}

/** INFO is the lowest of the three old levels. It means low, as in SARIF. */
const severities: Readonly<Record<string, Severity>> = {
  INFO: 'low',
  INVENTORY: 'info',
  EXPERIMENT: 'info',
};

function severityOf(extra: JsonRecord | null, metadata: JsonRecord | null): Severity {
  const score = numberAt(metadata, 'security-severity');
  const ofScore = score !== null && score <= 10 ? severityOfScore(score) : null;
  if (ofScore !== null) return ofScore;
  // A vulnerable package has its own severity, which is used instead of the rule's.
  const written = stringAt(metadata, 'sca-severity') ?? stringAt(extra, 'severity');
  const label = (written ?? '').trim().toUpperCase();
  const severity = Object.hasOwn(severities, label) ? severities[label] : undefined;
  if (severity !== undefined) return severity;
  const ofLabel = severityOfLabel(label);
  return ofLabel === 'unknown' ? 'medium' : ofLabel;
}

/** Returns the same hash as in SARIF, which ends with the number of the match in its file. */
function fingerprintOf(extra: JsonRecord | null): ReportFinding['fingerprint'] {
  const value = stringAt(extra, 'fingerprint');
  const [known] = fingerprintKeys('semgrep');
  if (value === null || known === undefined || !isFingerprint(value)) return null;
  return { scheme: known.key, value: value.trim(), pathFree: known.pathFree };
}
