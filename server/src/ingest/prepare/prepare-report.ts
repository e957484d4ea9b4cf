/** Turns a report into what an import reads: findings with keys, in an order that does not depend on the report's. */
import { purlTypeOf } from '../../domain/versions.ts';
import type { Report, ReportFinding, Run } from '../../parsers/report.ts';
import { fixesAbove } from '../../vulnerabilities/status.ts';
import { taughtNames } from './advisory-names.ts';
import { ContentDigests } from './content-digest.ts';
import { EvidencePreparer } from './evidence.ts';
import { FindingPacker } from './finding-packer.ts';
import { Groups } from './groups.ts';
import { FindingKeys, hexKey } from './identity.ts';
import { compareFindings, sortFindings } from './order-findings.ts';
import type { PreparedFinding, PreparedReport, PreparedRun } from './prepared-report.ts';

/** Computes keys for all findings. `secretKey` is the key of the installation for the identity of secrets. */
export function prepareReport(report: Report, secretKey: Buffer): PreparedReport {
  let ordinal = 0;
  const preparer = new EvidencePreparer();
  const names = taughtNames([...report.runs.flatMap((run) => run.findings), ...report.statements]);
  const runs = report.runs.map((run): PreparedRun => {
    const packer = new FindingPacker(ordinal, run.findings.length);
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
  const groups = new Groups(run.findings);
  let before: ReportFinding | null = null;
  for (const finding of sortFindings(run.findings, groups)) {
    // A repeated row adds nothing.
    if (before !== null && compareFindings(before, finding) === 0) continue;
    before = finding;
    const evidence = preparer.prepare(finding.evidence);
    const { kind, key, ...keys } = keysOf.next(finding);
    // If two rows are one finding, the first one counts. In this order it has the highest severity.
    if (known.has(key)) continue;
    known.add(key);
    const group = groups.add(finding, { kind, key });
    const digest = digests.of(finding, evidence);
    packer.add({ kind, key, digest }, { ...keys, ...contentOf(finding), group }, evidence);
  }
  return groups.keys;
}

type Content = Omit<PreparedFinding, 'ordinal' | 'digest' | 'group' | keyof ReturnType<FindingKeys['next']>>;

function contentOf(finding: ReportFinding): Content {
  const purl = finding.package?.purl ?? null;
  const { suppression } = finding;
  return {
    advisories: finding.advisories,
    relatedAdvisories: finding.relatedAdvisories,
    purl,
    type: finding.type,
    severity: finding.severity,
    title: finding.title,
    description: finding.description,
    rule: finding.rule,
    fixedVersions: fixesAbove(purlTypeOf(purl), finding.package?.version ?? null, finding.fixedVersions),
    cvssScore: finding.cvss?.score ?? null,
    cvssVector: finding.cvss?.vector ?? null,
    cwes: finding.cwes,
    links: finding.links,
    path: finding.path ?? '.',
    line: finding.line,
    artifact: artifactOf(finding),
    suppressed: suppression?.by === 'source',
    suppression:
      suppression?.by === 'file' ? { reason: suppression.reason, expiresAt: suppression.expiresAt } : null,
    verified: finding.verified,
    exploitable: finding.exploitable,
    committedAt: finding.committedAt,
  };
}

function artifactOf({ artifact }: ReportFinding): PreparedFinding['artifact'] {
  if (!artifact) return null;
  const { type, name, purl, digest } = artifact;
  return { key: hexKey('artifact', type, name, purl ?? '', digest ?? ''), type, name, purl, digest };
}
