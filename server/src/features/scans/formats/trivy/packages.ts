/**
 * Owns Trivy's rows about packages: vulnerabilities and licenses, their package URL, place and score. Must give
 * the same package URL whether Trivy writes one or only its type and name.
 */
import { type Ecosystem, ofFile, ofSystem, ofWord } from '../reading/ecosystems.ts';
import { cweOf, newFinding, severityOfWord, sortAdvisories } from '../reading/finding.ts';
import { splitTarget } from '../reading/images.ts';
import { asRecord, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath } from '../reading/paths.ts';
import { barePurl, isSystemPurl, packagePurl, versionedPurl } from '../reading/purl.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportArtifact, ReportFinding, ReportPackage } from '../report.ts';
import { placeOf, type TrivyResult, type TrivyRow } from './result.ts';

export function readVulnerability(
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
  const title = stringAt(record, 'Title') ?? (named === null ? id : `${id} in ${named.name}`);
  const isSystem = isSystemResult(result, named);
  return newFinding({
    pointer,
    type: isSystem ? 'container' : 'dependency',
    severity: severityOfWord(stringAt(record, 'Severity')),
    title: safeTitle(title, context) || id,
    description: safeText(stringAt(record, 'Description'), context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    // "1.13.13, 1.14.8": one per supported line.
    fixedVersions: (stringAt(record, 'FixedVersion') ?? '')
      .split(',')
      .map((version) => cleanName(version, context))
      .filter((version) => version !== ''),
    cvss: cvssOf(record),
    cwes: cwesOf(record),
    ...placeOf(stringAt(record, 'PkgPath'), result, isSystem),
    artifact: artifactOf(named),
    links: safeLinks([stringAt(record, 'PrimaryURL'), ...stringsAt(record, 'References')]),
  });
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
    severity: severityOfWord(stringAt(record, 'Severity')),
    title: safeTitle(subject === null ? name : `${name} in ${subject}`, context) || name,
    description: safeText(stringAt(record, 'Category'), context),
    rule: name,
    advisories: [name],
    package: named,
    ...placeOf(file, result, isSystemResult(result, named)),
    artifact: artifactOf(named),
    links: safeLinks([stringAt(record, 'Link')]),
  });
}

function packageOf(record: JsonRecord, result: TrivyResult, context: ParseContext): ReportPackage | null {
  const name = cleanName(stringAt(record, 'PkgName') ?? '', context);
  const installed = stringAt(record, 'InstalledVersion');
  const written = barePurl(stringAt(recordAt(record, 'PkgIdentifier'), 'PURL') ?? '');
  const version = installed === null ? (written?.version ?? null) : cleanName(installed, context);
  if (written !== null) return { purl: written.purl, name: name || written.name, version };
  if (name === '') return null;
  const ecosystem = ecosystemOf(record, result);
  const purl = packagePurl(ecosystem.type, ecosystem.namespace, name);
  return purl === null ? null : { purl, name, version };
}

function ecosystemOf(record: JsonRecord, result: TrivyResult): Ecosystem {
  const type = stringAt(result.record, 'Type') ?? '';
  const bracketed = splitTarget(result.target)?.system ?? null;
  const osTarget = stringAt(result.record, 'Class') === 'os-pkgs' || result.target === 'OS Packages';
  return (
    ofSystem(type) ??
    ofWord(type) ??
    (bracketed === null ? null : ofSystem(bracketed)) ??
    (osTarget && result.system !== null ? ofSystem(result.system) : null) ??
    ofWord(result.target) ??
    ofFile(stringAt(record, 'PkgPath') ?? result.target) ?? { type: 'generic', namespace: null }
  );
}

function isSystemResult(result: TrivyResult, named: ReportPackage | null): boolean {
  if (named !== null && isSystemPurl(named.purl)) return true;
  const ofPackages = stringAt(result.record, 'Class') === 'os-pkgs' || splitTarget(result.target) !== null;
  return ofPackages && (named === null || named.purl.startsWith('pkg:generic/'));
}

function artifactOf(named: ReportPackage | null): ReportArtifact | null {
  if (named === null) return null;
  return {
    type: 'package_version',
    name: named.name,
    purl: versionedPurl(named.purl, named.version),
    digest: null,
  };
}

const cvssFields = [
  ['V40Score', 'V40Vector'],
  ['V3Score', 'V3Vector'],
  ['V2Score', 'V2Vector'],
] as const;

/** Of the source that the severity is from, else of the best known one; the newest version of CVSS it has. */
function cvssOf(record: JsonRecord): ReportFinding['cvss'] {
  const scores = recordAt(record, 'CVSS');
  if (scores === null) return null;
  const sources = [
    stringAt(record, 'SeveritySource') ?? '',
    'nvd',
    'ghsa',
    'redhat',
    ...Object.keys(scores).sort(),
  ];
  for (const source of sources) {
    const entry = recordAt(scores, source);
    for (const [scoreField, vectorField] of cvssFields) {
      const score = numberAt(entry, scoreField);
      if (score === null || score < 0 || score > 10) continue;
      return { score, vector: vectorOf(stringAt(entry, vectorField)) };
    }
  }
  return null;
}

function vectorOf(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9:./]{1,256}$/.test(text) ? text : null;
}

function cwesOf(record: JsonRecord): string[] {
  const cwes = stringsAt(record, 'CweIDs').map(cweOf);
  return [...new Set(cwes.filter((cwe) => cwe !== null))];
}
