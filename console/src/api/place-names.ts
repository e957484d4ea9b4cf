/** Names of organizations and applications, to choose from. */
import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';

interface Place {
  name: string;
  full_path?: string;
}

// One page: what one can still choose from a list. Others are written.
const namesAtOnce = 200;
// They change with inventory files and first reports.
const freshMs = 60_000;

/** In order of the alphabet. */
export function placeNamesQuery(slug: string, kind: 'organizations' | 'applications') {
  return queryOptions({
    queryKey: ['place-names', slug, kind],
    queryFn: async ({ signal }) => {
      const { items } = await call<{ items: Place[] }>('GET', `/console/api/v1/${slug}/${kind}`, {
        query: { per_page: namesAtOnce },
        signal,
      });
      return items.map(({ name, full_path }) => full_path ?? name).sort((a, b) => a.localeCompare(b));
    },
    staleTime: freshMs,
  });
}
