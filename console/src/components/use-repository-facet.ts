/**
 * The filter by repository. Its menu loads when it opens, and it also accepts a typed full name that it does not hold.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { repositoryNamesQuery } from '../api/repository-names.ts';
import type { Facet } from './facet-menu.tsx';

// People search in a longer list instead of reading it.
const namesShown = 50;

export function useRepositoryFacet(slug: string, chosen: string | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data: names, isFetching } = useQuery({ ...repositoryNamesQuery(slug), enabled: isOpen });
  return useMemo(() => {
    const wanted = typed.trim().toLowerCase();
    const found = (names ?? []).filter((name) => name.toLowerCase().includes(wanted)).slice(0, namesShown);
    const isWhole = wanted.includes('/') && !found.some((name) => name.toLowerCase() === wanted);
    const kept = chosen !== undefined && wanted === '' && !found.includes(chosen) ? [chosen] : [];
    return {
      parameter: 'repo',
      label: 'Repository',
      options: [...kept, ...found, ...(isWhole ? [typed.trim()] : [])].map((name) => ({
        value: name,
        label: name,
      })),
      onOpen: () => {
        setTyped('');
        setIsOpen(true);
      },
      onFind: setTyped,
      isLoading: isFetching,
    };
  }, [names, typed, chosen, isFetching]);
}
