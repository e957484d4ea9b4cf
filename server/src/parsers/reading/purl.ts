/**
 * Package URLs without version: one spelling per package for all tools. It must never throw, and never decide whether
 * two names mean the same package.
 */
import { PackageURL } from 'packageurl-js';
import { indexedText } from './indexed-text.ts';
import { remember } from './remember.ts';

/**
 * Gives `pkg:type/namespace/name`, normalised by type. Names are as the ecosystem writes them: `@scope/name`,
 * `group:artifact`, `github.com/org/module`, `vendor/name`. A digest is the name if the URL is too long for an index.
 * Gives null for an empty name.
 */
export function packagePurl(writtenType: string, namespace: string | null, name: string): string | null {
  const type = otherTypes.get(writtenType) ?? writtenType;
  const full = splitName(type, namespace, name.trim().slice(0, 512));
  if (full.name === '') return null;
  const purl = encoded(type, normalise(type, full));
  const key = indexedText(purl);
  return key === purl ? purl : `pkg:${type}/${key}`;
}

function encoded(type: string, spelled: PurlName): string {
  try {
    return new PackageURL(type, spelled.namespace, spelled.name).toString();
  } catch {
    // Some types need more than a tool gives (a Maven group, a CRAN version). The URL still has one spelling.
    const path =
      spelled.namespace === null ? [spelled.name] : [...spelled.namespace.split('/'), spelled.name];
    return `pkg:${type}/${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
  }
}

/**
 * Gives a tool's package URL without version, qualifiers and subpath, in our spelling; null if it is no package URL.
 */
export function barePurl(purl: string): BarePurl | null {
  const [, head, version] = plainPurl.exec(purl) ?? [];
  if (head === undefined || version === undefined) return parsePurl(purl);
  const bare = parseHead(head);
  return bare === null ? null : { ...bare, version };
}

/** True for a CPE or a package URL, also for an invalid one. Such a text may name any part of a repository. */
export function isPackageIdentifier(text: string): boolean {
  return /^(?:pkg|cpe):/i.test(text);
}

interface BarePurl {
  purl: string;
  name: string;
  version: string | null;
  /** The URL names a path inside the package, which is not a part of the name. */
  hasSubpath?: true;
}

// Most package URLs have nothing that is encoded, and a report names a package in many versions and rows.
const plainPurl = /^(pkg:[a-z]+(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+)@([A-Za-z0-9][A-Za-z0-9.+~_-]*)$/;
const parseHead = remember(parsePurl);

function parsePurl(purl: string): BarePurl | null {
  if (purl.length > 2048 || !/^pkg:/i.test(purl)) return null;
  try {
    const [writtenType, namespace, name, version, , subpath] = PackageURL.parseString(purl);
    const type = writtenType?.toLowerCase();
    if (type === undefined || name === undefined || !/^[a-z][a-z0-9.+-]{0,63}$/.test(type)) return null;
    const short = { namespace: namespace ?? null, name };
    const full = withMajorVersion(type, short, subpath ?? '');
    const bare = packagePurl(type, full.namespace, full.name);
    if (bare === null) return null;
    return {
      purl: bare,
      name: displayName(type, full.namespace, full.name),
      version: withEpoch(purl, version ?? null),
      ...(full === short && /[^./]/.test(subpath ?? '') ? { hasSubpath: true } : {}),
    };
  } catch {
    return null;
  }
}

/** Syft keeps three segments of a Go module, so the major version of its name becomes a path inside it. */
function withMajorVersion(type: string, full: PurlName, subpath: string): PurlName {
  if (type !== 'golang' || !/^v(?:[2-9]|[1-9]\d+)$/.test(subpath)) return full;
  return { namespace: full.namespace === null ? full.name : `${full.namespace}/${full.name}`, name: subpath };
}

/** The epoch of an RPM is a qualifier, while scanners write it before the version. */
function withEpoch(purl: string, version: string | null): string | null {
  const epoch = /^pkg:rpm\/[^?]*\?(?:[^#]*&)?epoch=([1-9][0-9]{0,9})(?:[&#]|$)/i.exec(purl)?.[1];
  return version === null || epoch === undefined || version.includes(':') ? version : `${epoch}:${version}`;
}

/** Adds a version to a bare package URL. */
export function versionedPurl(purl: string, version: string | null): string {
  if (version === null) return purl;
  if (plainVersion.test(version)) return `${purl}@${version}`;
  return `${purl}@${encodeURIComponent(version.slice(0, 256).toWellFormed()).replaceAll('%3A', ':')}`;
}

const plainVersion = /^[A-Za-z0-9._~-]{1,256}$/;

/** True for a package of an operating system. Its findings have the type `container`. */
export function isSystemPurl(purl: string): boolean {
  return /^pkg:(?:deb|rpm|apk|alpm|ebuild|bitnami|qpkg)\//.test(purl);
}

interface PurlName {
  namespace: string | null;
  name: string;
}

function splitName(type: string, namespace: string | null, name: string): PurlName {
  // Snyk writes the source before the package that is installed: `gcc-10/libgcc-s1`.
  const plain = isSystemPurl(`pkg:${type}/`) ? name.slice(name.lastIndexOf('/') + 1) : name;
  if (namespace !== null && namespace !== '') return { namespace, name: plain };
  if (type === 'maven' && name.includes(':')) {
    const colon = name.indexOf(':');
    return { namespace: name.slice(0, colon), name: name.slice(colon + 1) };
  }
  // CocoaPods writes a part of a pod after a slash, but the pod is the package.
  if (type === 'cocoapods') return { namespace: null, name: name.split('/', 1)[0] ?? '' };
  const slash = type === 'pypi' || type === 'gem' || type === 'cargo' ? -1 : name.lastIndexOf('/');
  if (slash <= 0) return { namespace: null, name: name.replace(/^\/+/, '') };
  return { namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

// These follow the sections of the package URL specification. Python's names follow PEP 503, because the specification
// keeps the dot and tools do not.
const lowerCaseTypes = new Set([
  'npm',
  'golang',
  'composer',
  'deb',
  'apk',
  'alpm',
  'hex',
  'github',
  'bitbucket',
  'pub',
  // NuGet's own server compares names without case.
  'nuget',
]);

/** Types that tools write and the specification does not have: dependency-check writes the first. */
const otherTypes: ReadonlyMap<string, string> = new Map([['javascript', 'npm']]);

function normalise(type: string, full: PurlName): PurlName {
  if (type === 'pypi') return { ...full, name: full.name.toLowerCase().replace(/[-_.]+/g, '-') };
  if (type === 'rpm') return { namespace: full.namespace?.toLowerCase() ?? null, name: full.name };
  if (!lowerCaseTypes.has(type)) return full;
  return { namespace: full.namespace?.toLowerCase() ?? null, name: full.name.toLowerCase() };
}

/** Returns the name as the people of the ecosystem write it. */
function displayName(type: string, namespace: string | null, name: string): string {
  if (namespace === null || namespace === '' || isSystemPurl(`pkg:${type}/`)) return name;
  return type === 'maven' ? `${namespace}:${name}` : `${namespace}/${name}`;
}
