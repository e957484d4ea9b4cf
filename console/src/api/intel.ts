/** The releases of KEV and EPSS that vulnerabilities are joined with. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

// A person loads a release by hand, so it stays the same for hours.
const freshMs = 10 * 60_000;

export function intelQuery(slug: string) {
  return queryOptions({
    queryKey: ['intel', slug],
    queryFn: ({ signal }) => api.getIntel({ path: { tenant_slug: slug }, signal }),
    staleTime: freshMs,
  });
}
