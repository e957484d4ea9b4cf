/** The workspaces that the person is a member of. The operator of the server creates new ones here. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Workspace, workspacesQuery } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CreateWorkspace } from './create-workspace.tsx';

const columns: Column<Workspace>[] = [
  {
    id: 'name',
    label: 'Name',
    cell: (row) => (
      <Link to="/w/$slug" params={{ slug: row.slug }}>
        {row.workspace}
      </Link>
    ),
  },
  {
    id: 'slug',
    label: 'Slug',
    cell: (row) => (
      <>
        <span className="mono">{row.slug}</span>{' '}
        <CopyButton value={row.slug} label={`Copy the slug ${row.slug}`} size="xs" />
      </>
    ),
  },
  { id: 'role', label: 'Your role', cell: (row) => enumLabel(row.role) },
  {
    id: 'repositories',
    label: 'Repositories',
    align: 'right',
    cell: (row) => row.repositories.toLocaleString(),
  },
  { id: 'open', label: 'Open vulnerabilities', align: 'right', cell: (row) => row.open.toLocaleString() },
];

export function WorkspacesPage() {
  const query = useQuery(workspacesQuery);
  const [isCreating, creating] = useDisclosure(false);
  const mayCreate = query.data?.may_create ?? false;
  return (
    <>
      <PageHeader
        title="Workspaces"
        description="Each has its own repositories, findings, policies, members and API keys. The slug is part of every address of the API."
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
              New workspace
            </Button>
          )
        }
      />
      <ListTable
        query={query}
        noun="the workspaces"
        none={<NoWorkspace mayCreate={mayCreate} />}
        label="Workspaces"
        fixedColumns
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={(row) => row.workspace}
      />
      <CreateWorkspace opened={isCreating} onClose={creating.close} />
    </>
  );
}

function NoWorkspace({ mayCreate }: { mayCreate: boolean }) {
  return mayCreate ? (
    <EmptyState title="There is no workspace yet">
      Create one with the button above. Then create an API key in it, and upload the first report.
    </EmptyState>
  ) : (
    <EmptyState title="You are in no workspace">
      Ask an administrator of a workspace to invite you, with the e-mail that you have signed in with.
    </EmptyState>
  );
}
