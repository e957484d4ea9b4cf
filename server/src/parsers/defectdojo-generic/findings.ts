/**
 * The reading of one generic finding. What it names decides its type: a package, a file, or web addresses. A finding
 * with several addresses gives one for each. Attached files, which may show anything, are not read.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { cvssOf, cvssOfVectors, severityOf } from '../reading/cvss.ts';
import { ecosystemOfFile } from '../reading/ecosystems.ts';
import { newEvidence } from '../reading/evidence.ts';
import { advisoriesIn, cwesOf, newFinding, sortAdvisories } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  asString,
  field,
  integerAt,
  type JsonRecord,
  numberAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, packageOfPurl, typeOfPackage } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import type { NoFinding } from '../reading/rows.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { isFingerprint, typeOfFamily } from '../reading/tools.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';

/** DefectDojo refuses other fields. */
export const knownFields = new Set(
  `title severity description date cwe cwes cve epss_score epss_percentile cvssv3 cvssv3_score cvssv4 cvssv4_score
  mitigation impact steps_to_reproduce severity_justification references active verified false_p duplicate out_of_scope
  risk_accepted under_review is_mitigated thread_id mitigated numerical_severity param payload line file_path
  component_name component_version static_finding dynamic_finding scanner_confidence unique_id_from_tool
  vuln_id_from_tool sast_source_object sast_sink_object sast_source_line sast_source_file_path nb_occurences
  publish_date service planned_remediation_date planned_remediation_version effort_for_fixing tags kev_date
  known_exploited ransomware_used fix_available fix_version endpoints files vulnerability_ids`.split(/\s+/),
);

/** Most fields are DefectDojo's. Other formats have findings with a title and a severity too. */
export function isGenericFinding(row: JsonRecord): boolean {
  const keys = Object.keys(row);
  const known = keys.filter((key) => knownFields.has(key)).length;
  const says = ['severity', 'description'].some((key) => typeof row[key] === 'string');
  return typeof field(row, 'title') === 'string' && says && keys.length - known < known;
}

export function readGenericFinding(
  row: JsonRecord,
  pointer: string,
  tool: string,
  context: ParseContext,
): ReportFinding[] | NoFinding {
  const title = stringAt(row, 'title');
  const description = stringAt(row, 'description');
  if (title === null && description === null) {
    return { unreadable: 'The finding has neither a title nor a description.' };
  }
  if (isTrue(row, 'is_mitigated') || stringAt(row, 'mitigated') !== null) {
    return { skip: 'Findings that are mitigated are counted and are no findings.' };
  }
  const ids = idsOf(row, context);
  const named = packageOf(row, context);
  const ownRule = cleanName(stringAt(row, 'vuln_id_from_tool') ?? '', context);
  const advisories = named !== null && ids.length === 0 && ownRule !== '' ? [ownRule] : ids;
  const { same, related } = sortAdvisories(advisories[0] ?? '', advisories.slice(1));
  const rule = (named === null ? ownRule || advisories[0] : (advisories[0] ?? ownRule)) ?? '';
  const locations = locationsOf(row, pointer, context);
  const cvss = cvssOfRow(row);
  const texts = [description, stringAt(row, 'impact'), stringAt(row, 'steps_to_reproduce')];
  const shared = newFinding({
    pointer,
    type: named === null ? typeOf(row, tool) : typeOfPackage(named),
    severity: severityOf(stringAt(row, 'severity'), cvss?.score ?? null),
    title: safeTitle(title ?? description ?? '', context) || rule || 'Finding without a title',
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    advisories: named === null || advisories.length === 0 ? [] : same,
    relatedAdvisories: named === null ? ids : related,
    package: named,
    fixedVersions: stringsAt(row, 'fix_version').map((version) => cleanName(version, context)),
    cvss,
    cwes: cwesOf([...stringsAt(row, 'cwe'), ...stringsAt(row, 'cwes')].slice(0, 100)),
    line: integerAt(row, 'line', 1),
    code: codeOf(row, named, advisories, context),
    fingerprint: fingerprintOf(row),
    links: safeLinks(addressesIn(stringAt(row, 'references') ?? '')),
    suppression: suppressionOf(row),
    sharedRow: locations.length > 1 ? pointer : null,
    evidence: newEvidence({ dataFlow: dataFlowOf(row), remediation: stringAt(row, 'mitigation') }, context),
  });
  return locations.map((path) => ({ ...shared, path }));
}

/** JSON has booleans or texts; DefectDojo reads both. */
function isTrue(row: JsonRecord, key: string): boolean {
  return field(row, key) === true || /^(?:t(?:rue)?|yes|1)$/i.test(stringAt(row, key)?.trim() ?? '');
}

function isFalse(row: JsonRecord, key: string): boolean {
  return field(row, key) === false || /^(?:f(?:alse)?|no|0)$/i.test(stringAt(row, key)?.trim() ?? '');
}

const reviews: readonly (readonly [string, string])[] = [
  ['false_p', 'Marked as a false positive.'],
  ['out_of_scope', 'Marked as out of scope.'],
  ['risk_accepted', 'Marked as an accepted risk.'],
  ['duplicate', 'Marked as a duplicate.'],
];

function suppressionOf(row: JsonRecord): ReportFinding['suppression'] {
  const reason =
    reviews.find(([key]) => isTrue(row, key))?.[1] ?? (isFalse(row, 'active') ? 'Marked as inactive.' : null);
  return reason === null ? null : { by: 'file', reason, expiresAt: null };
}

function typeOf(row: JsonRecord, tool: string): VulnerabilityType {
  const isInCode = ['file_path', 'sast_source_file_path', 'sast_sink_object'].some(
    (key) => stringAt(row, key) !== null,
  );
  if (isInCode) return typeOfFamily(tool) === 'iac' ? 'iac' : 'sast';
  if (arrayAt(row, 'endpoints').length > 0 || isTrue(row, 'dynamic_finding')) return 'dast';
  return isTrue(row, 'static_finding') ? 'sast' : 'other';
}

/** The ids of the list come first, because `cve` is the older field. */
function idsOf(row: JsonRecord, context: ParseContext): string[] {
  const written = [...stringsAt(row, 'vulnerability_ids'), ...stringsAt(row, 'cve')];
  const ids = written.map((id) => advisoriesIn(id)[0] ?? cleanName(id, context));
  return [...new Set(ids)].slice(0, 200);
}

function packageOf(row: JsonRecord, context: ParseContext): ReportPackage | null {
  const name = stringAt(row, 'component_name');
  const version = stringAt(row, 'component_version');
  const purl = packageOfPurl(name, null, version, context);
  const ecosystem = ecosystemOfFile(stringAt(row, 'file_path') ?? '') ?? { type: 'generic', namespace: null };
  return purl ?? packageOfName(ecosystem, name, version, context);
}

function cvssOfRow(row: JsonRecord): ReportFinding['cvss'] {
  for (const version of ['cvssv4', 'cvssv3']) {
    const vector = stringAt(row, version)?.trim() ?? null;
    const cvss =
      cvssOf(numberAt(row, `${version}_score`), vector) ?? (vector === null ? null : cvssOfVectors([vector]));
    if (cvss !== null) return cvss;
  }
  return null;
}

/** Returns the file, or each address once, or one unknown location. */
function locationsOf(row: JsonRecord, pointer: string, context: ParseContext): (string | null)[] {
  const file = stringAt(row, 'file_path') ?? stringAt(row, 'sast_source_file_path');
  if (file !== null) return [repositoryPath(file)];
  const endpoints = arrayAt(row, 'endpoints');
  context.addLocations(endpoints.length, pointer);
  const paths = endpoints.map(addressOf).map((address) => (address === null ? null : webLocation(address)));
  const known = new Set(paths.filter((path) => path !== null));
  return known.size === 0 ? [null] : [...known];
}

function addressOf(endpoint: unknown): string | null {
  const text = asString(endpoint);
  if (text !== null) return text;
  const record = asRecord(endpoint);
  const host = stringAt(record, 'host') ?? stringAt(record, 'fqdn');
  if (host === null) return null;
  const protocol = stringAt(record, 'protocol');
  const port = stringAt(record, 'port');
  const path = stringAt(record, 'path')?.replace(/^\/+/, '') ?? '';
  return `${protocol === null ? '' : `${protocol}://`}${host}${port === null ? '' : `:${port}`}/${path}`;
}

/** The documentation says that DefectDojo recognises the finding by the tool's id. */
function fingerprintOf(row: JsonRecord): ReportFinding['fingerprint'] {
  const value = stringAt(row, 'unique_id_from_tool')?.trim() ?? '';
  return isFingerprint(value) ? { scheme: 'unique_id_from_tool', value, pathFree: false } : null;
}

/** The name of the location: the end of the flow, or the parameter. A package without an advisory names itself. */
function codeOf(
  row: JsonRecord,
  named: ReportPackage | null,
  advisories: readonly string[],
  context: ParseContext,
): string | null {
  if (named !== null) return advisories.length === 0 ? safeCode(named.purl, context) : null;
  return safeCode(stringAt(row, 'sast_sink_object') ?? stringAt(row, 'param'), context);
}

function dataFlowOf(row: JsonRecord): { path: string | null; line: number | null; text: string | null }[] {
  const source = stringAt(row, 'sast_source_file_path');
  const sourceObject = stringAt(row, 'sast_source_object');
  if (source === null && sourceObject === null) return [];
  return [
    {
      path: repositoryPath(source),
      line: integerAt(row, 'sast_source_line', 1),
      text: sourceObject,
    },
    {
      path: repositoryPath(stringAt(row, 'file_path')),
      line: integerAt(row, 'line', 1),
      text: stringAt(row, 'sast_sink_object'),
    },
  ];
}
