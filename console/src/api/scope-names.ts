/** Names of organizations and applications, for a menu. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

// A person can still choose from one page. Other names are typed.
const namesAtOnce = 200;
// The names change only with inventory files and first reports.
const freshMs = 60_000;

/** Reads the names in alphabetical order. */
export function scopeNamesQuery(slug: string, kind: 'organizations' | 'applications') {
  return queryOptions({
    queryKey: ['scope-names', slug, kind],
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
