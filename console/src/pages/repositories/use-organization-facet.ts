/** The filter by organization. Its menu loads when it opens, and it also accepts a typed path that it does not hold. */
import { scopeNamesQuery } from '../../api/scope-names.ts';
import type { Facet } from '../../components/filter-bar.tsx';
import { useNamesFacet } from '../../components/use-names-facet.ts';

export function useOrganizationFacet(slug: string, chosen: string | undefined): Facet {
  const query = scopeNamesQuery(slug, 'organizations');
  return useNamesFacet({ parameter: 'org', label: 'Organization', query, chosen, mayBeName: isUnknownPath });
}

function isUnknownPath(typed: string, found: string[], isLoading: boolean): boolean {
  return typed !== '' && found.length === 0 && !isLoading;
}
