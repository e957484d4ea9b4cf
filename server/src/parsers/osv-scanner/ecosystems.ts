/** The names of ecosystems in OSV's records, such as `PyPI` or `Debian:12`. It must never read a record. */
import { ecosystemOfPackageManager, ecosystemOfSystem, type PurlEcosystem } from '../reading/ecosystems.ts';

const otherTypes: Readonly<Record<string, string>> = {
  conancenter: 'conan',
  swifturl: 'swift',
  'github actions': 'github',
  cran: 'cran',
  bioconductor: 'bioconductor',
  hackage: 'hackage',
  opam: 'opam',
};

const systems: Readonly<Record<string, string>> = { 'azure linux': 'azurelinux', mageia: 'mageia' };

/** The release after the colon does not belong to the package, so it is left out. */
export function ofOsv(ecosystem: string): PurlEcosystem {
  const name = (ecosystem.split(':', 1)[0] ?? '').trim().toLowerCase();
  const known = ecosystemOfPackageManager(name);
  if (known !== null) return known;
  if (Object.hasOwn(otherTypes, name)) return { type: otherTypes[name] ?? 'generic', namespace: null };
  if (Object.hasOwn(systems, name)) return { type: 'rpm', namespace: systems[name] ?? null };
  return ecosystemOfSystem(name) ?? { type: 'generic', namespace: null };
}
