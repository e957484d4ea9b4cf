/** The filters of the list of scans as menus. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { referenceNamesQuery } from '../../api/repository-names.ts';
import { scanStatuses } from '../../api/scans.ts';
import { enumLabel } from '../../components/badges.tsx';
import type { Facet } from '../../components/filter-bar.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';

export function useFacets(slug: string, repo: string | undefined): Facet[] {
  const repository = useRepositoryFacet(slug, repo);
  const reference = useReferenceFacet(slug, repo);
  return useMemo(
    () => [
      {
        parameter: 'status',
        label: 'Status',
        multiple: true,
        options: scanStatuses.map((value) => ({ value, label: enumLabel(value) })),
      },
      repository,
      ...(reference ? [reference] : []),
      { parameter: 'tool', label: 'Tool', placeholder: 'trivy, semgrep' },
      {
        parameter: 'sha',
        label: 'Commit',
        placeholder: 'f2ca1bb or longer',
        pattern: { source: '[0-9a-fA-F]{7,40}', hint: '7 to 40 digits of the commit’s hash' },
      },
    ],
    [repository, reference],
  );
}

// The facet needs a repository, because a reference name alone means nothing in the list of scans.
function useReferenceFacet(slug: string, repo: string | undefined): Facet | null {
  const [isOpen, setIsOpen] = useState(false);
  const { data: references, isFetching } = useQuery({
    ...referenceNamesQuery(slug, repo ?? ''),
    enabled: isOpen && repo !== undefined,
  });
  return useMemo(
    () =>
      repo === undefined
        ? null
        : {
            parameter: 'ref',
            label: 'Reference',
            onOpen: () => setIsOpen(true),
            isLoading: isFetching,
            options: (references ?? []).map(({ name }) => ({ value: name, label: name })),
          },
    [references, repo, isFetching],
  );
}
