/** The filter by organization. Its menu loads when it opens, and it also accepts a typed path that it does not hold. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { scopeNamesQuery } from '../../api/scope-names.ts';
import type { Facet } from '../../components/filter-bar.tsx';

// People search in a longer list instead of reading it.
const pathsShown = 50;

export function useOrganizationFacet(slug: string, chosen: string | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data: paths, isFetching } = useQuery({
    ...scopeNamesQuery(slug, 'organizations'),
    enabled: isOpen,
  });
  return useMemo(() => {
    const wanted = typed.trim().toLowerCase();
    const found = (paths ?? []).filter((path) => path.toLowerCase().includes(wanted)).slice(0, pathsShown);
    const isOther = wanted !== '' && found.length === 0 && !isFetching;
    const kept = chosen !== undefined && wanted === '' && !found.includes(chosen) ? [chosen] : [];
    return {
      parameter: 'org',
      label: 'Organization',
      options: [...kept, ...found, ...(isOther ? [typed.trim()] : [])].map((path) => ({
        value: path,
        label: path,
      })),
      onOpen: () => {
        setTyped('');
        setIsOpen(true);
      },
      onFind: setTyped,
      isLoading: isFetching,
    };
  }, [paths, typed, chosen, isFetching]);
}
