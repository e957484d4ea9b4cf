/** The filters of the list of scans as menus. */

import { queryValues } from '@merlon/client';
import { useMemo } from 'react';
import { enumLabel } from '../../components/badges.tsx';
import type { Facet } from '../../components/filter-bar.tsx';
import { useReferenceFacet } from '../../components/use-reference-facet.ts';
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
        options: queryValues.listScans.status.map((value) => ({ value, label: enumLabel(value) })),
      },
      repository,
      // A reference name alone means nothing in the list of scans.
      ...(repo === undefined ? [] : [reference]),
      { parameter: 'tool', label: 'Tool', placeholder: 'trivy, semgrep' },
      {
        parameter: 'sha',
        label: 'Commit',
        placeholder: 'f2ca1bb or longer',
        pattern: { source: '[0-9a-fA-F]{7,64}', hint: '7 to 64 digits of the commit’s hash' },
      },
    ],
    [repository, reference, repo],
  );
}
