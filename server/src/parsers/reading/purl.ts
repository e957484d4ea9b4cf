/**
 * Owns package URLs without version: one spelling per package, whichever tool names it. Must never throw, and
 * never decide whether two packages are the same thing under two names.
 */
import { PackageURL } from 'packageurl-js';

/**
 * `pkg:type/namespace/name`, normalised by type. Names as the ecosystem writes them: `@scope/name`,
 * `group:artifact`, `github.com/org/module`, `vendor/name`. Null for no name.
 */
export function packagePurl(type: string, namespace: string | null, name: string): string | null {
  const parts = splitName(type, namespace, name.trim().slice(0, 512));
  if (parts.name === '') return null;
  const spelled = normalise(type, parts);
  try {
    return new PackageURL(type, spelled.namespace, spelled.name).toString();
  } catch {
    // Some types ask for more than a tool tells (a Maven group, a CRAN version): still one spelling.
    const path =
      spelled.namespace === null ? [spelled.name] : [...spelled.namespace.split('/'), spelled.name];
    return `pkg:${type}/${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
  }
}

/** A tool's package URL without version, qualifiers and subpath, in our spelling. Null when it is none. */
export function barePurl(purl: string): { purl: string; name: string; version: string | null } | null {
  if (purl.length > 2048 || !purl.startsWith('pkg:')) return null;
  try {
    const [type, namespace, name, version] = PackageURL.parseString(purl);
    if (type === undefined || name === undefined || !/^[a-z][a-z0-9.+-]*$/i.test(type)) return null;
    const bare = packagePurl(type.toLowerCase(), namespace ?? null, name);
    if (bare === null) return null;
    return {
      purl: bare,
      name: displayName(type.toLowerCase(), namespace ?? null, name),
      version: version ?? null,
    };
  } catch {
    return null;
  }
}

/** A bare package URL with a version. */
export function versionedPurl(purl: string, version: string | null): string {
  if (version === null) return purl;
  return `${purl}@${encodeURIComponent(version.slice(0, 256).toWellFormed()).replaceAll('%3A', ':')}`;
}

/** Packages of an operating system: their findings are of type `container`. */
export function isSystemPurl(purl: string): boolean {
  return /^pkg:(?:deb|rpm|apk|alpm|ebuild|bitnami|qpkg)\//.test(purl);
}

interface Parts {
  namespace: string | null;
  name: string;
}

function splitName(type: string, namespace: string | null, name: string): Parts {
  if (namespace !== null && namespace !== '') return { namespace, name };
  if (type === 'maven' && name.includes(':')) {
    const colon = name.indexOf(':');
    return { namespace: name.slice(0, colon), name: name.slice(colon + 1) };
  }
  // CocoaPods writes a part of a pod after a slash: the pod is the package.
  if (type === 'cocoapods') return { namespace: null, name: name.split('/', 1)[0] ?? '' };
  const slash = type === 'pypi' || type === 'gem' || type === 'cargo' ? -1 : name.lastIndexOf('/');
  if (slash <= 0) return { namespace: null, name: name.replace(/^\/+/, '') };
  return { namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

// As the type's section of the package URL specification says; Python's as in PEP 503, for the specification
// leaves the dot alone and tools do not.
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
]);

function normalise(type: string, parts: Parts): Parts {
  if (type === 'pypi') return { ...parts, name: parts.name.toLowerCase().replace(/[-_.]+/g, '-') };
  if (type === 'rpm') return { namespace: parts.namespace?.toLowerCase() ?? null, name: parts.name };
  if (!lowerCaseTypes.has(type)) return parts;
  return { namespace: parts.namespace?.toLowerCase() ?? null, name: parts.name.toLowerCase() };
}

/** The name as the ecosystem's people write it. */
function displayName(type: string, namespace: string | null, name: string): string {
  if (namespace === null || namespace === '' || isSystemPurl(`pkg:${type}/`)) return name;
  return type === 'maven' ? `${namespace}:${name}` : `${namespace}/${name}`;
}
