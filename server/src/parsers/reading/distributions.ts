/**
 * The releases of distributions, as reports and OSV write them, and the names that advisories of a release give to a
 * package. An advisory of one release says nothing about another, so a text that is not surely a release is none.
 */
import type { DistributionPackage, ReportInventoryPackage, ReportPackage } from '../report.ts';
import { packagePurl } from './purl.ts';

interface Distribution {
  type: 'deb' | 'rpm' | 'apk';
  /** The release in OSV's ecosystem, after the first colon. The group is the release as it is stored. */
  osv: RegExp;
  /**
   * The release in a report, in lower case: that of a package URL (`debian-12.4`), or of an operating system (`12.4`).
   */
  written: RegExp;
  /** Advisories name source packages. Otherwise they name the packages that are installed. */
  namesSources: boolean;
}

// The names of the releases are those of https://ossf.github.io/osv-schema/#defined-ecosystems. Left out are those that
// a report does not tell apart: the products of Red Hat and SUSE, the services of Ubuntu Pro, and the service packs of
// openEuler.
const distributions: ReadonlyMap<string, Distribution> = new Map(
  Object.entries({
    alma: {
      type: 'rpm',
      osv: /^(\d+)$/,
      written: /^(?:alma(?:linux)?-)?(\d+)(?:\.\d+)*$/,
      // The schema says sources, but its records name each package that is installed.
      namesSources: false,
    },
    alpine: {
      type: 'apk',
      osv: /^v(\d+\.\d+)$/,
      written: /^(?:alpine-)?v?(\d+\.\d+)(?:\.\d+)*$/,
      namesSources: true,
    },
    azurelinux: {
      type: 'rpm',
      osv: /^(\d+)$/,
      written: /^(?:azurelinux-)?(\d+)(?:\.\d+)*$/,
      namesSources: true,
    },
    debian: {
      type: 'deb',
      osv: /^(\d+)$/,
      written: /^(?:debian-)?(\d+)(?:\.\d+)*$/,
      namesSources: true,
    },
    mageia: { type: 'rpm', osv: /^(\d+)$/, written: /^(?:mageia-)?(\d+)$/, namesSources: true },
    opensuse: {
      type: 'rpm',
      osv: /^(leap[ -]\d+\.\d+|tumbleweed)$/,
      written: /^opensuse[.-](leap-\d+\.\d+|tumbleweed)(?:-\d+)?$/,
      namesSources: true,
    },
    rocky: {
      type: 'rpm',
      osv: /^(\d+)$/,
      written: /^(?:rocky(?:-?linux)?-)?(\d+)(?:\.\d+)*$/,
      namesSources: true,
    },
    ubuntu: {
      type: 'deb',
      osv: /^(\d\d\.\d\d)(?::lts)?$/,
      written: /^(?:ubuntu-)?(\d\d\.\d\d)(?:\.\d+)?$/,
      namesSources: true,
    },
  } satisfies Record<string, Distribution>),
);

/** Distributions without releases. Their advisories name packages as they are installed. */
const rolling: ReadonlySet<string> = new Set(['arch', 'chainguard', 'echo', 'minimos', 'wolfi']);

/**
 * The package URL under which advisories for the package of this record of OSV are kept: that of the package, with the
 * release if the distribution has releases. `ecosystem` is OSV's. Gives null if no report could have the package.
 */
export function advisoryPurl(purl: string, ecosystem: string): string | null {
  // Names of an ecosystem that is not known may be those of any.
  if (purl.startsWith('pkg:generic/')) return null;
  const [, type, family = ''] = /^pkg:(deb|rpm|apk|alpm)\/([^/]+)\//.exec(purl) ?? [];
  if (type === undefined) return purl;
  if (rolling.has(family)) return ecosystem.includes(':') ? null : purl;
  const colon = ecosystem.indexOf(':');
  const suffix = colon < 0 ? '' : ecosystem.slice(colon + 1).toLowerCase();
  const [, release] = distributions.get(family)?.osv.exec(suffix) ?? [];
  return release === undefined ? null : withRelease(purl, family, release);
}

/** True for a package that advisories name together with a release only, also if its distribution is not known. */
export function needsRelease(purl: string): boolean {
  const found = /^pkg:(?:deb|rpm|apk)\/(?:([^/]+)\/)?/.exec(purl);
  return found !== null && !rolling.has(found[1] ?? '');
}

/** The release in a URL that advisories of a release know a package by: `debian-12`. */
export function releaseIn(advisoryPurl: string): string {
  return advisoryPurl.split('?distro=', 2)[1] ?? '';
}

function withRelease(purl: string, family: string, release: string): string {
  return `${purl}?distro=${family}-${release.replace(' ', '-')}`;
}

/** Packages of a module stream. Which stream an advisory is about, it says in its text only. */
export function isOfModule(version: string): boolean {
  return /\.module[+_]/.test(version);
}

/** The source of an installed package as the report writes it. */
export interface SourcePackage {
  name: string;
  /** Null if it is that of the installed package. */
  version: string | null;
  /** The version lacks its epoch, as in the name of a source RPM. */
  lacksEpoch?: boolean;
}

export interface DistributionFacts {
  /** The release of this package: `debian-12.4`, `12.4`. */
  distro: string | null;
  source: SourcePackage | null;
  /** The epoch of the installed version, if it stands beside it. */
  epoch?: string | undefined;
}

/**
 * Returns the name and version by which advisories of its release know the package, or nothing if the report does not
 * say enough. A package without a source is its own source, as scanners assume. `system` is the operating system of the
 * report, for packages that do not name theirs.
 */
export function distributionOf(
  named: ReportPackage,
  facts: DistributionFacts,
  system: string | null = null,
): Pick<ReportInventoryPackage, 'distribution'> {
  const distribution = distributionPackageOf(named, facts, system);
  return distribution === null ? {} : { distribution };
}

function distributionPackageOf(
  { purl, version }: ReportPackage,
  { distro, source, epoch }: DistributionFacts,
  system: string | null,
): DistributionPackage | null {
  const [, type, family = ''] = /^pkg:(deb|rpm|apk)\/([^/]+)\/[^/]+$/.exec(purl) ?? [];
  const known = distributions.get(family);
  if (version === null || known === undefined || known.type !== type || isOfModule(version)) return null;
  const release = releaseOf(family, known, distro ?? system ?? '');
  if (release === undefined) return null;
  const installed = epoch === undefined || version.includes(':') ? version : `${epoch}:${version}`;
  if (!known.namesSources || source === null) {
    return knownAs(withRelease(purl, family, release), installed);
  }
  const sourcePurl = packagePurl(type, family, source.name);
  const sourceVersion = sourceVersionOf(installed, source);
  if (sourcePurl === null || sourceVersion === null) return null;
  return knownAs(withRelease(sourcePurl, family, release), sourceVersion);
}

/** Returns null for a version that is none of a distribution, or too long for an index. */
export function knownAs(purl: string, version: string): DistributionPackage | null {
  return /^[!-~]{1,256}$/.test(version) ? { purl, version } : null;
}

function releaseOf(family: string, { written }: Distribution, distro: string): string | undefined {
  if (distro.length > 64) return undefined;
  const text = distro.trim().toLowerCase();
  return written.exec(text)?.[1] ?? releaseByName.get(`${family} ${text.replace(`${family}-`, '')}`);
}

/**
 * The name of a source RPM has no epoch. It is that of the installed package if both have one version; otherwise it is
 * unknown, and without it versions cannot be compared.
 */
function sourceVersionOf(installed: string, { version, lacksEpoch = false }: SourcePackage): string | null {
  if (version === null) return installed;
  if (!lacksEpoch) return version.replace(/^0:(?=.)/, '');
  return installed.replace(/^\d+:/, '') === version ? installed : null;
}

/** Reads the qualifiers `distro`, `upstream` and `epoch` of a package URL. */
export function qualifiersOf(purl: string | null): DistributionFacts {
  const query = /^pkg:(?:deb|rpm|apk)\/[^?#]*\?([^#]*)/i.exec((purl ?? '').slice(0, 2048))?.[1];
  if (query === undefined) return { distro: null, source: null };
  // A plus sign stands for itself in a package URL.
  const qualifiers = new URLSearchParams(query.replaceAll('+', '%2B'));
  const upstream = qualifiers.get('upstream');
  return {
    distro: qualifiers.get('distro') || null,
    source: upstream ? sourceOf(upstream) : null,
    epoch: /^[1-9]\d{0,9}$/.exec(qualifiers.get('epoch') ?? '')?.[0],
  };
}

/** Reads `util-linux`, `util-linux@2.38.1-5` or `openssl-3.0.7-24.el9.src.rpm`. */
function sourceOf(upstream: string): SourcePackage {
  const rpm = /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(upstream);
  if (rpm !== null) return { name: rpm[1] ?? '', version: rpm[2] ?? null, lacksEpoch: true };
  const at = upstream.indexOf('@', 1);
  return at < 0
    ? { name: upstream, version: null }
    : { name: upstream.slice(0, at), version: upstream.slice(at + 1) };
}

const releaseByName: ReadonlyMap<string, string> = new Map(
  Object.entries({
    debian: 'jessie 8 stretch 9 buster 10 bullseye 11 bookworm 12 trixie 13',
    ubuntu: 'trusty 14.04 xenial 16.04 bionic 18.04 focal 20.04 jammy 22.04 noble 24.04',
  }).flatMap(([family, list]) =>
    [...list.matchAll(/(\w+) (\S+)/g)].map(([, name, release = '']): [string, string] => [
      `${family} ${name}`,
      release,
    ]),
  ),
);
