/**
 * The normal form of a package: one spelling of its URL per distribution, and one spelling of its version per
 * ecosystem, so that several tools agree on one location. It must never read a report, and never compare versions.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { ReportInventoryPackage, ReportManifest, ReportPackage } from '../report.ts';
import { ecosystemOfSystem, type PurlEcosystem } from './ecosystems.ts';
import { joinLicenses } from './licenses.ts';
import type { ParseContext } from './limits.ts';
import { normalisePath } from './paths.ts';
import { barePurl, isSystemPurl, packagePurl } from './purl.ts';
import { cleanName } from './text.ts';

/** Returns null for an empty name. */
export function packageOfName(
  ecosystem: PurlEcosystem,
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  const cleaned = cleanName(name ?? '', context);
  const purl = cleaned === '' ? null : packagePurl(ecosystem.type, ecosystem.namespace, cleaned);
  return purl === null ? null : build(purl, cleaned, version, context);
}

/** Uses the name and version that the tool writes beside its package URL, or those of the URL. */
export function packageOfPurl(
  written: string | null,
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  const bare = written === null ? null : barePurl(written);
  if (bare === null) return null;
  if (name !== null && isLongerModule(bare, name)) {
    return packageOfName({ type: 'golang', namespace: null }, name, version ?? bare.version, context);
  }
  const named = build(inFamily(bare.purl), name ?? bare.name, version ?? bare.version, context);
  return bare.hasSubpath ? { ...named, hasSubpath: true } : named;
}

/**
 * The name of a component in a list of packages often has no namespace, so that of its package URL is used. Only the
 * name of a Go module may have more than the URL.
 */
export function listedPackage(
  written: string | null,
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  const named = packageOfPurl(written, null, version, context);
  return named !== null && name !== null && isLongerModule(named, name)
    ? packageOfPurl(written, name, version, context)
    : named;
}

/**
 * Syft keeps three segments of a Go module and treats the rest (`api`) as a path inside it. The name has all segments.
 */
function isLongerModule(named: Pick<ReportPackage, 'purl' | 'name'>, name: string): boolean {
  return (
    named.purl.startsWith('pkg:golang/') && name.toLowerCase().startsWith(`${named.name.toLowerCase()}/`)
  );
}

function build(purl: string, name: string, version: string | null, context: ParseContext): ReportPackage {
  const plain = version === null ? '' : plainVersion(purl, cleanName(version, context));
  return { purl, name: cleanName(name, context), version: plain === '' ? null : plain };
}

/** A distribution may have several names (`rhel`, `redhat`; `amzn`, `amazon`). The URL always gets one of them. */
function inFamily(purl: string): string {
  if (!isSystemPurl(purl)) return purl;
  const [type, namespace, name, ...more] = purl.slice('pkg:'.length).split('/');
  if (namespace === undefined || name === undefined || more.length > 0) return purl;
  const family = ecosystemOfSystem(namespace);
  return family?.namespace && family.type === type ? `pkg:${type}/${family.namespace}/${name}` : purl;
}

/** Removes the letters of Go's `v1.2.3` and `go1.2.3`, and an epoch of zero, as half of the tools do. */
export function plainVersion(purl: string, version: string): string {
  if (purl.startsWith('pkg:golang/')) return version.replace(/^(?:v|go)(?=[0-9])/, '');
  return isSystemPurl(purl) ? version.replace(/^0:(?=.)/, '') : version;
}

/** System packages come with an image, all others with the code. */
export function typeOfPackage(named: ReportPackage | null): VulnerabilityType {
  return named !== null && isSystemPurl(named.purl) ? 'container' : 'dependency';
}

/** Mentions that contradict each other leave the package without a release, so that no advisory matches it. */
function sharedDistribution(
  { distribution: a }: ReportInventoryPackage,
  { distribution: b }: ReportInventoryPackage,
): Pick<ReportInventoryPackage, 'distribution'> {
  const one = a === undefined ? b : a;
  if (one === undefined) return {};
  const isSame = a === undefined || b === undefined || (a?.purl === b?.purl && a?.version === b?.version);
  return { distribution: isSame ? one : null };
}

/**
 * Groups the packages of one file or image, each version once, and joins the facts of all its mentions. `type` is set
 * if the packages' own type does not say where they come from.
 */
export function newManifest(
  path: string,
  packages: readonly ReportInventoryPackage[],
  type: string | null = null,
): ReportManifest {
  const byKey = new Map<string, ReportInventoryPackage>();
  const counts = new Map<string, number>();
  for (const named of packages) {
    // A stored package without a version has an empty one.
    const key = JSON.stringify([named.purl, named.version ?? '']);
    const twin = byKey.get(key);
    if (twin === undefined) {
      byKey.set(key, named);
      const ecosystem = /^pkg:([^/]+)/.exec(named.purl)?.[1] ?? 'generic';
      counts.set(ecosystem, (counts.get(ecosystem) ?? 0) + 1);
      continue;
    }
    byKey.set(key, {
      ...twin,
      licenses: joinLicenses(twin.licenses, named.licenses),
      direct: twin.direct === true || named.direct === true ? true : (twin.direct ?? named.direct),
      ...sharedDistribution(twin, named),
    });
  }
  const [most] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  // The name of an image or of an artifact may be any text.
  return {
    path: normalisePath(path) ?? '.',
    type: type ?? most?.[0] ?? 'generic',
    packages: [...byKey.values()],
  };
}
