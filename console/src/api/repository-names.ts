/** Names of repositories and of their references: for choosing among them in a filter. */
import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

// Names change rarely.
const freshMs = 60_000;
const namesAtOnce = 200;
// One list cannot be searched by the server. Of more, the rest is reached by writing the whole name.
const pagesAtMost = 10;

/** Full names, in order of the alphabet. */
export function repositoryNamesQuery(slug: string) {
  return queryOptions({
    queryKey: ['repository-names', slug],
    queryFn: async ({ signal }) => {
      const names: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < pagesAtMost; page++) {
        const query = { per_page: namesAtOnce, cursor };
        const answer: Page<{ full_name: string }> = await call(
          'GET',
          `/console/api/v1/${slug}/repositories`,
          { query, signal },
        );
        names.push(...answer.items.map((item) => item.full_name));
        cursor = answer.next_cursor;
        if (cursor === null) break;
      }
      return names.sort((a, b) => a.localeCompare(b));
    },
    staleTime: freshMs,
  });
}

export interface ReferenceName {
  ref: string;
}

/** The default branch first, then the newest scanned. */
export function referenceNamesQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['reference-names', slug, repo],
    queryFn: async ({ signal }) => {
      const query = { repo, per_page: namesAtOnce };
      const path = `/console/api/v1/${slug}/references`;
      return (await call<Page<ReferenceName>>('GET', path, { query, signal })).items;
    },
    staleTime: freshMs,
  });
}
