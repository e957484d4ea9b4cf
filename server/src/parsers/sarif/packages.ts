/**
 * The packages in SARIF. The format has no field for them, so each dependency scanner writes them into a different
 * text. It must never invent a package: an unknown value stays null.
 */
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfPackageName,
  ecosystemOfSystem,
  ecosystemOfSystemVersion,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import { advisoriesIn, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, asString, field, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainVersion } from '../reading/packages.ts';
import { barePurl, isSystemPurl, packagePurl } from '../reading/purl.ts';
import type { ReportPackage } from '../report.ts';
import { checkmarxPackage } from './checkmarx.ts';
import { checkovPackage } from './checkov.ts';
import type { SarifLocation } from './locations.ts';
import type { SarifRule } from './rules.ts';

export interface PackageFacts {
  package: ReportPackage | null;
  /** A system package: the finding has the type `container`, and its location is the image. */
  isSystem: boolean;
  /** The id as reported comes first, then the ids that mean the same. */
  advisories: string[];
  related: string[];
  fixedVersions: string[];
}

interface Named {
  name: string;
  version: string | null;
}

export function sarifPackageFacts(
  ruleId: string,
  rule: SarifRule | null,
  message: string,
  location: SarifLocation,
  result: JsonRecord,
  context: ParseContext,
): PackageFacts {
  const said = labels(message);
  const helped = labels(rule?.help ?? '');
  const label = (name: string): string | null => said.get(name) ?? helped.get(name) ?? null;
  const purl =
    purlOf(rule, location, result) ?? goModule(message, result) ?? checkmarxPackage(ruleId, message, context);
  const inRule = checkovPackage(ruleId);
  const named = inRule ?? namedIn(message, location, label);
  const isSystemRule = rule?.name === 'OsPackageVulnerability';
  const found = purl ?? (named === null ? null : build(named, rule, location, label, isSystemRule));
  const fixed =
    label('fixed version') ??
    label('fix version') ??
    label('fixed versions') ??
    // Checkov writes "fixed in 1.2.3, 2.0.1".
    /^fixed in (.+)$/i.exec(label('status') ?? '')?.[1] ??
    '';
  return {
    package: found,
    isSystem: isSystemRule || (found !== null && isSystemPurl(found.purl)),
    ...advisoriesOf(inRule?.advisory ?? ruleId, rule, message),
    fixedVersions: fixed
      .split(',')
      .map((version) => version.trim().slice(0, 200))
      .filter((version) => version !== ''),
  };
}

/**
 * Reads `Key: value` lines, with keys in lower case and the first of each key. Trivy, Grype and Snyk write such lists.
 */
function labels(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.slice(0, 4000).split('\n', 40)) {
    const match = /^[*\s-]{0,8}([A-Za-z][A-Za-z ]{0,30}):[ \t]*(\S.{0,300})?$/.exec(line.trimEnd());
    const key = match?.[1]?.toLowerCase();
    const value = match?.[2]?.trim();
    if (key !== undefined && value !== undefined && !found.has(key)) found.set(key, value);
  }
  return found;
}

function purlOf(rule: SarifRule | null, location: SarifLocation, result: JsonRecord): ReportPackage | null {
  const properties = [
    recordAt(result, 'properties'),
    recordAt(location.artifact, 'properties'),
    recordAt(rule?.record, 'properties'),
  ];
  const texts = [
    ...location.names,
    ...properties.flatMap((record) => [
      ...stringsAt(record, 'purl'),
      ...stringsAt(record, 'purls'),
      // dependency-check numbers its names for a file.
      ...stringsAt(record, 'id1'),
    ]),
  ];
  for (const text of texts.slice(0, 20)) {
    const bare = barePurl(text);
    if (bare !== null) return bare;
  }
  return null;
}

/**
 * govulncheck names the module with its version in the frames of a call or import (`golang.org/x/text@v0.3.0`), and the
 * packages that the code uses, or a module that it only requires, in the message.
 */
function goModule(message: string, result: JsonRecord): ReportPackage | null {
  const named =
    /^Your code (?:calls|imports|depends on)\b.{0,200}? vulnerable .{0,200}?\(([^()\s,]{1,300})/.exec(
      message.slice(0, 2000),
    )?.[1];
  if (named === undefined) return null;
  const frames = [
    ...arrayAt(result, 'codeFlows').flatMap((flow) =>
      arrayAt(flow, 'threadFlows').flatMap((thread) => arrayAt(thread, 'locations')),
    ),
    ...arrayAt(result, 'stacks').flatMap((stack) => arrayAt(stack, 'frames')),
  ];
  const modules = frames.slice(0, 1000).flatMap((frame) => stringAt(frame, 'module') ?? []);
  // A package of the standard library has no dot in its first part.
  const isStandard = !/^[^/]*\./.test(named);
  const module = modules.find((text) => {
    const [path] = text.split('@');
    return path === named || named.startsWith(`${path}/`) || (isStandard && path === 'stdlib');
  });
  const [name = '', version = null] = (module ?? (isStandard ? 'stdlib' : named)).split('@');
  const purl = packagePurl('golang', null, name);
  return purl === null
    ? null
    : { purl, name, version: version === null ? null : plainVersion(purl, version) };
}

// These are the sentences of older and newer Grype and of OSV-Scanner. They are bounded, because a message may be a
// megabyte.
const sentences = [
  /reports (?<name>\S{1,300}) at version (?<version>\S{1,200})/,
  / package: (?<name>[^\s,]{1,300}), version (?<version>\S{1,200}) was found/,
  /^Package '(?<name>[^'\n]{1,300})@(?<version>[^@'\n]{1,200})' is vulnerable/,
];

function namedIn(
  message: string,
  location: SarifLocation,
  label: (name: string) => string | null,
): Named | null {
  const package_ = label('package');
  const installed = label('installed version');
  if (package_ !== null && installed !== null) return { name: package_, version: installed };
  const start = message.slice(0, 2000);
  for (const sentence of sentences) {
    const groups = sentence.exec(start)?.groups;
    if (groups?.name !== undefined) return { name: groups.name, version: groups.version ?? null };
  }
  for (const name of location.names) {
    const at = name.lastIndexOf('@');
    if (at > 0) return { name: name.slice(0, at), version: name.slice(at + 1) };
  }
  const name = package_ ?? label('vulnerable module');
  return name === null ? null : { name, version: label('version') };
}

function build(
  named: Named,
  rule: SarifRule | null,
  location: SarifLocation,
  label: (name: string) => string | null,
  isSystem: boolean,
): ReportPackage | null {
  // Trivy's SARIF does not name the distribution.
  const ecosystem = (isSystem ? ecosystemOfSystemVersion(named.version ?? '') : null) ??
    ecosystemOfLabels(label, rule) ??
    (isSystem || location.path === null ? null : ecosystemOfFile(location.path)) ??
    ecosystemOfPackageName(named.name) ?? { type: 'generic', namespace: null };
  const purl = packagePurl(ecosystem.type, ecosystem.namespace, named.name);
  return purl === null ? null : { purl, name: named.name, version: named.version };
}

function ecosystemOfLabels(
  label: (name: string) => string | null,
  rule: SarifRule | null,
): PurlEcosystem | null {
  for (const text of [label('type'), label('package manager'), ...(rule?.tags ?? [])]) {
    const ecosystem = text === null ? null : ecosystemOfPackageManager(text);
    if (ecosystem === null) continue;
    if (!['deb', 'rpm', 'apk'].includes(ecosystem.type)) return ecosystem;
    // Examples: Grype "debian:distro:debian:10", Snyk "SNYK-DEBIAN10-APT-123".
    const system = label('data namespace') ?? /^SNYK-([A-Z]+)/.exec(rule?.id ?? '')?.[1] ?? '';
    return ecosystemOfSystem(system) ?? ecosystem;
  }
  return null;
}

function advisoriesOf(
  ruleId: string,
  rule: SarifRule | null,
  message: string,
): Pick<PackageFacts, 'advisories' | 'related'> {
  const written = advisoriesIn(ruleId)[0];
  // Grype joins the advisory and the package into one id. Other ids stay as they are.
  const id =
    written !== undefined && ruleId.toUpperCase().startsWith(written.toUpperCase()) ? written : ruleId;
  if (id === '') return { advisories: [], related: [] };
  const full = field(recordAt(rule?.record, 'fullDescription'), 'text');
  // Snyk begins with "(CVE-2017-0247, CVE-2017-0248) package@1". OSV-Scanner writes "(also known as '…')".
  const opened = /^\(((?:CVE|GHSA)-[^)]{1,1000})\)/.exec(asString(full) ?? '')?.[1] ?? '';
  const known = /\(also known as ([^)]{1,1000})\)/.exec(message.slice(0, 4000))?.[1] ?? '';
  const { same, related } = sortAdvisories(id, [
    ...advisoriesIn(opened),
    ...advisoriesIn(known),
    ...stringsAt(rule?.record, 'deprecatedIds').flatMap(advisoriesIn),
    // govulncheck has the names of an advisory among the tags of its rule.
    ...(rule?.tags ?? []).filter((tag) => advisoriesIn(tag)[0] === tag),
  ]);
  return { advisories: same, related };
}
