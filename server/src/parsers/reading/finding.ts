/**
 * The empty finding: every field says "not in the report", so that a parser sets only what it knows. It also owns the
 * small vocabularies that several formats share. It must never read a report.
 */
import { isLicenseId, licenseId } from '../../domain/license-id.ts';
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import type { ReportArtifact, ReportFinding, ReportPackage, Run } from '../report.ts';
import { analysisTypesOf } from './analyses.ts';
import { typeOfPackage } from './packages.ts';
import { versionedPurl } from './purl.ts';
import { rememberLists } from './remember.ts';
import { withStableGaps, withStableNames } from './stable-names.ts';

/** The fields that a report gives; the first five are in each report. The artifact follows from the package. */
export type KnownFields = Pick<ReportFinding, 'pointer' | 'type' | 'severity' | 'title' | 'rule'> &
  Partial<Omit<ReportFinding, 'artifact'>>;

export function newFinding(known: KnownFields): ReportFinding {
  const type = typeOf(known);
  return {
    description: null,
    relatedAdvisories: [],
    package: null,
    fixedVersions: [],
    cvss: null,
    cwes: [],
    path: null,
    pathIsTarget: false,
    line: null,
    fingerprint: null,
    code: null,
    rawCode: null,
    secret: null,
    links: [],
    suppression: null,
    verified: false,
    exploitable: false,
    committedAt: null,
    sharedRow: null,
    evidence: null,
    ...known,
    type,
    advisories: advisoriesOf(known, type),
    artifact: artifactOf(known.package ?? null),
  };
}

function artifactOf(named: ReportPackage | null): ReportArtifact | null {
  if (named === null) return null;
  const purl = versionedPurl(named.purl, named.version);
  return { type: 'package_version', name: named.name, purl, digest: null };
}

function advisoriesOf(
  { advisories = [], package: named = null }: KnownFields,
  type: VulnerabilityType,
): string[] {
  return type === 'license' && named !== null ? advisories.map(licenseId) : advisories;
}

/**
 * The advisory and the package URL determine the type of a finding in a package, whatever the tool says, so that every
 * report shows the same problem with the same type. For a package without an ecosystem, and for advisories of the
 * tool's own about licenses and malware, the tool says it.
 */
function typeOf({ type, advisories = [], package: named = null }: KnownFields): VulnerabilityType {
  const { hasLicense, hasMalware, isPublic } = kindOf(advisories);
  if (named !== null && hasLicense) return 'license';
  if (hasMalware) return 'malware';
  if (named === null || advisories.length === 0) return type;
  const isOwn = !isPublic && (type === 'license' || type === 'malware');
  return isOwn || named.purl.startsWith('pkg:generic/') ? type : typeOfPackage(named);
}

const kindOf = rememberLists((advisories) => ({
  hasLicense: advisories.some(isLicenseId),
  hasMalware: advisories.some(isMalware),
  isPublic: advisories.some((id) => /^(?:CVE|GHSA)-/i.test(id)),
}));

/** True if the findings are of commits and not of the current tree. Only scans for secrets read commits. */
export function areOfCommits(findings: readonly ReportFinding[]): boolean {
  return findings.some(({ committedAt }) => committedAt !== null) && findings.every(({ secret }) => secret);
}

/**
 * Gives an empty run that was a complete and successful scan of the current tree. `analysisTypes` is what the report
 * itself says was looked for. Without it, the tool and its findings decide. Findings and packages show a scan without
 * more.
 */
export function newRun(known: Pick<Run, 'tool'> & Partial<Run>): Run {
  const written = {
    toolVersion: null,
    category: '',
    history: false,
    outcome: 'succeeded' as const,
    pointer: '',
    gaps: [],
    findings: [],
    image: null,
    manifests: [],
    ...known,
  };
  const findings = withStableNames(written.findings);
  const run = { ...written, findings, gaps: withStableGaps(written.gaps) };
  const showsScan = known.showsScan === true || run.findings.length + run.manifests.length > 0;
  return { ...run, showsScan, analysisTypes: analysisTypesOf(run, known.analysisTypes ?? null) };
}

const severitiesByLabel: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['error', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
  ['low', 'low'],
  ['note', 'low'],
  ['negligible', 'info'],
  ['info', 'info'],
  ['informational', 'info'],
  ['information', 'info'],
  ['none', 'info'],
]);

/** Reads a tool's severity label in any case; gives `unknown` for a label without a meaning. */
export function severityOfLabel(label: string | null): Severity {
  return severitiesByLabel.get((label ?? '').trim().toLowerCase()) ?? 'unknown';
}

/** Uses the bands of CVSS; 0 is `info`. Gives null for a number that is no score. */
export function severityOfScore(score: number | null): Severity | null {
  if (score === null || score < 0) return null;
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** Returns `CWE-79` for `79`, `CWE-079`, `external/cwe/cwe-079`, `CWE-79: Cross-site …`; null for anything else. */
export function cweOf(text: string): string | null {
  const number = /^(?:external\/cwe\/)?(?:cwe[-:_ ]?)?0*([1-9][0-9]{0,4})(?![0-9A-Za-z])/i.exec(
    text.trim(),
  )?.[1];
  return number === undefined ? null : `CWE-${number}`;
}

/** Returns the weaknesses that are in such texts, each once. */
export function cwesOf(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.map((text) => cweOf(text ?? '')).filter((cwe) => cwe !== null))];
}

/** Returns the ids in a text, each once; CVE and MAL ids in upper case. */
export function advisoriesIn(text: string): string[] {
  const found = text
    .slice(0, 4096)
    .matchAll(
      /(?<![A-Za-z0-9-])(?:CVE-[0-9]{4}-[0-9]{4,9}|MAL-[0-9]{4}-[0-9]{1,9}|GHSA(?:-[a-z0-9]{4}){3})(?![A-Za-z0-9])/gi,
    );
  return [
    ...new Set(
      Array.from(found, ([id]) =>
        /^ghsa/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : id.toUpperCase(),
      ),
    ),
  ];
}

/** OSV's ids of malicious packages. */
function isMalware(id: string): boolean {
  return /^MAL-[0-9]{4}-/.test(id);
}

/**
 * Splits the ids that a tool lists beside its own into those that mean the same and those that are only related. With
 * several CVEs none of them means the same, and an id of a distribution's advisory never does.
 */
export function sortAdvisories(id: string, others: readonly string[]): { same: string[]; related: string[] } {
  if (others.length === 0) return { same: [id], related: [] };
  const same = [id];
  const related: string[] = [];
  const rest = others.filter((other) => other !== id);
  const isCve = (text: string): boolean => text.startsWith('CVE-');
  const cves = new Set([id, ...rest].filter(isCve)).size;
  for (const other of new Set(rest)) {
    const means = isCve(other)
      ? cves === 1
      : isMalware(other) || (cves <= 1 && /^(?:GHSA|PYSEC|GO|RUSTSEC|OSV|SNYK|BDSA)-/.test(other));
    (means ? same : related).push(other);
  }
  return { same, related };
}
