/** Bounds how many packages a report lists, and how many advisories, fixes and weaknesses its findings name. */
import {
  cwesWarning,
  type Limits,
  listedPerFinding,
  maxAdvisories,
  maxCwes,
  maxFixedVersions,
} from './reading/limits.ts';
import { type Report, ReportError } from './report.ts';

/** A package costs the import as much as a finding, so the same limit holds for both. */
export function checkPackages({ runs }: Report, { maxFindings }: Limits): void {
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
export function boundLists(report: Report, { maxFindings }: Limits): Report {
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
