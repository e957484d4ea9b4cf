/** The vulnerable components of Veracode's software composition analysis: their packages, and where they lie. */
import { cvssOf, cvssOfVector } from '../reading/cvss.ts';
import { ecosystemOfFile, ecosystemOfPackageManager, type PurlEcosystem } from '../reading/ecosystems.ts';
import { advisoriesIn, cwesOf, newFinding, severityOfScore } from '../reading/finding.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, typeOfPackage } from '../reading/packages.ts';
import { normalisePath } from '../reading/paths.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import { type Row, severityOfNumber } from './flaws.ts';

export interface VulnerableComponent {
  /** `maven:com.example:hose:4.1:`; older reports have none. */
  id: string | null;
  fileName: string | null;
  version: string | null;
  /** `JAVA`, `JAVASCRIPT` */
  language: string | null;
  paths: readonly string[];
}

export interface ComponentVulnerability {
  pointer: string;
  advisory: string | null;
  severity: number | null;
  score: number | null;
  vector: string | null;
  cwe: string | null;
  description: string | null;
  links: readonly (string | null)[];
  suppression: ReportFinding['suppression'];
}

export function readComponentVulnerability(
  vulnerability: ComponentVulnerability,
  component: VulnerableComponent,
  context: ParseContext,
): Row {
  const { pointer, advisory, suppression } = vulnerability;
  const named = packageOf(component, context);
  if (advisory === null) return { unreadable: 'The vulnerability has no id.' };
  if (named === null) return { unreadable: 'The component has no name.' };
  const id = advisoriesIn(advisory)[0] ?? cleanName(advisory, context);
  const cvss =
    cvssOf(vulnerability.score, vulnerability.vector) ??
    (vulnerability.vector === null ? null : cvssOfVector(vulnerability.vector));
  const severity = severityOfNumber(vulnerability.severity);
  const shared = newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: severity === 'unknown' ? (severityOfScore(cvss?.score ?? null) ?? severity) : severity,
    title: safeTitle(`${id} in ${named.name}`, context),
    description: safeText(vulnerability.description, context),
    rule: id,
    advisories: [id],
    package: named,
    cvss: cvss?.score === 0 ? null : cvss,
    cwes: cwesOf([vulnerability.cwe]),
    links: safeLinks(vulnerability.links),
    suppression,
  });
  context.addLocations(component.paths.length - 1, pointer);
  const paths = [...new Set(component.paths.map((path) => locationOf(path)))].sort();
  if (paths.length < 2) return [{ ...shared, path: paths[0] ?? null }];
  return paths.map((path) => ({ ...shared, path, sharedRow: pointer }));
}

function packageOf(component: VulnerableComponent, context: ParseContext): ReportPackage | null {
  const { id, version } = component;
  const file = component.fileName?.trim().slice(0, 500) ?? '';
  const [manager = '', ...parts] = (id ?? '').slice(0, 1000).split(':');
  const known = ecosystemOfPackageManager(manager);
  if (known !== null) {
    const names = parts.filter((part) => part !== '' && part !== version);
    const name = names.slice(0, 2).join(known.type === 'maven' ? ':' : '/');
    if (name !== '') return packageOfName(known, name, version, context);
  }
  const ecosystem: PurlEcosystem = ecosystemOfPackageManager(component.language ?? '') ??
    ecosystemOfFile(file) ?? { type: 'generic', namespace: null };
  return packageOfName(ecosystem, withoutVersion(file, version), version, context);
}

/** `hose-4.1.jar` is `hose`. */
function withoutVersion(file: string, version: string | null): string {
  const name = file.replace(/\.(?:jar|war|ear|dll|gem|whl|tgz|zip)$/i, '');
  const end = version === null ? -1 : name.lastIndexOf(version);
  const isLast = end > 0 && end + (version ?? '').length === name.length;
  return isLast ? name.slice(0, end).replace(/[-_.@]+$/, '') : name;
}

/**
 * `shed/pom.xml/garden.green:hose` is a package of a manifest, `shed.war#zip:WEB-INF/lib/hose.jar` one in an archive.
 */
function locationOf(path: string): string | null {
  const normal = normalisePath(path.replaceAll(/#(?:zip|jar|tar|gz):/g, '/'));
  const segments = (normal ?? '').split('/');
  const manifest = segments.findIndex(
    (segment) => ecosystemOfFile(segment) !== null && !/\.(?:jar|war|ear|par|whl|egg)$/i.test(segment),
  );
  return manifest === -1 ? normal : segments.slice(0, manifest + 1).join('/');
}
