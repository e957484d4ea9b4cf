/** The repositories to tick: those that are grouped already first, then the others, as far as their names match. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { repositoryQuery } from '../../api/inventory.ts';
import { type NamedRepository, repositoryChoicesQuery } from '../../api/repository-names.ts';

// More than this in one list is not read, but searched.
const shownAtOnce = 100;

interface RepositoryChoices {
  query: UseQueryResult<{ items: NamedRepository[]; isComplete: boolean }>;
  found: NamedRepository[];
  /** How many match, those that are not shown too. */
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
  // The list may end before all of them; a whole name is asked for by itself.
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
