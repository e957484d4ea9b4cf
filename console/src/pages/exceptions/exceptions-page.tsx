/** Exceptions from policies: first those that wait for a review, then all others with their result. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryValues } from '@merlon/client';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { exceptionsQuery } from '../../api/exceptions.ts';
import { violationQuery } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { type Facet, FilterBar } from '../../components/filter-bar.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { targetTitle } from '../../components/target-labels.ts';
import { usePolicyFacet } from '../../components/use-policy-facet.ts';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { minTermLength } from '../../search-terms.ts';
import { ExceptionTable, NoExceptions } from './exception-table.tsx';
import { RequestForRepository } from './request-for-repository.tsx';
import { type ExceptionSearch, requestOf } from './search.ts';
import { WaitingExceptions } from './waiting-exceptions.tsx';
import './exceptions.css';

const route = getRouteApi('/w/$slug/exceptions');

const statuses = queryValues.listExceptions.status;
const reviewed = statuses.filter((status) => status !== 'requested');

export function ExceptionsPage() {
  const search = route.useSearch();
  const { slug, may } = useWorkspace();
  const [isRequesting, dialog] = useDisclosure(false);
  const facets = useFacets(slug, search);
  const showsAll = search.status === undefined;
  const query = useQuery(exceptionsQuery(slug, { ...requestOf(search), status: search.status ?? reviewed }));
  return (
    <>
      <PageHeader
        title="Exceptions"
        description="Requests for exceptions from policies, and their reviews. You cannot approve your own request."
        actions={
          may('member') && (
            <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
              Request an exception
            </Button>
          )
        }
      />
      <FilterBar facets={facets} searchField={{ label: 'Title, package or CVE', minLength: minTermLength }} />
      <div className="exception-parts">
        {showsAll && search.cursor === undefined && <WaitingExceptions search={search} />}
        <section aria-labelledby="exceptions-others">
          <h2 id="exceptions-others" className="exception-heading">
            {showsAll ? 'Reviewed, withdrawn or ended' : 'Exceptions'}
          </h2>
          <LoadedList query={query} noun="the exceptions" none={<NoExceptions search={search} />}>
            {(page) => <ExceptionTable page={page} isStale={query.isPlaceholderData} />}
          </LoadedList>
        </section>
      </div>
      <RequestForRepository opened={isRequesting} onClose={dialog.close} />
    </>
  );
}

function useFacets(slug: string, search: ExceptionSearch): Facet[] {
  const repository = useRepositoryFacet(slug, search.repo);
  const policy = usePolicyFacet(slug, search.policy);
  const violation = useViolationFacet(slug, search.violation);
  return useMemo(
    () => [
      {
        parameter: 'status',
        label: 'Status',
        multiple: true,
        options: statuses.map((status) => ({ value: status, label: enumLabel(status) })),
      },
      repository,
      policy,
      violation,
    ],
    [repository, policy, violation],
  );
}

function useViolationFacet(slug: string, chosen: string | undefined): Facet {
  const { data } = useQuery({ ...violationQuery(slug, chosen ?? ''), enabled: chosen !== undefined });
  return useMemo(
    () => ({
      parameter: 'violation',
      label: 'Violation',
      placeholder: 'pvl_…',
      isMore: true,
      nameOf: () => data && targetTitle(data.violation.target, data.scope.name),
    }),
    [data],
  );
}
