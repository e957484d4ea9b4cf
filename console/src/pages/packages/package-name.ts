/** The name as its ecosystem writes it: `@acme/ui`, `org.acme:core`. A distribution is no part of the name. */
import type { Package } from '../../api/packages.ts';
import { visibleText } from '../../components/report-text.tsx';

const ofDistributions = new Set(['deb', 'rpm', 'apk', 'alpm']);

export function fullName({
  ecosystem,
  namespace,
  name,
}: Pick<Package, 'ecosystem' | 'namespace' | 'name'>): string {
  if (namespace === null || ofDistributions.has(ecosystem)) return visibleText(name);
  return visibleText(`${namespace}${ecosystem === 'maven' ? ':' : '/'}${name}`);
}

/** The ecosystem, with the distribution if it is one: `deb, debian`. */
export function ecosystemName({ ecosystem, namespace }: Pick<Package, 'ecosystem' | 'namespace'>): string {
  return namespace !== null && ofDistributions.has(ecosystem) ? `${ecosystem}, ${namespace}` : ecosystem;
}
