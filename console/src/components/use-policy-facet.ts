/** The filter by policy. A link may bring keys or ids: their names load together with the menu's. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { policiesQuery } from '../api/policies.ts';
import type { Facet } from './facet-menu.tsx';

export function usePolicyFacet(slug: string, chosen: string[] | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const { data, isFetching } = useQuery({
    ...policiesQuery(slug),
    enabled: isOpen || chosen !== undefined,
  });
  return useMemo(() => {
    const policies = data?.items ?? [];
    return {
      parameter: 'policy',
      label: 'Policy',
      multiple: true,
      isLoading: isFetching,
      onOpen: () => setIsOpen(true),
      nameOf: (value) => policies.find(({ id, key }) => id === value || key === value)?.name,
      options: policies.map(({ key, name }) => ({ value: key, label: name })),
    };
  }, [data, isFetching]);
}
