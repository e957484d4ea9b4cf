/** The repositories of the workspace, with the open vulnerabilities in each. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { repositoriesQuery, repositoryCountsQuery, repositoryScansQuery } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Facet, FilterBar } from '../../components/filter-bar.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { sources } from '../../components/source-labels.ts';
import { uploadCommand } from '../../components/upload-command.ts';
import { repositoryColumns } from './columns.tsx';
import { useOrganizationFacet } from './use-organization-facet.ts';

const sourceFacet: Facet = {
  parameter: 'source',
  label: 'Source',
  multiple: true,
  options: choicesOf(sources),
};

export function RepositoriesPage() {
  const { slug } = useWorkspace();
  const filters = useSearch({ from: '/w/$slug/repositories' });
  const query = useQuery(repositoriesQuery(slug, filters));
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const counts = useQuery(repositoryCountsQuery(slug, ids));
  const scans = useQuery(repositoryScansQuery(slug, ids));
  const organizationFacet = useOrganizationFacet(slug, filters.org);
  const { cursor: _, ...set } = filters;
  const isFiltered = Object.keys(set).length > 0;
  return (
    <>
      <PageHeader
        title="Repositories"
        description="The first report creates its repository. An inventory file can add details."
      />
      <FilterBar facets={[organizationFacet, sourceFacet]} searchField={{ label: 'Search repositories' }} />
      <ListTable
        query={query}
        noun="the repositories"
        none={<NoRepository slug={slug} isFiltered={isFiltered} />}
        label="Repositories"
        columns={repositoryColumns(slug, counts.data, scans.data)}
        keyOf={(row) => row.id}
        nameOf={(row) => row.full_name}
      />
    </>
  );
}

function NoRepository({ slug, isFiltered }: { slug: string; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No repository matches these filters"
        action={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/w/$slug/repositories" params={{ slug }} search={{}} {...props} />
            )}
          >
            Clear the filters
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState title="There is no repository yet" command={uploadCommand(slug)}>
      The first report of a repository creates it. Use an{' '}
      <Link to="/w/$slug/keys" params={{ slug }}>
        API key
      </Link>{' '}
      that may upload scans.
    </EmptyState>
  );
}
