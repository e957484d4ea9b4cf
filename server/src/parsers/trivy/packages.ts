/**
 * Trivy's rows about packages: vulnerabilities and licenses, their package URL, location and score. It must give the
 * same package URL whether Trivy writes one or only its type and name.
 */
import { distributionOf, qualifiersOf } from '../reading/distributions.ts';
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfPackageName,
  ecosystemOfSystem,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import { splitTarget } from '../reading/images.ts';
import {
  asRecord,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, packageOfPurl, plainVersion } from '../reading/packages.ts';
import { normalisePath } from '../reading/paths.ts';
import { isSystemPurl } from '../reading/purl.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportInventoryPackage, ReportPackage } from '../report.ts';
import { Advisories } from './advisories.ts';
import { resultLocationOf, type TrivyResult, type TrivyRow } from './result.ts';

export function readTrivyVulnerability(
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
): TrivyRow {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The vulnerability is not an object.' };
  const reported = stringAt(record, 'VulnerabilityID');
  if (reported === null) return { unreadable: 'The vulnerability has no VulnerabilityID.' };
  const id = cleanName(reported, context);
  const named = packageOf(record, result, context);
  const { same, related } = sortAdvisories(
    id,
    stringsAt(record, 'VendorIDs').map((other) => cleanName(other, context)),
  );
  const advisory = (result.advisories ?? new Advisories()).get(id, record, context);
  const isSystem = isSystemResult(result, named);
  return newFinding({
    pointer,
    type: isSystem ? 'container' : 'dependency',
    severity: severityOfLabel(stringAt(record, 'Severity')),
    title: advisory.title ?? (safeTitle(named === null ? id : `${id} in ${named.name}`, context) || id),
    description: advisory.description,
    rule: advisory.id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: fixedVersionsOf(stringAt(record, 'FixedVersion'), named?.purl ?? '', context),
    cvss: cvssOf(record),
    cwes: cwesOf(stringsAt(record, 'CweIDs')),
    ...resultLocationOf(stringAt(record, 'PkgPath'), result, isSystem),
    links: advisory.links,
    evidence: newEvidence(
      {
        dependencyPaths: chainsTo(record, result),
        remediation: remediations.get(stringAt(record, 'Status')) ?? null,
      },
      context,
    ),
  });
}

/** Trivy writes "1.13.13, 1.14.8", one version per supported line. */
function fixedVersionsOf(written: string | null, purl: string, context: ParseContext): string[] {
  if (written === null) return [];
  return written
    .split(',')
    .map((version) => plainVersion(purl, cleanName(version, context)))
    .filter((version) => version !== '');
}

/** The vendor's answer about a fix. The status `fixed` needs no text, because the fixed version says it. */
const remediations: ReadonlyMap<string | null, string> = new Map([
  ['will_not_fix', 'The vendor will not fix it in this version.'],
  ['end_of_life', 'The vendor no longer supports this version, so it gets no fix.'],
  ['fix_deferred', 'The vendor has put off the fix.'],
  ['under_investigation', 'The vendor still investigates whether this version is affected.'],
]);

function chainsTo(record: JsonRecord, { chainTo }: TrivyResult): string[][] {
  if (chainTo === undefined) return [];
  const id =
    stringAt(record, 'PkgID') ?? `${stringAt(record, 'PkgName')}@${stringAt(record, 'InstalledVersion')}`;
  return [chainTo(id)];
}

export function readLicense(
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
): TrivyRow {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The license is not an object.' };
  const reported = stringAt(record, 'Name');
  if (reported === null) return { unreadable: 'The license has no Name.' };
  const name = cleanName(reported, context);
  const named = packageOf(record, result, context);
  const file = stringAt(record, 'FilePath');
  const subject = named?.name ?? (file === null ? null : normalisePath(file));
  return newFinding({
    pointer,
    type: 'license',
    severity: severityOfLabel(stringAt(record, 'Severity')),
    title: safeTitle(subject === null ? name : `${name} in ${subject}`, context) || name,
    description: safeText(stringAt(record, 'Category'), context),
    rule: name,
    advisories: [name],
    package: named,
    ...resultLocationOf(file, result, isSystemResult(result, named)),
    links: safeLinks([stringAt(record, 'Link')]),
  });
}

/** Reads a row of a result's package list. The version may be missing. */
export function inventoryPackage(
  row: unknown,
  result: TrivyResult,
  context: ParseContext,
): Pick<ReportInventoryPackage, keyof ReportPackage | 'distribution'> | null {
  const record = asRecord(row);
  if (record === null) return null;
  const fields = { name: stringAt(record, 'Name'), version: listedVersion(record) };
  const identifier = recordAt(record, 'Identifier');
  const named = namedPackage(record, { ...fields, identifier }, result, context);
  if (named === null || !isSystemPurl(named.purl)) return named;
  const { distro } = qualifiersOf(stringAt(identifier, 'PURL'));
  const name = stringAt(record, 'SrcName');
  const source = name === null ? null : { name, version: listedVersion(record, 'Src') };
  return { ...named, ...distributionOf(named, { distro, source }, result.distro) };
}

/** Trivy lists the parts of a system package's version. A vulnerability has them joined in this way. */
function listedVersion(record: JsonRecord, prefix: '' | 'Src' = ''): string | null {
  const version = stringAt(record, `${prefix}Version`);
  if (version === null) return null;
  const release = stringAt(record, `${prefix}Release`);
  const epoch = integerAt(record, `${prefix}Epoch`, 1);
  return `${epoch === null ? '' : `${epoch}:`}${version}${release === null ? '' : `-${release}`}`;
}

function packageOf(record: JsonRecord, result: TrivyResult, context: ParseContext): ReportPackage | null {
  const fields = { name: stringAt(record, 'PkgName'), version: stringAt(record, 'InstalledVersion') };
  return namedPackage(record, { ...fields, identifier: recordAt(record, 'PkgIdentifier') }, result, context);
}

function namedPackage(
  record: JsonRecord,
  fields: { name: string | null; version: string | null; identifier: JsonRecord | null },
  result: TrivyResult,
  context: ParseContext,
): ReportPackage | null {
  const { name, version } = fields;
  const purl = stringAt(fields.identifier, 'PURL');
  return (
    packageOfPurl(purl, name, version, context) ??
    packageOfName(ecosystemOf(record, result), name, version, context)
  );
}

function ecosystemOf(record: JsonRecord, result: TrivyResult): PurlEcosystem {
  const type = stringAt(result.record, 'Type') ?? '';
  const bracketed = splitTarget(result.target)?.system ?? null;
  const osTarget = stringAt(result.record, 'Class') === 'os-pkgs' || result.target === 'OS Packages';
  return (
    ecosystemOfSystem(type) ??
    ecosystemOfPackageManager(type) ??
    (bracketed === null ? null : ecosystemOfSystem(bracketed)) ??
    (osTarget && result.system !== null ? ecosystemOfSystem(result.system) : null) ??
    ecosystemOfPackageManager(result.target) ??
    ecosystemOfFile(stringAt(record, 'PkgPath') ?? stringAt(record, 'FilePath') ?? result.target) ??
    ecosystemOfPackageName(stringAt(record, 'PkgName') ?? stringAt(record, 'Name') ?? '') ?? {
      type: 'generic',
      namespace: null,
    }
  );
}

function isSystemResult(result: TrivyResult, named: ReportPackage | null): boolean {
  if (named !== null && isSystemPurl(named.purl)) return true;
  const ofPackages = stringAt(result.record, 'Class') === 'os-pkgs' || splitTarget(result.target) !== null;
  return ofPackages && (named === null || named.purl.startsWith('pkg:generic/'));
}

const cvssFields = [
  ['V40Score', 'V40Vector'],
  ['V3Score', 'V3Vector'],
  ['V2Score', 'V2Vector'],
] as const;

/** The source of the severity comes first, else the best known one. Within it, the newest CVSS version wins. */
function cvssOf(record: JsonRecord): ReportFinding['cvss'] {
  const scores = recordAt(record, 'CVSS');
  if (scores === null) return null;
  for (const source of [stringAt(record, 'SeveritySource') ?? '', 'nvd', 'ghsa', 'redhat']) {
    const cvss = cvssOfSource(scores, source);
    if (cvss !== null) return cvss;
  }
  for (const source of Object.keys(scores).sort()) {
    const cvss = cvssOfSource(scores, source);
    if (cvss !== null) return cvss;
  }
  return null;
}

function cvssOfSource(scores: JsonRecord, source: string): ReportFinding['cvss'] {
  const entry = recordAt(scores, source);
  if (entry === null) return null;
  for (const [scoreField, vectorField] of cvssFields) {
    const score = numberAt(entry, scoreField);
    if (score === null || score < 0 || score > 10) continue;
    return { score, vector: vectorOf(stringAt(entry, vectorField)) };
  }
  return null;
}

function vectorOf(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9:./]{1,256}$/.test(text) ? text : null;
}
