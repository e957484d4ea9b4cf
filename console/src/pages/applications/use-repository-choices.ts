/** The repositories to tick whose names match: first those that are already in the application, then the others. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { repositoryQuery } from '../../api/inventory.ts';
import { type NamedRepository, repositoryChoicesQuery } from '../../api/repository-names.ts';

// People search in a longer list instead of reading it.
const shownAtOnce = 100;

interface RepositoryChoices {
  query: UseQueryResult<{ items: NamedRepository[]; isComplete: boolean }>;
  found: NamedRepository[];
  /** The number of matches, with those that are not shown. */
  total: number;
  isComplete: boolean;
  isLooking: boolean;
}

export function useRepositoryChoices(
  slug: string,
  grouped: NamedRepository[],
  typed: string,
): RepositoryChoices {
  const query = useQuery(repositoryChoicesQuery(slug));
  const wanted = typed.trim().toLowerCase();
  const isComplete = query.data?.isComplete ?? true;
  const matching = useMemo(() => {
    const first = new Set(grouped.map(({ id }) => id));
    const others = (query.data?.items ?? []).filter(({ id }) => !first.has(id));
    return [...grouped, ...others].filter(({ full_name }) => full_name.toLowerCase().includes(wanted));
  }, [query.data, grouped, wanted]);
  // The list may be incomplete, so a full name is looked up by itself.
  const isWhole = !isComplete && wanted.includes('/') && matching.length === 0;
  const named = useQuery({ ...repositoryQuery(slug, typed.trim()), enabled: isWhole, retry: false });
  const all = isWhole && named.data ? [named.data] : matching;
  return {
    query,
    found: all.slice(0, shownAtOnce),
    total: all.length,
    isComplete,
    isLooking: isWhole && named.isFetching,
  };
}
