/** Sorts findings by their content, so that a shuffled report gets the same ordinals. */
import { compareText } from '../../domain/comparators/digits.ts';
import { severities } from '../../domain/packed-state.ts';
import type { ReportFinding } from '../../parsers/report.ts';

/** `compareRows` orders findings with the same content by the rows that name them. */
export function sortFindings(
  findings: readonly ReportFinding[],
  compareRows: (a: ReportFinding, b: ReportFinding) => number,
): ReportFinding[] {
  // Few rules have many findings, so this spares most comparisons.
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  const sorted: ReportFinding[] = [];
  for (const rule of [...byRule.keys()].sort(compareText)) {
    const ofRule = byRule.get(rule) ?? [];
    ofRule.sort((a, b) => compareOfRule(a, b) || compareRows(a, b) || compareDetails(a, b));
    for (const finding of ofRule) sorted.push(finding);
  }
  return sorted;
}

/** Compares everything that makes a row of the report another finding. */
export function compareFindings(a: ReportFinding, b: ReportFinding): number {
  return compareText(a.rule, b.rule) || compareOfRule(a, b);
}

function compareOfRule(a: ReportFinding, b: ReportFinding): number {
  return (
    compareText(a.path ?? '', b.path ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.package?.purl ?? '', b.package?.purl ?? '') ||
    compareText(a.package?.version ?? '', b.package?.version ?? '') ||
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    compareText(a.fingerprint?.value ?? '', b.fingerprint?.value ?? '') ||
    compareText(a.code ?? '', b.code ?? '') ||
    compareText(a.rawCode ?? '', b.rawCode ?? '') ||
    compareText(a.secret?.value ?? '', b.secret?.value ?? '') ||
    compareText(a.secret?.maskedLine ?? '', b.secret?.maskedLine ?? '') ||
    compareText(a.title, b.title) ||
    compareText(a.description ?? '', b.description ?? '') ||
    // Unsuppressed rows come first; the rest of the content then makes the order unique.
    Number(a.suppression !== null) - Number(b.suppression !== null) ||
    compareText(restOf(a), restOf(b))
  );
}

function restOf(finding: ReportFinding): string {
  const { fixedVersions, cvss, cwes, links, artifact, verified, exploitable, committedAt } = finding;
  return JSON.stringify([fixedVersions, cvss, cwes, links, artifact, verified, exploitable, committedAt]);
}

/** Orders rows that are equal in everything else, so that always the same one counts. */
function compareDetails(a: ReportFinding, b: ReportFinding): number {
  const [left, right] = [detailsOf(a), detailsOf(b)];
  for (;;) {
    const [one, other] = [left.next(), right.next()];
    const order = compareText(one.value ?? '', other.value ?? '');
    if (order !== 0) return order;
    if (one.done === true && other.done === true) return 0;
  }
}

/** Returns the parts one by one, because most rows differ in the first ones and some have long texts. */
function* detailsOf({ suppression, evidence }: ReportFinding): Generator<string, undefined> {
  yield* [suppression?.by ?? '', suppression?.reason ?? '', suppression?.expiresAt ?? ''];
  if (evidence === null) return;
  const { snippet, dataFlow, help, remediation, dependencyPaths } = evidence;
  yield* [help ?? '', remediation ?? '', snippet?.text ?? ''];
  yield `${snippet?.firstLine} ${snippet?.markedFrom} ${snippet?.markedTo}`;
  for (const { path, line, text } of dataFlow) yield* [path ?? '', String(line), text];
  for (const names of dependencyPaths) yield names.join();
}
