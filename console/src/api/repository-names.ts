/** Names of repositories and of their references, for the menus of filters. */
import { queryOptions } from '@tanstack/react-query';
import { referenceName } from '../reference-name.ts';
import { type Answer, api } from './client.ts';

// Names change rarely.
const freshMs = 60_000;
const namesAtOnce = 200;
// The server cannot search this list. Beyond the limit, a person must type the whole name of a repository.
const pagesAtMost = 10;

export type NamedRepository = Pick<Answer<'listRepositories'>['items'][number], 'id' | 'full_name'>;

/** Reads the repositories in alphabetical order. `isComplete` says that there are no others. */
export function repositoryChoicesQuery(slug: string) {
  return queryOptions({
    queryKey: ['repository-choices', slug],
    queryFn: async ({ signal }) => {
      const items: NamedRepository[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < pagesAtMost; page++) {
        const answer: Answer<'listRepositories'> = await api.listRepositories({
          path: { tenant_slug: slug },
          query: { per_page: namesAtOnce, cursor },
          signal,
        });
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

/** Returns the full names of the same repositories. */
export function repositoryNamesQuery(slug: string) {
  return queryOptions({
    ...repositoryChoicesQuery(slug),
    select: ({ items }) => items.map(({ full_name }) => full_name),
  });
}

/** Reads the names of the references: the default branch first, then the newest scanned. */
export function referenceNamesQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['reference-names', slug, repo],
    queryFn: async ({ signal }) => {
      const query = { repo, per_page: namesAtOnce };
      const { items } = await api.listReferences({ path: { tenant_slug: slug }, query, signal });
      return items.map((item) => ({ name: referenceName(item), is_default: item.is_default }));
    },
    staleTime: freshMs,
  });
}
