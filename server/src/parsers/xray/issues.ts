/**
 * The parts that Xray's formats share: the ids, scores, fixes and texts of an issue. Where an issue names several
 * components, each is a finding.
 */
import { compareText } from '../../domain/comparators/digits.ts';
import { advisoryTitle } from '../reading/advisory-title.ts';
import { cvssOf, cvssOfVector } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, type JsonRecord, numberAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainVersion, typeOfPackage } from '../reading/packages.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';

/** An issue of any shape. */
export interface XrayIssue {
  pointer: string;
  /** `XRAY-96880`; empty in some exports. */
  id: string | null;
  kind: string | null;
  severity: string | null;
  summary: string | null;
  description: string | null;
  remediation: string | null;
  cves: readonly unknown[];
  links: string[];
  components: XrayComponent[];
}

export interface XrayComponent {
  package: ReportPackage | null;
  fixedVersions: string[];
  dependencyPaths: string[][];
}

/** The location of the packages: the scanned artifact, without its version. */
export interface XrayLocation {
  path: string | null;
}

/** Returns null if the issue has neither an id nor a text. */
export function readXrayIssue(
  issue: XrayIssue,
  { path }: XrayLocation,
  context: ParseContext,
): ReportFinding[] | null {
  const ids = advisoriesOf(issue, context);
  const [id = ''] = ids;
  if (id === '' && issue.summary === null && issue.description === null) return null;
  const { same, related } = id === '' ? { same: [], related: [] } : sortAdvisories(id, ids.slice(1));
  const isLicense = issue.kind?.toLowerCase() === 'license';
  const components: XrayComponent[] =
    issue.components.length > 0
      ? issue.components
      : [{ package: null, fixedVersions: [], dependencyPaths: [] }];
  context.addLocations(components.length - 1, issue.pointer);
  const shared = {
    pointer: issue.pointer,
    severity: severityOfLabel(issue.severity),
    description: safeText(issue.description ?? issue.summary, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    cvss: cvssOfCves(issue.cves),
    cwes: cwesOf(issue.cves.slice(0, 200).flatMap((cve) => stringsAt(cve, 'cwe'))),
    path,
    pathIsTarget: path !== null,
    links: safeLinks(issue.links),
    sharedRow: components.length > 1 ? issue.pointer : null,
  };
  return components.map(({ package: named, fixedVersions, dependencyPaths }) =>
    newFinding({
      ...shared,
      type: isLicense ? 'license' : typeOfPackage(named),
      title: advisoryTitle(issue, id || 'Issue', named?.name ?? null, context),
      package: named,
      fixedVersions: fixesOf(fixedVersions, named, context),
      evidence: newEvidence({ remediation: issue.remediation, dependencyPaths }, context),
    }),
  );
}

function advisoriesOf({ id, cves }: XrayIssue, context: ParseContext): string[] {
  const all = [id, ...cves.map((cve) => stringAt(cve, 'cve'))].filter((text) => text !== null);
  return [...new Set(all.map((text) => cleanName(text, context)).filter((text) => text !== ''))];
}

/** Fixes are written as `≥ 1.2.3` and `[1.2.3]`. */
function fixesOf(written: readonly string[], named: ReportPackage | null, context: ParseContext): string[] {
  const versions = written.map(
    (text) => /^(?:≥|>=|=|\[|\()?\s*(v?[0-9][\w.+~:-]{0,100})[\])]?$/.exec(text.trim())?.[1],
  );
  return [
    ...new Set(
      versions
        .filter((version) => version !== undefined)
        .map((version) => plainVersion(named?.purl ?? '', cleanName(version, context))),
    ),
  ];
}

const scoreFields = [
  ['cvss_v3_score', 'cvss_v3_vector', 'cvss_v3'],
  ['cvss_v2_score', 'cvss_v2_vector', 'cvss_v2'],
] as const;

/** Returns the highest score of the newer version of CVSS among the CVEs of an issue. */
function cvssOfCves(cves: readonly unknown[]): ReportFinding['cvss'] {
  for (const [score, vector, joined] of scoreFields) {
    const found = cves
      .slice(0, 200)
      .map((cve) =>
        numberAt(cve, score) === null
          ? joinedScore(stringAt(cve, joined))
          : cvssOf(numberAt(cve, score), plainVector(stringAt(cve, vector))),
      )
      .filter((cvss) => cvss !== null);
    const [best] = found.sort((a, b) => b.score - a.score || compareText(a.vector ?? '', b.vector ?? ''));
    if (best !== undefined) return best;
  }
  return null;
}

/** `9.8/CVSS:3.0/AV:N/…`, or a score or a vector alone. */
function joinedScore(text: string | null): ReportFinding['cvss'] {
  const [, score, vector] = /^([0-9]{1,2}(?:\.[0-9]{1,2})?)(?:\/(.{1,300}))?$/.exec(text?.trim() ?? '') ?? [];
  if (score === undefined) return cvssOfVector(plainVector(text) ?? '');
  return cvssOf(Number(score), plainVector(vector ?? null));
}

/** Vectors of version 2 have no prefix. */
function plainVector(vector: string | null): string | null {
  return vector?.trim().replace(/^CVSS:2\.0\//, '') ?? null;
}

/** The fields that an issue has in every shape. */
export function issueFields(record: JsonRecord): Omit<XrayIssue, 'pointer' | 'components'> {
  return {
    id: stringAt(record, 'issue_id') ?? stringAt(record, 'id'),
    kind: stringAt(record, 'issue_type') ?? stringAt(record, 'type'),
    severity: stringAt(record, 'severity'),
    summary: stringAt(record, 'summary'),
    description: stringAt(record, 'description'),
    remediation: null,
    cves: arrayAt(record, 'cves'),
    links: stringsAt(record, 'references').flatMap((text) => text.slice(0, 10_000).split('\n')),
  };
}
