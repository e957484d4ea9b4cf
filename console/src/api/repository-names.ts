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

export interface NamedRepository {
  id: string;
  full_name: string;
}

/** In order of the alphabet; `isComplete`: there are no others. */
export function repositoryChoicesQuery(slug: string) {
  return queryOptions({
    queryKey: ['repository-choices', slug],
    queryFn: async ({ signal }) => {
      const items: NamedRepository[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < pagesAtMost; page++) {
        const query = { per_page: namesAtOnce, cursor };
        const path = `/console/api/v1/${slug}/repositories`;
        const answer: Page<NamedRepository> = await call('GET', path, { query, signal });
        items.push(...answer.items.map(({ id, full_name }) => ({ id, full_name })));
        cursor = answer.next_cursor;
        if (cursor === null) break;
      }
      items.sort((a, b) => a.full_name.localeCompare(b.full_name));
      return { items, isComplete: cursor === null };
    },
    staleTime: freshMs,
  });
}

/** The full names of the same. */
export function repositoryNamesQuery(slug: string) {
  return queryOptions({
    ...repositoryChoicesQuery(slug),
    select: ({ items }) => items.map(({ full_name }) => full_name),
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
