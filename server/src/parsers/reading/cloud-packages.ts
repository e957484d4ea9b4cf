/**
 * The packages and resources of cloud services: the words that Amazon Inspector has for package managers and systems,
 * and the name of a resource that stays the same while its content changes. It must never read a report.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfSystem,
  type PurlEcosystem,
} from './ecosystems.ts';
import { type KnownFields, newFinding, sortAdvisories } from './finding.ts';
import type { ParseContext } from './limits.ts';
import { packageOfName, packageOfPurl, plainVersion, typeOfPackage } from './packages.ts';
import { normalisePath } from './paths.ts';
import { cleanName, safeCode } from './text.ts';

export interface CloudResource {
  id: string | null;
  region: string | null;
}

/**
 * Gives the resource with its region and without digest, version and account: `eu-west-1/shed-image`. The account is in
 * the run's category.
 */
export function resourceName({ id, region }: CloudResource): string | null {
  const text = (id ?? '').trim().slice(0, 2048);
  const name =
    /:repository\/(.+?)\/sha256:[0-9a-f]+$/.exec(text)?.[1] ??
    /:function:([^:]+)/.exec(text)?.[1] ??
    /:instance\/([^/]+)$/.exec(text)?.[1] ??
    text;
  const regional = region === null || /^(?:global|n\/?a)$/i.test(region) ? name : `${region}/${name}`;
  return name === '' ? null : normalisePath(regional);
}

/** A finding that names no resource still has one location, of which nothing is known. */
export function locatedResources(resources: readonly CloudResource[]): readonly CloudResource[] {
  return resources.length === 0 ? [{ id: null, region: null }] : resources;
}

/**
 * Gives the location of a finding about the resource itself. Its name is the code too, so that the resource is part of
 * the evidence. An identifier that is not worldwide is told apart by its region.
 */
export function resourceLocation(
  { id, region }: CloudResource,
  context: ParseContext,
): Pick<ReportFinding, 'path' | 'code'> {
  if (id === null) return { path: null, code: null };
  const isUnique = /^arn:|^\/subscriptions\//i.test(id.trim());
  const code = isUnique || region === null ? id : `${id} ${region}`;
  return { path: normalisePath(cleanName(id, context)), code: safeCode(cleanName(code, context), context) };
}

export interface CloudPackage {
  purl: string | null;
  name: string | null;
  version: string | null;
  release: string | null;
  epoch: string | null;
  /** `OS`, `NPM`, `PYTHONPKG`, `GENERIC`, … */
  manager: string | null;
  /** The system of the resource: `DEBIAN_10`, `AMAZON_LINUX_2`. */
  platform: string | null;
  file: string | null;
  fixedIn: readonly string[];
}

const managers: Readonly<Record<string, string>> = {
  pythonpkg: 'python-pkg',
  nodepkg: 'node-pkg',
  dotnet_core: 'dotnet-core',
  gobinary: 'gobinary',
};

function isOfSystem({ manager }: CloudPackage): boolean {
  return /^(?:os|deb|dpkg|apt|rpm|yum|apk)$/i.test((manager ?? '').trim());
}

/** Returns null for a package without a name. */
function cloudPackage(written: CloudPackage, context: ParseContext): ReportPackage | null {
  const version = versionOf(written);
  const named = packageOfPurl(written.purl, written.name, version, context);
  if (named !== null) return named;
  // Go's own library is `go/stdlib` in Inspector and `stdlib` in other tools.
  if (written.name === 'go/stdlib') {
    return packageOfName({ type: 'golang', namespace: null }, 'stdlib', version, context);
  }
  return packageOfName(ecosystemOf(written), written.name, version, context);
}

function ecosystemOf(written: CloudPackage): PurlEcosystem {
  const manager = (written.manager ?? '').trim().toLowerCase();
  const system = ecosystemOfSystem((written.platform ?? '').replaceAll('_', ' '));
  if (isOfSystem(written) && system !== null) return system;
  const ecosystem =
    ecosystemOfPackageManager(Object.hasOwn(managers, manager) ? (managers[manager] ?? '') : manager) ??
    ecosystemOfFile(written.file ?? '');
  return ecosystem ?? { type: 'generic', namespace: null };
}

/** A system package has its release after the version, and its epoch before it. */
function versionOf({ version, release, epoch }: CloudPackage): string | null {
  if (version === null) return null;
  const isEpoch = epoch !== null && epoch !== '0' && !version.includes(':');
  return `${isEpoch ? `${epoch}:` : ''}${version}${release === null ? '' : `-${release}`}`;
}

/** The facts about a vulnerability that all its packages share. */
export type CloudAdvisory = Pick<ReportFinding, 'pointer' | 'severity' | 'title'> &
  Partial<KnownFields> & {
    id: string;
    others: readonly string[];
  };

/** A distribution's advisory names some dozens of CVEs at most. Each finding keeps them all. */
const maxOthers = 200;

/** Returns a finding for each package on each resource. Null if no package has a name. */
export function packageFindings(
  advisory: CloudAdvisory,
  packages: readonly CloudPackage[],
  resources: readonly CloudResource[],
  context: ParseContext,
): ReportFinding[] | null {
  const { id, others, ...facts } = advisory;
  const located = locatedResources(resources);
  context.addLocations(packages.length * located.length, advisory.pointer);
  const { same, related } = sortAdvisories(id, others.slice(0, maxOthers));
  const findings: ReportFinding[] = [];
  for (const written of packages) {
    const named = cloudPackage(written, context);
    if (named === null) continue;
    const type: VulnerabilityType = isOfSystem(written) ? 'container' : typeOfPackage(named);
    const fixedVersions = fixesOf(written, named, context);
    for (const resource of located) {
      findings.push(
        newFinding({
          ...facts,
          type,
          rule: id,
          advisories: same,
          relatedAdvisories: related,
          package: named,
          fixedVersions,
          path: joined(resourceName(resource), written.file),
        }),
      );
    }
  }
  if (findings.length > 1) for (const finding of findings) finding.sharedRow = advisory.pointer;
  return findings.length === 0 ? null : findings;
}

function joined(resource: string | null, file: string | null): string | null {
  const parts = [resource, file].filter((part) => part !== null);
  return parts.length === 0 ? null : normalisePath(parts.join('/'));
}

function fixesOf(written: CloudPackage, named: ReportPackage, context: ParseContext): string[] {
  return written.fixedIn
    .flatMap((text) => text.slice(0, 500).split(','))
    .map((version) => plainVersion(named.purl, cleanName(version, context)))
    .map((version) => (isOfSystem(written) ? version.replace(/^0:(?=.)/, '') : version))
    .filter((version) => /[0-9]/.test(version));
}
