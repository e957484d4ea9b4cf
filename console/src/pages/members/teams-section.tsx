/** The teams of the workspace. Members see them; admins create, change and delete them. */
import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Team, type TeamOpen, teamOpenQuery, teamsKey, teamsQuery } from '../../api/teams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { severityColumn } from '../../components/group-columns.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { Note } from '../../components/note.tsx';
import { Section } from '../../components/section.tsx';
import { TeamForm } from './team-form.tsx';

function columnsOf(slug: string, open: Map<string, TeamOpen> | undefined): Column<Team>[] {
  return [
    {
      id: 'name',
      label: 'Team',
      wrap: true,
      cell: ({ name, is_mine: isMine }) => (
        <>
          <span className="break">{name}</span> {isMine && <ToneBadge tone="plain">Yours</ToneBadge>}
        </>
      ),
    },
    {
      id: 'owner-names',
      label: 'In CODEOWNERS files',
      wrap: true,
      cell: ({ owner_names: names }) => <span className="break">{names.join(', ')}</span>,
    },
    {
      id: 'members',
      label: 'Members',
      align: 'right',
      cell: ({ members_count: count }) => count.toLocaleString(),
    },
    {
      id: 'open',
      label: 'Open',
      align: 'right',
      cell: ({ id, name }) => (
        <Link
          to="/w/$slug/vulnerabilities"
          params={{ slug }}
          search={{ team: id }}
          aria-label={`Open vulnerabilities of ${name}`}
        >
          {open?.get(id)?.open.toLocaleString() ?? '…'}
        </Link>
      ),
    },
    severityColumn<Team>(open),
  ];
}
const action: Column<Team> = { id: 'action', label: 'Action', cell: (team) => <Actions team={team} /> };

export function TeamsSection() {
  const { slug, may } = useWorkspace();
  const query = useQuery(teamsQuery(slug));
  const open = useQuery(teamOpenQuery(slug));
  const columns = columnsOf(slug, open.data);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Section
      title="Teams"
      description="Members who own code together. A CODEOWNERS file says which parts of a repository are theirs."
      actions={
        may('admin') && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => setIsCreating(true)}
          >
            New team
          </Button>
        )
      }
    >
      <ListTable
        query={query}
        noun="the teams"
        lines={2}
        none={<Note>There is no team yet.</Note>}
        label="Teams"
        fixedColumns
        columns={may('admin') ? [...columns, action] : columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
      />
      <TeamForm opened={isCreating} onClose={() => setIsCreating(false)} />
    </Section>
  );
}

function Actions({ team: { id, name } }: { team: Team }) {
  const { slug } = useWorkspace();
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Change ${name}`}
        onClick={() => setIsChanging(true)}
      >
        Change
      </Button>
      <ConfirmedButton
        aria-label={`Delete ${name}`}
        title="Delete the team"
        consequences={`${name} owns no code any more. Its members stay in the workspace.`}
        confirm="Delete"
        isRemoval
        act={() => api.deleteTeam({ path: { tenant_slug: slug, team: id } })}
        done={`The team ${name} is deleted.`}
        changed={[teamsKey(slug)]}
      >
        Delete
      </ConfirmedButton>
      <TeamForm opened={isChanging} onClose={() => setIsChanging(false)} team={id} />
    </Group>
  );
}
