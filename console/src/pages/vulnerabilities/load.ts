/** Loads the data that the page will need while its code still loads. */
import type { QueryClient } from '@tanstack/react-query';
import {
  facetsQuery,
  groupsQuery,
  vulnerabilitiesQuery,
  vulnerabilityQuery,
} from '../../api/vulnerabilities.ts';
import { filtersOf, requestOf, type VulnerabilitySearch } from './search.ts';

interface Loading {
  context: { queryClient: QueryClient };
  params: { slug: string };
  search: VulnerabilitySearch;
}

/** Does not wait: the page appears at once and shows any failure itself. */
export function loadVulnerabilities({ context, params: { slug }, search }: Loading): void {
  const { queryClient } = context;
  if (search.group === undefined) queryClient.prefetchQuery(vulnerabilitiesQuery(slug, requestOf(search)));
  else queryClient.prefetchQuery(groupsQuery(slug, search.group, filtersOf(search)));
  queryClient.prefetchQuery(facetsQuery(slug, filtersOf(search)));
  if (search.v !== undefined) queryClient.prefetchQuery(vulnerabilityQuery(slug, search.v));
}
