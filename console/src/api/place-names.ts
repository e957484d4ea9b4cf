/** Names of organizations and applications, to choose from. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

// One page: what one can still choose from a list. Others are written.
const namesAtOnce = 200;
// They change with inventory files and first reports.
const freshMs = 60_000;

/** In order of the alphabet. */
export function placeNamesQuery(slug: string, kind: 'organizations' | 'applications') {
  return queryOptions({
    queryKey: ['place-names', slug, kind],
    queryFn: async ({ signal }) => {
      const parts = { path: { tenant_slug: slug }, query: { per_page: namesAtOnce }, signal };
      const names =
        kind === 'organizations'
          ? (await api.listOrganizations(parts)).items.map(({ full_path }) => full_path)
          : (await api.listApplications(parts)).items.map(({ name }) => name);
      return names.sort((a, b) => a.localeCompare(b));
    },
    staleTime: freshMs,
  });
}
