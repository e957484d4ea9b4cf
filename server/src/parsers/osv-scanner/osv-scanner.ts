/**
 * OSV-Scanner's JSON: sources, their packages, and the OSV records of each. Versions 1 and 2 share the shape. It must
 * never use the list of packages as an inventory if it may hold only the vulnerable ones.
 */

import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { advisoryPurl, isOfModule, knownAs } from '../reading/distributions.ts';
import { newFinding, newRun } from '../reading/finding.ts';
import { imageCategory, parseImage, unnamedImageCategory } from '../reading/images.ts';
import {
  arrayAt,
  asRecord,
  asString,
  field,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest, packageOfName } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import { newReport, readRows } from '../reading/rows.ts';
import { cleanName, safeTitle } from '../reading/text.ts';
import type {
  Report,
  ReportFinding,
  ReportInventoryPackage,
  ReportManifest,
  ReportPackage,
} from '../report.ts';
import { ofOsv } from './ecosystems.ts';
import { type OsvEntry, osvGroupsOf, readOsvVulnerability } from './records.ts';

export const osvScanner: Format = {
  name: 'osv-scanner',
  marks: ['results', 'experimental_config'],
  recognises,
  alsoReads: ({ json }) => isEmptyAnswer(json),
  parse,
};

const topFields = new Set([
  'results',
  'experimental_config',
  'experimental_generic_findings',
  'image_metadata',
  'license_summary',
]);

function recognises({ json }: ReportDocument): boolean {
  const results = field(json, 'results');
  if (!Array.isArray(results)) return false;
  // Other tools write an empty list of results too, with nothing beside it.
  if (results.length === 0) return isEmptyAnswer(json) && Object.keys(json).length > 1;
  const first: unknown = results.find((result) => asRecord(result) !== null);
  return recordAt(first, 'source') !== null && Object.hasOwn(asRecord(first) ?? {}, 'packages');
}

function isEmptyAnswer(json: unknown): json is JsonRecord {
  const results = field(json, 'results');
  const isEmpty = Array.isArray(results) && results.length === 0;
  return isEmpty && Object.keys(asRecord(json) ?? {}).every((key) => topFields.has(key));
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const manifests: ReportManifest[] = [];
  /** Maps a category to the name of its image. */
  const images = new Map<string, string>();
  let listsHarmless = false;
  for (const [index, result] of arrayAt(json, 'results').entries()) {
    const source = recordAt(result, 'source');
    const named = stringAt(source, 'path');
    const isImage = stringAt(source, 'type') === 'docker';
    if (isImage && named !== null) images.set(imageCategory(named), named);
    const location = { path: repositoryPath(named), pathIsTarget: isImage };
    const listed: ReportInventoryPackage[] = [];
    const packages = listAt(result, 'packages', `/results/${index}`, context);
    for (const [at, row] of packages.entries()) {
      const pointer = `/results/${index}/packages/${at}`;
      const record = asRecord(row);
      if (record === null) {
        context.addRows(1, pointer);
        context.addUnreadable(pointer, 'The package is not an object.');
        continue;
      }
      const entry = { record, pointer, package: packageOf(record, context), location };
      findings.push(...readPackage(entry, context));
      listsHarmless ||= arrayAt(record, 'vulnerabilities').length === 0;
      if (entry.package !== null) {
        const licenses = licensesOf(stringsAt(record, 'licenses'), context);
        listed.push({ ...entry.package, licenses, direct: null, ...distributionOf(entry.package, record) });
      }
    }
    if (listed.length > 0) manifests.push(newManifest(location.path ?? '.', listed));
  }
  const [image = null] = images.size === 1 ? images.values() : [];
  if (arrayAt(json, 'experimental_generic_findings').length > 0) {
    context.warn('Findings in experimental_generic_findings are not read.');
  }
  return newReport(osvScanner.name, context, [
    newRun({
      tool: 'osv-scanner',
      category: cleanName(categoryOf(json, [...images.keys()]), context),
      showsScan: arrayAt(json, 'results').length > 0,
      findings,
      analysisTypes: analysisTypesOf(json, images.size > 0),
      image: parseImage(image),
      // Without `--all-packages` the report lists only vulnerable packages, so it is no inventory.
      manifests: listsHarmless ? manifests : [],
    }),
  ]);
}

/** Version 2 describes the image and does not name it. Its scans must not share a series with those of the source. */
function categoryOf(json: unknown, images: readonly string[]): string {
  if (images.length === 0) return recordAt(json, 'image_metadata') === null ? '' : unnamedImageCategory;
  const [only = '', ...others] = images;
  return others.length === 0 ? only : '';
}

/** Packages are always included; licenses only if the report lists the allowed ones. */
function analysisTypesOf(json: unknown, named: boolean): VulnerabilityType[] {
  const licenses = recordAt(recordAt(json, 'experimental_config'), 'licenses');
  const isImage = named || recordAt(json, 'image_metadata') !== null;
  return [
    'dependency',
    ...(isImage ? (['container'] as const) : []),
    ...(arrayAt(licenses, 'allowlist').length > 0 ? (['license'] as const) : []),
  ];
}

function readPackage(entry: OsvEntry, context: ParseContext): ReportFinding[] {
  const { record, pointer } = entry;
  const groups = osvGroupsOf(record);
  const vulnerabilities = listAt(record, 'vulnerabilities', pointer, context);
  const findings = readRows(vulnerabilities, `${pointer}/vulnerabilities`, context, (row, at) => {
    const id = stringAt(row, 'id');
    const vulnerability = asRecord(row);
    if (vulnerability === null || id === null) return { unreadable: 'The vulnerability has no id.' };
    return readOsvVulnerability(vulnerability, id, at, entry, groups.get(id) ?? null, context);
  });
  const violations = listAt(record, 'license_violations', pointer, context);
  const licenses = readRows(violations, `${pointer}/license_violations`, context, (violation, at) => {
    const finding = readLicense(asString(violation), at, entry, context);
    return finding ?? { unreadable: 'The license or its package has no name.' };
  });
  return [...findings, ...licenses];
}

function readLicense(
  license: string | null,
  pointer: string,
  entry: OsvEntry,
  context: ParseContext,
): ReportFinding | null {
  if (license === null || entry.package === null) return null;
  const name = cleanName(license, context);
  return newFinding({
    pointer,
    type: 'license',
    severity: 'unknown',
    title: safeTitle(`${name} in ${entry.package.name}`, context),
    rule: name,
    advisories: [name],
    package: entry.package,
    ...entry.location,
  });
}

/** The report has the ecosystem and name of OSV, so advisories use the same. */
function distributionOf(
  { purl, version }: ReportPackage,
  record: JsonRecord,
): Pick<ReportInventoryPackage, 'distribution'> {
  const listed = advisoryPurl(purl, stringAt(recordAt(record, 'package'), 'ecosystem') ?? '');
  if (listed === null || listed === purl || version === null || isOfModule(version)) return {};
  const distribution = knownAs(listed, version);
  return distribution === null ? {} : { distribution };
}

function packageOf(record: JsonRecord, context: ParseContext): ReportPackage | null {
  const named = recordAt(record, 'package');
  const ecosystem = ofOsv(stringAt(named, 'ecosystem') ?? '');
  const version = stringAt(named, 'version') ?? stringAt(named, 'commit');
  return packageOfName(ecosystem, stringAt(named, 'name'), version, context);
}
