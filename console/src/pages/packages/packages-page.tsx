/** The packages in use in the workspace, with their usages, licenses and open vulnerabilities. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { packagesQuery } from '../../api/packages.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
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
      <FilterBar facets={facets} searchField={{ parameter: 'q', label: 'Search packages' }} />
      <Loaded query={query} what="the packages">
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <NoPackage slug={slug} isFiltered={Object.keys(set).length > 0} />
          ) : (
            <>
              <DataTable
                label="Packages"
                columns={packageColumns(slug)}
                rows={items}
                keyOf={(row) => row.id}
                nameOf={fullName}
                stale={query.isPlaceholderData}
              />
              <CursorPager nextCursor={next_cursor} count={items.length} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
