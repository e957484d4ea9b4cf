/**
 * Dependency-Check's rows: vulnerabilities, suppressed or not, and the three ways in which its versions write a CVSS
 * score. It must never read a file's package: `packages.ts` does.
 */
import { cvssOf, severityOf } from '../reading/cvss.ts';
import { cwesOf, newFinding } from '../reading/finding.ts';
import {
  arrayAt,
  asNumber,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainVersion, typeOfPackage } from '../reading/packages.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import type { DependencyLocation } from './packages.ts';

export function readDependencyVulnerability(
  row: unknown,
  pointer: string,
  location: DependencyLocation,
  isSuppressed: boolean,
  context: ParseContext,
): ReportFinding | { unreadable: string } {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The vulnerability is not an object.' };
  const reported = stringAt(record, 'name');
  if (reported === null) return { unreadable: 'The vulnerability has no name.' };
  const id = cleanName(reported, context);
  const named = location.package;
  const description = stringAt(record, 'description');
  const cvss = bestCvss(record);
  const fallback = named === null ? id : `${id} in ${named.name}`;
  // Without a CVSS score the severity is an element with the attribute "unscored", and may be a number: 0 for none.
  const label = stringAt(record, 'severity') ?? stringAt(recordAt(record, 'severity'), 'value');
  return newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: severityOf(label, cvss?.score ?? (asNumber(label) || null)),
    title: safeTitle(description ?? fallback, context) || fallback,
    description: safeText(description, context),
    rule: id,
    advisories: [id],
    package: named,
    fixedVersions: fixedVersionsOf(record, named, context),
    cvss,
    cwes: cwesOf([...stringsAt(record, 'cwes'), ...stringsAt(record, 'cwe')]),
    path: location.path,
    links: safeLinks(arrayAt(record, 'references').map((reference) => stringAt(reference, 'url'))),
    suppression: isSuppressed
      ? { by: 'file', reason: safeText(stringAt(record, 'notes'), context), expiresAt: null }
      : null,
    exploitable: recordAt(record, 'knownExploitedVulnerability') !== null,
  });
}

/** Returns the end of the version range that matched the package. */
function fixedVersionsOf(record: JsonRecord, named: ReportPackage | null, context: ParseContext): string[] {
  const versions = new Set<string>();
  for (const row of arrayAt(record, 'vulnerableSoftware')) {
    const software = recordAt(row, 'software') ?? row;
    const matched = field(software, 'vulnerabilityIdMatched');
    const end = stringAt(software, 'versionEndExcluding');
    if ((matched === 'true' || matched === true) && end !== null) {
      versions.add(plainVersion(named?.purl ?? '', cleanName(end, context)));
    }
  }
  return [...versions];
}

const impacts3 = { C: 'confidentialityImpact', I: 'integrityImpact', A: 'availabilityImpact' };
const vector3 = {
  AV: 'attackVector',
  AC: 'attackComplexity',
  PR: 'privilegesRequired',
  UI: 'userInteraction',
  S: 'scope',
  ...impacts3,
};
const vector2 = { AV: 'accessVector', AC: 'accessComplexity', Au: 'authenticationr', ...impacts3 };
/** Up to version 6 the XML spells one word of CVSS 2 differently, and up to version 4 all of them. */
const vector2Xml = { ...vector2, C: 'confidentialImpact' };
const vector2Flat = {
  AV: 'cvssAccessVector',
  AC: 'cvssAccessComplexity',
  Au: 'cvssAuthenticationr',
  C: 'cvssConfidentialImpact',
  I: 'cvssIntegrityImpact',
  A: 'cvssAvailabilityImpact',
};

/** Returns the newest CVSS version of the row. */
function bestCvss(record: JsonRecord): ReportFinding['cvss'] {
  const fourth = recordAt(record, 'cvssv4') ?? recordAt(record, 'cvssV4');
  const third = recordAt(record, 'cvssv3') ?? recordAt(record, 'cvssV3');
  const second = recordAt(record, 'cvssv2') ?? recordAt(record, 'cvssV2');
  const prefix = `CVSS:${stringAt(third, 'version') === '3.1' ? '3.1' : '3.0'}/`;
  return (
    cvssOf(numberAt(fourth, 'baseScore'), stringAt(fourth, 'vectorString')) ??
    cvssOf(numberAt(third, 'baseScore'), vectorOf(third, vector3, prefix)) ??
    cvssOf(
      numberAt(second, 'score') ?? numberAt(second, 'baseScore'),
      vectorOf(second, vector2, '') ?? vectorOf(second, vector2Xml, ''),
    ) ??
    cvssOf(numberAt(record, 'cvssScore'), vectorOf(record, vector2Flat, ''))
  );
}

/**
 * Each metric is a text in its own field, and its first letter is the value in a vector. Gives null if one is missing.
 */
function vectorOf(
  record: JsonRecord | null,
  fields: Readonly<Record<string, string>>,
  prefix: string,
): string | null {
  const metrics: string[] = [];
  for (const [metric, name] of Object.entries(fields)) {
    const label = stringAt(record, name);
    if (label === null || !/^[A-Z]/.test(label)) return null;
    metrics.push(`${metric}:${label.charAt(0)}`);
  }
  return `${prefix}${metrics.join('/')}`;
}
