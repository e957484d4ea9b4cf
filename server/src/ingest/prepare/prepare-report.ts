/** Turns a report into the input of an import: findings with keys, in an order that does not depend on the report's. */
import type { Report, ReportFinding, Run } from '../../parsers/report.ts';
import { taughtNames } from './advisory-names.ts';
import { ContentDigests } from './content-digest.ts';
import { EvidencePreparer } from './evidence.ts';
import { FindingPacker } from './finding-packer.ts';
import { FindingKeys } from './identity.ts';
import { LocationGroups } from './location-groups.ts';
import { compareFindings, sortFindings } from './order-findings.ts';
import type { PreparedReport, PreparedRun } from './prepared-report.ts';

/**
 * Computes keys for all findings, and removes them from the report, so that packed findings need no memory. `secretKey`
 * is the key of the install for the identity of secrets.
 */
export function prepareReport(report: Report, secretKey: Buffer): PreparedReport {
  let ordinal = 0;
  const preparer = new EvidencePreparer();
  const names = taughtNames([...report.runs.flatMap((run) => run.findings), ...report.statements]);
  const runs = report.runs.map((run): PreparedRun => {
    const packer = new FindingPacker(ordinal, run.findings.length, run.category);
    const groups = prepareFindings(run, secretKey, preparer, packer);
    ordinal = packer.next;
    return { ...run, findings: packer.done(), groups };
  });
  const warnings = [...report.warnings, ...preparer.warnings];
  return { ...report, runs, helps: preparer.helps, warnings, names };
}

function prepareFindings(
  run: Run,
  secretKey: Buffer,
  preparer: EvidencePreparer,
  packer: FindingPacker,
): string[][] {
  const keysOf = new FindingKeys(run, secretKey);
  const digests = new ContentDigests();
  const known = new Set<string>();
  const groups = new LocationGroups(run.findings);
  let before: ReportFinding | null = null;
  const waiting = sortFindings(takeFindings(run), (a, b) => groups.compare(a, b)).reverse();
  for (let finding = waiting.pop(); finding !== undefined; finding = waiting.pop()) {
    // A repeated row adds nothing.
    if (before !== null && compareFindings(before, finding) === 0) continue;
    before = finding;
    const evidence = preparer.prepare(finding.evidence);
    const keys = keysOf.next(finding);
    // If two rows are one finding in a package, the first one counts. In this order it has the highest severity.
    if (keys.kind === 'package') {
      if (known.has(keys.key)) continue;
      known.add(keys.key);
    }
    const group = groups.add(finding, keys);
    packer.add({ finding, keys, digest: digests.of(finding, evidence), group, evidence });
  }
  return groups.keys;
}

function takeFindings(run: Run): ReportFinding[] {
  const { findings } = run;
  run.findings = [];
  return findings;
}
