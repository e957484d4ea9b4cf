/**
 * The package findings of Checkov: vulnerabilities and licenses, with the package in `vulnerability_details`. It must
 * never take a check of configuration for one.
 */

import { cvssOf, severityOf } from '../reading/cvss.ts';
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfSystem,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import type { KnownFields } from '../reading/finding.ts';
import { arrayAt, type JsonRecord, numberAt, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion, typeOfPackage } from '../reading/packages.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';

/** Returns the fields of the finding that come from the package; null for a check of something else. */
export function checkovPackageFacts(
  check: JsonRecord,
  { path, line }: { path: string | null; line: number | null },
  context: ParseContext,
): Partial<KnownFields> | null {
  const details = recordAt(check, 'vulnerability_details');
  const id = stringAt(details, 'id') ?? stringAt(details, 'license');
  if (id === null) return null;
  const named = packageOfName(
    ecosystemOf(details, path),
    stringAt(details, 'package_name'),
    stringAt(details, 'package_version'),
    context,
  );
  if (named === null) return null;
  const advisory = cleanName(id, context);
  const isLicense = stringAt(details, 'id') === null;
  const type = typeOfPackage(named);
  const score = numberAt(details, 'cvss');
  const severity = severityOf(stringAt(details, 'severity') ?? stringAt(check, 'severity'), score);
  return {
    type: isLicense ? 'license' : type,
    severity: severity === 'unknown' ? 'medium' : severity,
    title: safeTitle(`${advisory} in ${named.name}`, context),
    description: safeText(stringAt(details, 'description') ?? stringAt(check, 'description'), context),
    rule: advisory,
    advisories: [advisory],
    package: named,
    fixedVersions: fixesOf(details, named.purl, context),
    cvss: score === 0 ? null : cvssOf(score, stringAt(details, 'vector')),
    pathIsTarget: type === 'container',
    line: type === 'container' ? null : line,
    links: safeLinks([stringAt(details, 'link'), stringAt(check, 'guideline')]),
  };
}

function ecosystemOf(details: JsonRecord | null, path: string | null): PurlEcosystem {
  const packageType = stringAt(details, 'package_type') ?? '';
  const system = stringAt(recordAt(details, 'image_details'), 'distro') ?? '';
  return (
    (packageType.toLowerCase() === 'os'
      ? ecosystemOfSystem(system)
      : ecosystemOfPackageManager(packageType)) ??
    ecosystemOfFile(path ?? '') ?? { type: 'generic', namespace: null }
  );
}

/** The report has a list of versions, objects with one version each, or "fixed in 1.2.3, 2.0.1". */
function fixesOf(details: JsonRecord | null, purl: string, context: ParseContext): string[] {
  const listed = arrayAt(details, 'fixed_versions').map((entry) =>
    typeof entry === 'string' ? entry : stringAt(entry, 'version'),
  );
  const status = /^fixed in (.{1,400})$/i.exec(stringAt(details, 'status') ?? '')?.[1]?.split(',') ?? [];
  const lowest = stringAt(details, 'lowest_fixed_version');
  const versions = listed.length > 0 ? listed : status.length > 0 ? status : [lowest];
  const clean = versions
    .filter((version) => version !== null)
    .map((version) => plainVersion(purl, cleanName(version, context)));
  return [...new Set(clean.filter((version) => version !== '' && version.toUpperCase() !== 'N/A'))];
}
