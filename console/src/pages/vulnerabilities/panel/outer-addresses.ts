/**
 * Addresses at other sites for ids and packages. The host is always one of this file, and every part from a report is
 * encoded.
 */
import { encodeSegments } from '../../../components/encode-segments.ts';
import { decoded } from '../labels.ts';

/** The page of a CVE or GHSA id; null for other ids. */
export function advisoryAddress(id: string): string | null {
  if (/^CVE-\d{4}-\d{4,19}$/i.test(id)) return `https://www.cve.org/CVERecord?id=${id.toUpperCase()}`;
  if (/^GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}$/i.test(id)) {
    return `https://github.com/advisories/${id.replace(/^ghsa/i, 'GHSA')}`;
  }
  return null;
}

export function weaknessAddress(cwe: string): string | null {
  const [, number] = /^CWE-(\d{1,6})$/.exec(cwe) ?? [];
  return number === undefined ? null : `https://cwe.mitre.org/data/definitions/${number}.html`;
}

/** Type of a package URL → the page of the package, from its encoded namespace and name. */
const registries: Record<string, (name: string[]) => string | null> = {
  npm: (name) => `https://www.npmjs.com/package/${name.join('/')}`,
  pypi: (name) => `https://pypi.org/project/${name.join('/')}/`,
  maven: ([group, artifact]) =>
    artifact === undefined ? null : `https://central.sonatype.com/artifact/${group}/${artifact}`,
  golang: (name) => `https://pkg.go.dev/${name.join('/')}`,
  cargo: (name) => `https://crates.io/crates/${name.join('/')}`,
  gem: (name) => `https://rubygems.org/gems/${name.join('/')}`,
  nuget: (name) => `https://www.nuget.org/packages/${name.join('/')}`,
  composer: (name) => `https://packagist.org/packages/${name.join('/')}`,
  hex: (name) => `https://hex.pm/packages/${name.join('/')}`,
  pub: (name) => `https://pub.dev/packages/${name.join('/')}`,
};

/** The page of a package at the registry of its type; null if its type has none here. */
export function packageAddress(purl: string): string | null {
  const [, type = '', name = ''] = /^pkg:([a-z]+)\/([^@?#]+)/.exec(purl) ?? [];
  const parts = encodeSegments(name, decoded);
  return parts && (registries[type]?.(parts) ?? null);
}
