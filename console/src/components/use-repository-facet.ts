/** The filter by repository. It also accepts a full name that the menu does not hold. */
import { repositoryNamesQuery } from '../api/repository-names.ts';
import type { Facet } from './facet-menu.tsx';
import { useNamesFacet } from './use-names-facet.ts';

export function useRepositoryFacet(slug: string, chosen: string | undefined): Facet {
  const query = repositoryNamesQuery(slug);
  return useNamesFacet({ parameter: 'repo', label: 'Repository', query, chosen, mayBeName: isFullName });
}

function isFullName(typed: string): boolean {
  return typed.includes('/');
}
