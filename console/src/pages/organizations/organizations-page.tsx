/** The organizations of the workspace, each with its parent and its repositories. */

import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type GroupCounts, groupCountsQuery } from '../../api/group-counts.ts';
import {
  type Organization,
  type OrganizationParent,
  organizationParentsQuery,
  organizationsQuery,
} from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { groupColumns } from '../../components/group-columns.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { organizationTypes } from '../../components/source-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { uploadCommand } from '../../components/upload-command.ts';

export function OrganizationsPage() {
  const { slug } = useWorkspace();
  const filters = useSearch({ from: '/w/$slug/organizations' });
  const query = useQuery(organizationsQuery(slug, filters));
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const parents = useQuery(organizationParentsQuery(slug, ids));
  const open = useQuery(groupCountsQuery(slug, 'organizations', ids));
  const columns = useMemo(() => columnsOf(slug, parents.data, open.data), [slug, parents.data, open.data]);
  return (
    <>
      <PageHeader title="Organizations" description="The owners of the repositories at their provider." />
      <FilterBar searchField={{ label: 'Search organizations' }} />
      <ListTable
        query={query}
        noun="the organizations"
        none={<NoOrganization slug={slug} isSearched={filters.q !== undefined} />}
        label="Organizations"
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={(row) => row.full_path}
      />
    </>
  );
}

function NoOrganization({ slug, isSearched }: { slug: string; isSearched: boolean }) {
  if (isSearched) return <EmptyState title="No organization has this name" />;
  return (
    <EmptyState title="There is no organization yet" command={uploadCommand(slug)}>
      The first report of a repository creates its organization. An inventory file can set its parent.
    </EmptyState>
  );
}

/** `parents` and `open` load after the rows. */
function columnsOf(
  slug: string,
  parents: Map<string, OrganizationParent> | undefined,
  open: Map<string, GroupCounts> | undefined,
): Column<Organization>[] {
  return [
    {
      id: 'path',
      label: 'Organization',
      cell: (row) => <RepositoriesLink slug={slug} org={row.full_path} />,
    },
    { id: 'name', label: 'Name', hidden: true, cell: (row) => row.name },
    { id: 'type', label: 'Type', cell: (row) => organizationTypes[row.type] ?? row.type },
    {
      id: 'parent',
      label: 'Parent',
      cell: (row) => {
        const parent = parents?.get(row.id)?.parent;
        return parent ? <RepositoriesLink slug={slug} org={parent.full_path} /> : null;
      },
    },
    {
      id: 'repositories',
      label: 'Repositories',
      align: 'right',
      cell: (row) => (
        <Link
          to="/w/$slug/repositories"
          params={{ slug }}
          search={{ org: row.full_path }}
          aria-label={`${row.repositories_count.toLocaleString()} repositories of ${row.full_path}`}
        >
          {row.repositories_count.toLocaleString()}
        </Link>
      ),
    },
    ...groupColumns<Organization>(open, { isVerdictHidden: true }),
    {
      id: 'state',
      label: 'State',
      cell: (row) =>
        row.orphaned && (
          <ToneBadge tone="warn" title="It no longer exists at its provider">
            Orphaned
          </ToneBadge>
        ),
    },
    {
      id: 'external',
      label: 'External id',
      hidden: true,
      cell: (row) => <span className="mono">{row.external_id}</span>,
    },
    { id: 'created', label: 'Added', hidden: true, cell: (row) => <TimeText value={row.created_at} /> },
    { id: 'updated', label: 'Changed', hidden: true, cell: (row) => <TimeText value={row.updated_at} /> },
  ];
}

function RepositoriesLink({ slug, org }: { slug: string; org: string }) {
  return (
    <Link to="/w/$slug/repositories" params={{ slug }} search={{ org }} className="break">
      {org}
    </Link>
  );
}
