/**
 * The way from the bytes of a scanner's file to a report. It must never read a row: each format's own file does that.
 */
import { isDenial } from '../domain/vex-status.ts';
import { chooseFormat } from './choose-format.ts';
import { brokenDocument, decodeReport, type ReportDocument } from './reading/decode.ts';
import { BrokenRowsError, parseAllRows } from './reading/json-rows.ts';
import { defaultLimits, type Limits, ParseContext } from './reading/limits.ts';
import { type Report, runsWithUnreadableRows } from './report.ts';
import { boundLists, checkPackages } from './report-lists.ts';
import { boundTexts } from './report-texts.ts';
import { unknownFormat } from './unknown-format.ts';

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
