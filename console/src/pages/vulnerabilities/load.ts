/** Asks for what the page will need while its code is still on the way. */
import type { QueryClient } from '@tanstack/react-query';
import { facetsQuery, vulnerabilitiesQuery, vulnerabilityQuery } from '../../api/vulnerabilities.ts';
import { filtersOf, requestOf, type VulnerabilitySearch } from './search.ts';

interface Loading {
  context: { queryClient: QueryClient };
  params: { slug: string };
  search: VulnerabilitySearch;
}

/** Waits for nothing: the page shows itself at once, and what fails is told there. */
export function loadVulnerabilities({ context, params: { slug }, search }: Loading): void {
  const { queryClient } = context;
  queryClient.prefetchQuery(vulnerabilitiesQuery(slug, requestOf(search)));
  queryClient.prefetchQuery(facetsQuery(slug, filtersOf(search)));
  if (search.v !== undefined) queryClient.prefetchQuery(vulnerabilityQuery(slug, search.v));
}
