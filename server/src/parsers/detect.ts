/**
 * The one list of formats and the choice among them, from content alone. It must never look at a file's name, and never
 * read a finding: each format's own file does that.
 */

import leven from 'leven';
import type { Sentence } from '../domain/sentence.ts';
import { isDenial } from '../domain/vex-status.ts';
import { asff } from './asff/asff.ts';
import { awsInspector } from './aws-inspector.ts';
import { bandit } from './bandit.ts';
import { blackDuck } from './black-duck/black-duck.ts';
import { brakeman } from './brakeman.ts';
import { bundlerAudit } from './bundler-audit.ts';
import { burp } from './burp.ts';
import { cargoAudit } from './cargo-audit.ts';
import { checkmarx } from './checkmarx/checkmarx.ts';
import { checkov } from './checkov/checkov.ts';
import { csaf } from './csaf/csaf.ts';
import { cyclonedx } from './cyclonedx/cyclonedx.ts';
import { defectdojoGeneric } from './defectdojo-generic/defectdojo-generic.ts';
import { dependencyCheck } from './dependency-check/dependency-check.ts';
import { dependencyTrack } from './dependency-track.ts';
import type { Format } from './format.ts';
import { fortify } from './fortify/fortify.ts';
import { githubCodeScanning } from './github/code-scanning.ts';
import { githubDependabot } from './github/dependabot.ts';
import { githubSecretScanning } from './github/secret-scanning.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { gitleaks } from './gitleaks.ts';
import { gosec } from './gosec.ts';
import { govulncheck } from './govulncheck/govulncheck.ts';
import { grype } from './grype.ts';
import { kubeBench } from './kube-bench.ts';
import { kubescape } from './kubescape.ts';
import { mobsf } from './mobsf/mobsf.ts';
import { nessus } from './nessus/nessus.ts';
import { nmap } from './nmap.ts';
import { npmAudit } from './npm-audit.ts';
import { nuclei } from './nuclei.ts';
import { ocsf } from './ocsf/ocsf.ts';
import { openvex } from './openvex.ts';
import { osvScanner } from './osv-scanner/osv-scanner.ts';
import { pipAudit } from './pip-audit.ts';
import { pnpmAudit } from './pnpm-audit.ts';
import { brokenDocument, decodeReport, type ReportDocument } from './reading/decode.ts';
import { decodeBeginning } from './reading/decode-beginning.ts';
import { asRecord } from './reading/json.ts';
import { BrokenRowsError, parseAllRows } from './reading/json-rows.ts';
import {
  cwesWarning,
  defaultLimits,
  type Limits,
  listedPerFinding,
  maxAdvisories,
  maxCwes,
  maxFixedVersions,
  ParseContext,
} from './reading/limits.ts';
import { type Report, ReportError, runsWithUnreadableRows } from './report.ts';
import { boundTexts } from './report-texts.ts';
import { rustyHog } from './rusty-hog.ts';
import { sarif } from './sarif/sarif.ts';
import { semgrep } from './semgrep/semgrep.ts';
import { snyk } from './snyk/snyk.ts';
import { sonarqube } from './sonarqube/sonarqube.ts';
import { spdx } from './spdx/spdx.ts';
import { tfsec } from './tfsec.ts';
import { trivy } from './trivy/trivy.ts';
import { trivyOperator } from './trivy-operator/trivy-operator.ts';
import { trufflehog } from './trufflehog.ts';
import { nameUnread } from './unread-formats.ts';
import { veracode } from './veracode/veracode.ts';
import { xray } from './xray/xray.ts';
import { yarnAudit } from './yarn-audit.ts';
import { zap } from './zap/zap.ts';

/**
 * The first format that recognises a document reads it. Each recognises its own reports alone, so the order decides
 * nothing.
 */
export const formats: readonly Format[] = [
  sarif,
  trivy,
  asff,
  awsInspector,
  bandit,
  blackDuck,
  brakeman,
  bundlerAudit,
  burp,
  cargoAudit,
  checkmarx,
  checkov,
  defectdojoGeneric,
  dependencyTrack,
  fortify,
  githubCodeScanning,
  githubDependabot,
  githubSecretScanning,
  gitlab,
  gitleaks,
  gosec,
  govulncheck,
  grype,
  kubeBench,
  kubescape,
  mobsf,
  nessus,
  nmap,
  npmAudit,
  nuclei,
  ocsf,
  osvScanner,
  pipAudit,
  pnpmAudit,
  rustyHog,
  semgrep,
  snyk,
  sonarqube,
  tfsec,
  trivyOperator,
  trufflehog,
  veracode,
  xray,
  yarnAudit,
  zap,
  csaf,
  cyclonedx,
  dependencyCheck,
  openvex,
  spdx,
];

export interface ParseOptions {
  /** The name of a format. With `auto` or nothing, the content decides. */
  format?: string;
  limits?: Partial<Limits>;
}

/**
 * Parses the decompressed bytes of a scanner's file into a report.
 * Throws ReportError: `UNKNOWN_FORMAT`, `MALFORMED_REPORT` or `LIMIT_EXCEEDED`, with the document path if there is one.
 */
export function parseReport(bytes: Uint8Array, options: ParseOptions = {}): Report {
  return parseDocument(decodeReport(bytes, limitsOf(options)), options);
}

/** Does the same for a decoded report, so that its bytes need not stay in memory. */
export function parseDocument(document: ReportDocument, options: ParseOptions = {}): Report {
  const context = new ParseContext(limitsOf(options));
  const format = chooseFormat(document, options.format ?? 'auto');
  if (format === null) throw unknownFormat(document);
  let report: Report;
  try {
    if (format.readsRowLists !== true) parseAllRows(document.json);
    report = format.parse(document, context);
  } catch (error) {
    if (error instanceof BrokenRowsError) return parseDocument(brokenDocument(document.text), options);
    throw error;
  }
  checkPackages(report, context.limits);
  return markGaps(withoutDenialsOfParts(boundTexts(boundLists(report, context.limits))));
}

/** A denial about a path inside a package does not hold for the rest of the package. */
function withoutDenialsOfParts(report: Report): Report {
  const statements = report.statements.filter(
    ({ status, package: named }) => !isDenial(status) || named?.hasSubpath !== true,
  );
  if (statements.length === report.statements.length) return report;
  const warning =
    'Statements that a part of a package is not affected were left out: the subpath of its package URL is not the whole package.';
  return { ...report, statements, warnings: [...report.warnings, warning] };
}

// With more files, rules or packages than a large repository has, nearly nothing was examined.
const maxGaps = 50_000;

/**
 * Marks the effect of gaps in the report. A run without any readable row counts as failed, because any row could have
 * been a blocking finding.
 */
function markGaps(report: Report): Report {
  const { runs, unreadable } = report;
  const warnings = [...report.warnings];
  if (unreadable.length > 0) {
    warnings.push(
      'Some rows could not be read: vulnerabilities that their run does not show stay open, unless force is set.',
    );
  }
  if (runs.some((run) => run.gaps.length > 0)) {
    warnings.push(
      'The scanner did not examine everything, or left out a part: what was found there before stays open.',
    );
  }
  const unread = runsWithUnreadableRows(runs, unreadable);
  return {
    ...report,
    warnings,
    runs: runs.map((run) => {
      if (run.gaps.length > maxGaps) return { ...run, outcome: 'failed', gaps: [] };
      const isUnread = unread.has(run.pointer) && run.findings.length + run.manifests.length === 0;
      return isUnread && run.outcome === 'succeeded' ? { ...run, outcome: 'failed' } : run;
    }),
  };
}

function limitsOf({ limits }: ParseOptions): Limits {
  return { ...defaultLimits, ...limits };
}

/** A package costs the import as much as a finding, so the same limit holds for both. */
function checkPackages({ runs }: Report, { maxFindings }: Limits): void {
  const lists = runs.flatMap((run) => run.manifests);
  if (lists.reduce((sum, manifest) => sum + manifest.packages.length, 0) <= maxFindings) return;
  throw new ReportError(
    'LIMIT_EXCEEDED',
    `The report lists more than ${maxFindings} packages, which is the limit for one report.`,
  );
}

/**
 * Limits the lists of findings, for each and for all together. A list without some of its ids would hide them from
 * policies, and one without some fixed versions could show a wrong one, so the report is refused. Further weaknesses
 * are left out, and a warning says so.
 */
function boundLists(report: Report, { maxFindings }: Limits): Report {
  const checkIds = limitOf('advisories', maxAdvisories, maxFindings);
  const checkFixes = limitOf('fixed versions', maxFixedVersions, maxFindings);
  const checkCwes = limitOf('weaknesses', maxCwes, maxFindings);
  const warnings = new Set(report.warnings);
  for (const finding of report.runs.flatMap((run) => run.findings)) {
    const { pointer, advisories, relatedAdvisories, fixedVersions, cwes } = finding;
    if (cwes.length > maxCwes) {
      finding.cwes = cwes.slice(0, maxCwes);
      warnings.add(cwesWarning);
    }
    checkIds(pointer, advisories.length + relatedAdvisories.length);
    checkFixes(pointer, fixedVersions.length);
    checkCwes(pointer, finding.cwes.length);
  }
  for (const { pointer, advisories } of report.statements) checkIds(pointer, advisories.length);
  return warnings.size === report.warnings.length ? report : { ...report, warnings: [...warnings] };
}

/** Counts such items of a report. Throws `LIMIT_EXCEEDED` if a row, or all rows together, have too many. */
function limitOf(items: string, maxOfRow: number, maxFindings: number) {
  const maxOfReport = listedPerFinding * maxFindings;
  let sum = 0;
  return (pointer: string, count: number): void => {
    sum += count;
    if (count <= maxOfRow && sum <= maxOfReport) return;
    throw new ReportError(
      'LIMIT_EXCEEDED',
      count > maxOfRow
        ? `A row of the report names more than ${maxOfRow} ${items}, which is the limit for one vulnerability.`
        : `The findings of the report name more than ${maxOfReport} ${items} together, which is the limit for one report. Split it into several reports.`,
      { pointer },
    );
  };
}

/**
 * Gives the format of a report by its first bytes; null if they do not show it. `wanted` is a name or `auto`. Throws
 * ReportError if the report is certainly of no format or not of the wanted one.
 *
 * An upload asks it, to refuse early and to know the fields that differ from run to run. The answer is not kept,
 * because the fields that name a format may come after those bytes.
 */
export function formatOfBeginning(bytes: Uint8Array, isWhole: boolean, wanted: string): Format | null {
  const document = isWhole ? decodeReport(bytes, defaultLimits) : decodeBeginning(bytes);
  return document === null ? null : chooseFormat(document, wanted, { lenient: !isWhole });
}

/** Gives the format of a document. Throws ReportError if no format fits, unless `lenient`, or another one was named. */
function chooseFormat(
  document: ReportDocument,
  wanted: string,
  options: { lenient?: boolean } = {},
): Format | null {
  const named = wanted === 'auto' ? null : getFormat(wanted);
  if (named !== null && isNothing(document.json)) {
    if (named.writesLists === true) return named;
    throw new ReportError(
      'UNKNOWN_FORMAT',
      `The report is an empty list or null, which ${named.name} never is: check that the tool has written it.`,
      { pointer: '' },
    );
  }
  if (named?.alsoReads?.(document) === true) return named;
  const recognised = formats.find((format) => format.recognises(document)) ?? null;
  if (recognised === null && !options.lenient) throw unknownFormat(document);
  if (recognised !== null && named !== null && named !== recognised) {
    throw new ReportError(
      'UNKNOWN_FORMAT',
      `The report is not ${named.name}: its content is ${recognised.name}. Send it with that format, or with auto.`,
      { pointer: '' },
    );
  }
  return recognised;
}

/** Several tools write this if they found nothing. Only the name of the format tells the tool. */
function isNothing(json: unknown): boolean {
  return json === null || (Array.isArray(json) && json.length === 0);
}

/** Finds a format by name, in any case. Throws a ReportError that suggests the nearest name. */
export function getFormat(name: string): Format {
  const wanted = name.toLowerCase();
  const format = formats.find((candidate) => candidate.name === wanted);
  if (format !== undefined) return format;
  const names = formats.map((candidate) => candidate.name);
  const nearest = names.toSorted((a, b) => leven(wanted, a) - leven(wanted, b))[0] ?? '';
  throw new ReportError(
    'UNKNOWN_FORMAT',
    `There is no such format; the nearest is ${nearest}. The formats are auto, ${names.join(', ')}.`,
  );
}

function unknownFormat(document: ReportDocument): ReportError {
  const { json, text, archive } = document;
  if (archive !== null) {
    return new ReportError(
      'MALFORMED_REPORT',
      'The report is a ZIP archive: send the report inside it. Only archives of Black Duck and Fortify (.fpr) are read.',
    );
  }
  const unread = nameUnread(document);
  if (unread !== null) return new ReportError('UNKNOWN_FORMAT', unread, { pointer: '' });
  if (document.jsonError !== null) {
    // A text that begins like JSON was meant to be JSON. Its broken line helps more than the list of formats.
    if (!/^\s*[[{"]/.test(text)) {
      return new ReportError(
        'UNKNOWN_FORMAT',
        `The report is neither JSON nor another known format. ${known()}`,
        {
          line: 1,
        },
      );
    }
    // The first few thousand characters hold the keys at the top, even if the JSON breaks later.
    const keys = new Set(
      Array.from(text.slice(0, 4096).matchAll(/"([^"\\]{1,40})"\s*:/g), (found) => found[1] ?? ''),
    );
    const nearest = nearestFormat(keys);
    const { message } = document.jsonError;
    const described: Sentence = nearest === null ? message : `${message} It looks like ${nearest.name}.`;
    return new ReportError('MALFORMED_REPORT', described, {
      line: document.jsonError.line,
    });
  }
  if (json === null) return unknown('The report is the JSON value null: the tool wrote no report.');
  if (Array.isArray(json)) {
    const first = json.find((element) => asRecord(element) !== null);
    if (first === undefined) {
      return unknown(
        json.length === 0
          ? 'The report is an empty list, which several tools write: name the format.'
          : 'The report is a list without objects.',
      );
    }
    return nearestError(new Set(Object.keys(asRecord(first) ?? {})), '/0');
  }
  const record = asRecord(json);
  if (record === null) return unknown(`The report is a single JSON ${typeof json}.`);
  if (Object.keys(record).length === 1 && Array.isArray(record.results) && record.results.length === 0) {
    return unknown('The report is an empty list of results, which several tools write: name the format.');
  }
  return nearestError(new Set(Object.keys(record)), '');
}

function unknown(message: Sentence): ReportError {
  return new ReportError('UNKNOWN_FORMAT', `${message} ${known()}`, { pointer: '' });
}

function known(): Sentence {
  return `Known formats: ${formats.map((format) => format.name).join(', ')}.`;
}

function nearestError(keys: ReadonlySet<string>, pointer: string): ReportError {
  const nearest = nearestFormat(keys);
  if (nearest === null) return unknown('The report is of no known format.');
  const missing = nearest.marks.filter((mark) => !keys.has(mark));
  const hint =
    missing.length === 0
      ? 'but its fields do not have the expected values'
      : `but it has no ${missing.map((mark) => `"${mark}"`).join(', ')}`;
  return new ReportError(
    'UNKNOWN_FORMAT',
    `The report is of no known format. The nearest is ${nearest.name}, ${hint}. ${known()}`,
    { pointer },
  );
}

/** Returns the format with the largest share of its marks in the text; null if no format shares any. */
function nearestFormat(keys: ReadonlySet<string>): Format | null {
  let best: Format | null = null;
  let bestShare = 0;
  for (const format of formats) {
    const share = format.marks.filter((mark) => keys.has(mark)).length / format.marks.length;
    if (share > bestShare) {
      best = format;
      bestShare = share;
    }
  }
  return best;
}
