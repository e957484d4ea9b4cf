/** The applications of the workspace and their repositories. Admins create, change and delete them here. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  type Application,
  type ApplicationCounts,
  applicationCountsQuery,
  applicationsQuery,
} from '../../api/applications.ts';
import { type GroupCounts, groupCountsQuery } from '../../api/group-counts.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { groupColumns } from '../../components/group-columns.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { usePanel } from '../../components/side-panel.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationPanel } from './application-panel.tsx';
import './applications.css';

export function ApplicationsPage() {
  const { slug, may } = useWorkspace();
  const { app, ...filters } = useSearch({ from: '/w/$slug/applications' });
  const query = useQuery(applicationsQuery(slug, filters));
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const counts = useQuery(applicationCountsQuery(slug, ids));
  const open = useQuery(groupCountsQuery(slug, 'applications', ids));
  const columns = useMemo(() => columnsOf(counts.data, open.data), [counts.data, open.data]);
  const panel = usePanel('app');
  const [isCreating, creation] = useDisclosure(false);
  const mayChange = may('admin');
  return (
    <>
      <PageHeader
        title="Applications"
        description="Groups of repositories across organizations. Policies can have rules for an application, and test it."
        actions={
          mayChange && (
            <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
              New application
            </Button>
          )
        }
      />
      <FilterBar searchField={{ label: 'Search applications' }} />
      <ListTable
        query={query}
        noun="the applications"
        none={<NoApplication mayChange={mayChange} slug={slug} isSearched={filters.q !== undefined} />}
        label="Applications"
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={(row) => row.name}
        openKey={app}
      />
      <ApplicationPanel id={panel.shown} onClose={panel.close} />
      <ApplicationForm opened={isCreating} onClose={creation.close} onCreated={panel.show} />
    </>
  );
}

interface NoApplicationProps {
  mayChange: boolean;
  slug: string;
  isSearched: boolean;
}

function NoApplication({ mayChange, slug, isSearched }: NoApplicationProps) {
  if (isSearched) return <EmptyState title="No application has this name" />;
  return (
    <EmptyState
      title="There is no application yet"
      icon={<IconApps size={28} stroke={1.5} aria-hidden="true" />}
      command={`merlond inventory apply inventory.yaml --workspace ${slug}`}
    >
      {mayChange
        ? 'Create one with the button above, and choose its repositories. Or apply an inventory file on the server.'
        : 'An administrator of the workspace can create one here, or apply an inventory file on the server.'}
    </EmptyState>
  );
}

/** `counts` and `open` load after the rows. */
function columnsOf(
  counts: Map<string, ApplicationCounts> | undefined,
  open: Map<string, GroupCounts> | undefined,
): Column<Application>[] {
  return [
    {
      id: 'name',
      label: 'Application',
      cell: (row) => (
        <Link
          from="/w/$slug/applications"
          to="."
          search={(before) => ({ ...before, app: row.id })}
          state
          className="break"
        >
          {row.name}
        </Link>
      ),
    },
    {
      id: 'description',
      label: 'Description',
      wrap: true,
      width: '30%',
      cell: (row) => <span className="application-line two-lines">{row.description}</span>,
    },
    {
      id: 'owner',
      label: 'Owner',
      width: 140,
      wrap: true,
      cell: (row) => {
        const owner = counts?.get(row.id)?.owner;
        return owner && <ReportText>{owner.display_name}</ReportText>;
      },
    },
    {
      id: 'repositories',
      label: 'Repositories',
      align: 'right',
      cell: (row) => counts?.get(row.id)?.repositories.toLocaleString() ?? '…',
    },
    ...groupColumns<Application>(open),
    { id: 'updated', label: 'Changed', hidden: true, cell: (row) => <TimeText value={row.updated_at} /> },
  ];
}
