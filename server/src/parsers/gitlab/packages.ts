/**
 * GitLab's rows about packages. The ecosystem of a package comes from the manifest, from the operating system, or from
 * what the scanner names as its target in the image.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { advisoryTitle } from '../reading/advisory-title.ts';
import { cvssOfVectors } from '../reading/cvss.ts';
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfPackageName,
  ecosystemOfSystem,
  ecosystemOfSystemVersion,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import { newEvidence } from '../reading/evidence.ts';
import { newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion, typeOfPackage } from '../reading/packages.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { cleanName, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import { type DependencyFiles, ecosystemName } from './dependency-files.ts';
import { type Facts, linksOf, remediationOf } from './facts.ts';
import { advisoriesOf, cwesOfIdentifiers } from './identifiers.ts';

export function packageFinding(
  facts: Facts,
  kind: 'dependency' | 'container',
  context: ParseContext,
): ReportFinding {
  const { pointer, row, location, identifiers, scan, name, description } = facts;
  const dependency = recordAt(location, 'dependency');
  const file = stringAt(location, 'file');
  const named = packageOf(location, kind, scan.files, context);
  const [id = '', ...others] = advisoriesOf(row, identifiers, context);
  const { same, related } = id === '' ? { same: [], related: [] } : sortAdvisories(id, others);
  const self = named === null ? '' : `${named.name}@${named.version ?? '?'}`;
  return newFinding({
    pointer,
    // An image contains packages of its system and of programs. Only those of the system count as the image's.
    type: kind === 'dependency' || named === null ? kind : packageType(named),
    severity: severityOfLabel(stringAt(row, 'severity')),
    title: advisoryTitle({ summary: name, description }, id || 'Vulnerability', named?.name ?? null, context),
    description: safeText(description ?? name, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: fixesIn(stringAt(row, 'solution'), named?.purl ?? '', context),
    cvss: cvssOfVectors(vectorsOf(row)),
    cwes: cwesOfIdentifiers(identifiers),
    ...locationOf(location),
    links: linksOf(facts),
    evidence: newEvidence(
      {
        remediation: remediationOf(facts),
        dependencyPaths: [scan.files.chainTo(dependency, file, self)],
      },
      context,
    ),
  });
}

/** Returns the resource of a cluster, the manifest, or the image as the target of the scan. */
function locationOf(location: JsonRecord | null): Pick<ReportFinding, 'path' | 'pathIsTarget'> {
  const file = stringAt(location, 'file');
  const image = stringAt(location, 'image') ?? '';
  const resource = resourceOf(location);
  if (resource !== null) return { path: resource, pathIsTarget: false };
  if (file !== null) return { path: repositoryPath(file), pathIsTarget: false };
  return { path: normalisePath(image), pathIsTarget: ecosystemOfFile(image) === null };
}

function packageType(named: NonNullable<ReportFinding['package']>): VulnerabilityType {
  return named.purl.startsWith('pkg:generic/') ? 'container' : typeOfPackage(named);
}

/** GitLab's and Trivy's sentences: "Upgrade apt from 1.4.8 to 1.4.9", "Upgrade to versions 1.2, 2.0 or above." */
function fixesIn(solution: string | null, purl: string, context: ParseContext): string[] {
  const listed = /^Upgrade\b[^\n]{0,300}?\bto (?:versions? )?([^\n]{1,300})$/im.exec(
    solution?.slice(0, 2000) ?? '',
  )?.[1];
  const versions = (listed ?? '')
    .replace(/\.?\s*$/, '')
    .split(/,|\bor\b|\band\b/)
    .map((version) => version.trim())
    .filter((version) => /^v?[0-9][\w.+~:-]{0,100}$/.test(version));
  return [...new Set(versions.map((version) => plainVersion(purl, cleanName(version, context))))];
}

function vectorsOf(row: JsonRecord): string[] {
  return arrayAt(row, 'cvss_vectors')
    .slice(0, 20)
    .map((vector) => stringAt(vector, 'vector'))
    .filter((vector) => vector !== null);
}

function packageOf(
  location: JsonRecord | null,
  kind: 'dependency' | 'container',
  files: DependencyFiles,
  context: ParseContext,
): ReportPackage | null {
  const dependency = recordAt(location, 'dependency');
  const name = stringAt(recordAt(dependency, 'package'), 'name');
  const version = stringAt(dependency, 'version');
  const file = stringAt(location, 'file');
  const target = stringAt(location, 'image') ?? '';
  const ecosystem: PurlEcosystem = (file === null
    ? null
    : (files.ecosystemOf(file) ?? ecosystemOfFile(file))) ??
    ecosystemOfSystem(stringAt(location, 'operating_system') ?? '') ??
    (isImage(target) ? null : (ecosystemOfPackageManager(target) ?? ecosystemOfFile(target))) ??
    (kind === 'container' ? ecosystemOfSystemVersion(version ?? '') : null) ??
    ecosystemOfPackageName(name ?? '') ?? { type: 'generic', namespace: null };
  return packageOfName(ecosystem, ecosystemName(ecosystem, name), version, context);
}

/** Trivy's template writes its own targets as the image: a lock file in the image, or one of these kinds. */
const kinds = /^(?:OS Packages|Node\.js|Java|Python|Ruby|Go|Rust|PHP|Conda|Julia|C#|\.NET|Dart)$/;

export function isImage(target: string): boolean {
  return target !== '' && !kinds.test(target) && ecosystemOfFile(target) === null;
}

/** Returns the resource of a cluster that runs the image: namespace, kind, name and container. */
export function resourceOf(location: JsonRecord | null): string | null {
  const resource = recordAt(location, 'kubernetes_resource');
  const names = ['namespace', 'kind', 'name', 'container_name'].map((key) => stringAt(resource, key));
  const path = normalisePath(names.filter((name) => name !== null).join('/'));
  return path === '' ? null : path;
}
