/**
 * Grype's JSON: matches and ignored matches, in the shape before version 0.12 (`links`, `cvssV2`, `fixedInVersion`) and
 * after it. The same scan in both shapes must give the same findings.
 */
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import { cvssOf, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { ecosystemOfPackageManager, ecosystemOfSystem, type PurlEcosystem } from './reading/ecosystems.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding, newRun, sortAdvisories } from './reading/finding.ts';
import { imageCategory, nameOfImage, parseImage } from './reading/images.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { packageOfName, packageOfPurl, plainVersion, typeOfPackage } from './reading/packages.ts';
import { normalisePath, repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeLinks, safeText } from './reading/text.ts';
import type { Gap, Report, ReportFinding, ReportPackage } from './report.ts';

export const grype: Format = {
  name: 'grype',
  marks: ['matches', 'source', 'distro', 'descriptor'],
  runFields: ['timestamp'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const matches = field(json, 'matches');
  if (!Array.isArray(matches) && matches !== null) return false;
  return (
    stringAt(recordAt(json, 'descriptor'), 'name') === 'grype' ||
    (recordAt(matches?.[0], 'vulnerability') !== null && recordAt(matches?.[0], 'artifact') !== null)
  );
}

/** The scanned source defines the root of a relative path. */
interface Source {
  image: string | null;
  /** The scanned directory, if it adds something to the paths inside it. */
  directory: string | null;
  system: PurlEcosystem | null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const source = sourceOf(json);
  const findings: ReportFinding[] = [];
  const gaps: Gap[] = [];
  for (const list of ['matches', 'ignoredMatches'] as const) {
    const rows = arrayAt(json, list);
    context.addRows(rows.length, `/${list}`);
    for (const [index, row] of rows.entries()) {
      const pointer = `/${list}/${index}`;
      const suppression = list === 'matches' ? null : suppressionOf(row, context);
      const isLeftOut = list === 'ignoredMatches' && suppression === null;
      if (isLeftOut) {
        context.warn(
          'Matches that Grype itself or a general ignore rule leaves out are counted and are no findings.',
        );
        if (!isFiltered(row)) continue;
      }
      const finding = readMatch(row, pointer, source, context);
      if ('unreadable' in finding) context.addUnreadable(pointer, finding.unreadable);
      else if (isLeftOut) gaps.push(gapOf(finding));
      else findings.push({ ...finding, suppression });
    }
  }
  const descriptor = recordAt(json, 'descriptor');
  return newReport(grype.name, context, [
    newRun({
      tool: 'grype',
      toolVersion: cleanName(stringAt(descriptor, 'version'), context),
      category: source.image === null ? '' : cleanName(imageCategory(source.image), context),
      findings,
      gaps,
      image: parseImage(source.image),
    }),
  ]);
}

function sourceOf(json: unknown): Source {
  const source = recordAt(json, 'source');
  const type = stringAt(source, 'type');
  const target = field(source, 'target');
  const isImage = type === 'image';
  const [tags, digests] = [stringsAt(target, 'tags'), stringsAt(target, 'repoDigests')];
  const image = nameOfImage(stringAt(target, 'userInput'), tags, digests) ?? stringAt(source, 'target');
  return {
    image: isImage ? image : null,
    directory: type === 'directory' ? stringAt(source, 'target') : null,
    system: ecosystemOfSystem(stringAt(recordAt(json, 'distro'), 'name') ?? ''),
  };
}

function readMatch(
  row: unknown,
  pointer: string,
  source: Source,
  context: ParseContext,
): ReportFinding | { unreadable: string } {
  const vulnerability = recordAt(row, 'vulnerability');
  const reported = stringAt(vulnerability, 'id');
  if (reported === null) return { unreadable: 'The match has no vulnerability with an id.' };
  const named = packageOf(recordAt(row, 'artifact'), source, context);
  if (named === null) return { unreadable: 'The match has no artifact with a name.' };
  const id = cleanName(reported, context);
  const relatives = arrayAt(row, 'relatedVulnerabilities');
  const { same, related } = sortAdvisories(
    id,
    [...relatives, ...arrayAt(vulnerability, 'advisories')]
      .map((other) => cleanName(stringAt(other, 'id') ?? '', context))
      .filter((other) => other !== ''),
  );
  // The feeds of distributions have no text and no score. The related CVE record has both.
  const records = [vulnerability, ...relatives];
  const description = firstOf(records, (record) => stringAt(record, 'description'));
  const cvss = firstOf(records, bestCvss);
  return newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: severityOf(stringAt(vulnerability, 'severity'), cvss?.score ?? null),
    title: advisoryTitle({ summary: null, description }, id, named.name, context),
    description: safeText(description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: [
      ...stringsAt(recordAt(vulnerability, 'fix'), 'versions'),
      ...stringsAt(vulnerability, 'fixedInVersion'),
    ].map((version) => plainVersion(named.purl, cleanName(version, context))),
    cvss,
    // Newer reports have them, in the record of the feed or in the related one.
    cwes: cwesOf(records.flatMap((record) => arrayAt(record, 'cwes')).map((row) => stringAt(row, 'cwe'))),
    ...locationOf(row, named, source),
    links: safeLinks([
      stringAt(vulnerability, 'dataSource'),
      ...stringsAt(vulnerability, 'urls'),
      ...stringsAt(vulnerability, 'links'),
      ...relatives.map((other) => stringAt(other, 'dataSource')),
    ]),
    evidence: newEvidence({ remediation: remediationOf(row, named) }, context),
  });
}

/**
 * Newer reports mark which of several fixed versions is the next one after the installed version. Distributions mark
 * vulnerabilities that they will not fix.
 */
function remediationOf(row: unknown, { name }: ReportPackage): string | null {
  const fixes = arrayAt(row, 'matchDetails').map((detail) =>
    stringAt(recordAt(detail, 'fix'), 'suggestedVersion'),
  );
  const version = fixes.find((fix) => fix !== null);
  if (version !== undefined) return `Update ${name} to ${version}.`;
  const state = stringAt(recordAt(recordAt(row, 'vulnerability'), 'fix'), 'state');
  return state === 'wont-fix' ? `The vendor will not fix it in this version of ${name}.` : null;
}

function firstOf<T>(records: readonly unknown[], read: (record: unknown) => T | null): T | null {
  for (const record of records) {
    const value = read(record);
    if (value !== null) return value;
  }
  return null;
}

function packageOf(artifact: JsonRecord | null, source: Source, context: ParseContext): ReportPackage | null {
  const name = stringAt(artifact, 'name');
  const version = stringAt(artifact, 'version');
  const named = packageOfPurl(stringAt(artifact, 'purl'), name, version, context);
  if (named !== null) return named;
  const ofType = ecosystemOfPackageManager(stringAt(artifact, 'type') ?? '');
  const isSystem = ofType !== null && ['deb', 'rpm', 'apk'].includes(ofType.type);
  const ecosystem = isSystem && source.system?.type === ofType.type ? source.system : ofType;
  const group = stringAt(recordAt(artifact, 'metadata'), 'pomGroupID');
  return packageOfName(
    ecosystem?.type === 'maven' && group !== null && name?.includes(':') === false
      ? { ...ecosystem, namespace: group }
      : (ecosystem ?? { type: 'generic', namespace: null }),
    name,
    version,
    context,
  );
}

/** The newest CVSS version wins, and within it the primary source's score. */
function bestCvss(record: unknown): ReportFinding['cvss'] {
  let best: ReportFinding['cvss'] = null;
  let bestRank = -1;
  for (const entry of arrayAt(record, 'cvss')) {
    const cvss = cvssOf(numberAt(recordAt(entry, 'metrics'), 'baseScore'), stringAt(entry, 'vector'));
    const rank = 2 * (numberAt(entry, 'version') ?? 0) + (stringAt(entry, 'type') === 'Primary' ? 0.1 : 0);
    if (cvss !== null && rank > bestRank) {
      best = cvss;
      bestRank = rank;
    }
  }
  if (best !== null) return best;
  for (const key of ['cvssV3', 'cvssV2']) {
    const entry = recordAt(record, key);
    const cvss = cvssOf(numberAt(entry, 'baseScore'), stringAt(entry, 'vector'));
    if (cvss !== null) return cvss;
  }
  return null;
}

/** A system package of an image belongs to the image. Any other belongs to the file that shows it best. */
function locationOf(
  row: unknown,
  named: ReportPackage,
  source: Source,
): Pick<ReportFinding, 'path' | 'pathIsTarget'> {
  if (source.image !== null && typeOfPackage(named) === 'container') {
    return { path: normalisePath(source.image), pathIsTarget: true };
  }
  const locations = arrayAt(recordAt(row, 'artifact'), 'locations');
  const primary = locations.find(
    (location) => stringAt(recordAt(location, 'annotations'), 'evidence') === 'primary',
  );
  const path = stringAt(primary ?? locations[0], 'path');
  if (path === null) return { path: null, pathIsTarget: false };
  if (source.image !== null) return { path: normalisePath(path), pathIsTarget: false };
  return { path: pathInDirectory(path, source.directory), pathIsTarget: false };
}

/** Grype writes paths relative to the scanned directory, with a slash at the start. */
function pathInDirectory(path: string, directory: string | null): string | null {
  if (directory === null) return repositoryPath(path);
  const joined = `${directory}/${path}`.replaceAll('\\', '/');
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(joined);
  if (!isAbsolute) return directory.startsWith('..') ? normalisePath(path) : normalisePath(joined);
  // The position of an absolute directory in the repository is known only if it is inside a known checkout.
  const known = repositoryPath(joined);
  return known === normalisePath(joined.replace(/^[A-Za-z]:/, '')) ? repositoryPath(path) : known;
}

/**
 * Reasons of the rules with which Grype dismisses a match by itself, because the distribution or the database says that
 * the package is not affected. Its report has such matches only with the option `include-matcher-suppressions`.
 */
const ownReasons: ReadonlySet<string> = new Set([
  'distro-fixed',
  'distro-nak',
  'Distro Fixed',
  'Distro Not Vulnerable',
  'Alma Unaffected',
  'CPE not vulnerable',
  'UnaffectedPackageEntry',
  // Programs with an older version of Grype's library write these for the first two.
  'DistroPackageFixed',
  'Explicit APK NAK',
]);

/**
 * A match is suppressed by a user's rule that names a vulnerability or a package, or by VEX. Rules with a `fix-state`
 * or a `match-type` are Grype's own, for example about the packages of kernel headers.
 */
function suppressionOf(row: unknown, context: ParseContext): ReportFinding['suppression'] {
  for (const rule of arrayAt(row, 'appliedIgnoreRules')) {
    const record = asRecord(rule);
    const status = stringAt(record, 'vex-status');
    if (status === null && !isOfUser(record)) continue;
    const reason = stringAt(record, 'reason') ?? stringAt(record, 'vex-justification') ?? status;
    return { by: 'file', reason: safeText(reason, context), expiresAt: null };
  }
  return null;
}

function isOfUser(rule: JsonRecord | null): boolean {
  if (stringAt(rule, 'vulnerability') !== null) return !ownReasons.has(stringAt(rule, 'reason') ?? '');
  const isGeneral = ['match-type', 'fix-state'].some((key) => stringAt(rule, key) !== null);
  return recordAt(rule, 'package') !== null && !isGeneral;
}

/** True for a match that only an option such as `--only-fixed` has left out: a rule about the state of the fix. */
function isFiltered(row: unknown): boolean {
  return arrayAt(row, 'appliedIgnoreRules').some((rule) => stringAt(rule, 'fix-state') !== null);
}

function gapOf({ package: named, rule }: ReportFinding): Gap {
  return { ...(named === null ? {} : { package: named.purl }), advisory: rule };
}
