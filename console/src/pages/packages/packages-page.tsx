/** The packages in use in the workspace, with their usages, licenses and open vulnerabilities. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { packagesQuery } from '../../api/packages.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { packageColumns } from './columns.tsx';
import { NoPackage } from './no-package.tsx';
import { fullName } from './package-name.ts';
import { useEcosystemFacet, useLicenseFacet, vulnerableFacet } from './use-package-facets.ts';

export function PackagesPage() {
  const { slug } = useWorkspace();
  const filters = useSearch({ from: '/w/$slug/packages' });
  const query = useQuery(packagesQuery(slug, filters));
  const facets = [
    vulnerableFacet,
    useEcosystemFacet(slug, filters.ecosystem),
    useLicenseFacet(slug, filters.license),
    useRepositoryFacet(slug, filters.repo),
  ];
  const { cursor: _, ...set } = filters;
  return (
    <>
      <PageHeader
        title="Packages"
        description="Packages from SBOMs and package lists, on active branches, tags and pull requests."
        actions={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/w/$slug/packages/licenses" params={{ slug }} {...props} />}
          >
            Licenses
          </Button>
        }
      />
      <FilterBar facets={facets} searchField={{ label: 'Search packages' }} />
      <ListTable
        query={query}
        noun="the packages"
        none={<NoPackage slug={slug} isFiltered={Object.keys(set).length > 0} />}
        label="Packages"
        columns={packageColumns(slug)}
        keyOf={(row) => row.id}
        nameOf={fullName}
      />
    </>
  );
}
