/** A filter by one of many names. Its menu loads when it opens. */
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Facet } from './facet-menu.tsx';

// People search in a longer list instead of reading it.
const namesShown = 50;

interface NamesFacet<Data, Key extends QueryKey> {
  parameter: string;
  label: string;
  query: UseQueryOptions<Data, Error, string[], Key>;
  chosen: string | undefined;
  /** True for typed text that may be a name although it is not among those `found`, which may still load. */
  mayBeName: (typed: string, found: string[], isLoading: boolean) => boolean;
}

export function useNamesFacet<Data, Key extends QueryKey>(names: NamesFacet<Data, Key>): Facet {
  const { parameter, label, query, chosen, mayBeName } = names;
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data, isFetching } = useQuery({ ...query, enabled: isOpen });
  return useMemo(() => {
    const wanted = typed.trim().toLowerCase();
    const found = (data ?? []).filter((name) => name.toLowerCase().includes(wanted)).slice(0, namesShown);
    const isOther =
      mayBeName(wanted, found, isFetching) && !found.some((name) => name.toLowerCase() === wanted);
    const kept = chosen !== undefined && wanted === '' && !found.includes(chosen) ? [chosen] : [];
    return {
      parameter,
      label,
      options: [...kept, ...found, ...(isOther ? [typed.trim()] : [])].map((name) => ({
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
  }, [parameter, label, data, typed, chosen, mayBeName, isFetching]);
}
