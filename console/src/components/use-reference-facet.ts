/** The filter by reference. Its menu has the references of the chosen repository. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { referenceNamesQuery } from '../api/repository-names.ts';
import type { Facet } from './facet-menu.tsx';

export function useReferenceFacet(slug: string, repo: string | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const { data: references, isFetching } = useQuery({
    ...referenceNamesQuery(slug, repo ?? ''),
    enabled: isOpen && repo !== undefined,
  });
  return useMemo(() => {
    const facet = { parameter: 'ref', label: 'Reference', onOpen: () => setIsOpen(true) };
    // Without a repository there is no list of references. A name then means the branch of that name in each
    // repository.
    if (repo === undefined) return { ...facet, placeholder: 'main, v2.1, HEAD' };
    return {
      ...facet,
      isLoading: isFetching,
      options: (references ?? []).map(({ name }) => ({ value: name, label: name })),
    };
  }, [references, repo, isFetching]);
}
