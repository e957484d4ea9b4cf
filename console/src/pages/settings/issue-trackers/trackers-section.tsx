/** The projects in which issues are made, with their state and what an admin can do with each. */
import { Button, Menu, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeTracker,
  deleteTracker,
  type IssueTracker,
  trackersKey,
  trackersQuery,
} from '../../../api/issues.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { notifyDone, notifyError } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { TrackerDialog } from './tracker-dialog.tsx';
import { kindLabels } from './tracker-fields.tsx';

const columns: Column<IssueTracker>[] = [
  { id: 'tracker', label: 'Tracker', wrap: true, cell: (tracker) => <Project tracker={tracker} /> },
  { id: 'rule', label: 'Makes issues', wrap: true, cell: (tracker) => <Rule tracker={tracker} /> },
  { id: 'state', label: 'State', wrap: true, cell: (tracker) => <State tracker={tracker} /> },
  { id: 'action', label: 'Action', cell: (tracker) => <Actions tracker={tracker} /> },
];

export function TrackersSection() {
  const { slug } = useWorkspace();
  const query = useQuery(trackersQuery(slug));
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Section
      title="Issue trackers"
      description="Issues about vulnerabilities are made in these projects, closed when all is fixed, and opened when something is back."
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setIsCreating(true)}
        >
          New tracker
        </Button>
      }
    >
      <Loaded query={query} what="the issue trackers" lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              There is no issue tracker yet.
            </Text>
          ) : (
            <DataTable
              label="Issue trackers"
              fixedColumns
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              nameOf={({ name }) => name}
            />
          )
        }
      </Loaded>
      <TrackerDialog opened={isCreating} onClose={() => setIsCreating(false)} />
    </Section>
  );
}

function Project({ tracker: { name, kind, project, url } }: { tracker: IssueTracker }) {
  return (
    <>
      <span className="break">{name}</span>
      <Text size="xs" c="dimmed" className="break">
        {kindLabels[kind]}: {project}
      </Text>
      <Text size="xs" c="dimmed" className="break">
        {url}
      </Text>
    </>
  );
}

function Rule({ tracker: { rule } }: { tracker: IssueTracker }) {
  if (rule === null) return 'By hand';
  const places = [
    ...rule.applications.map(({ id, name }) => name || id),
    ...rule.repositories.map(({ id, full_name: name }) => name || id),
  ];
  const notes = [
    rule.least_severity === 'unknown' ? null : `${enumLabel(rule.least_severity)} or higher`,
    rule.blocking_only ? 'only what a policy blocks' : null,
    places.length === 0 ? null : `in ${places.join(', ')}`,
  ].filter((note) => note !== null);
  return (
    <>
      By itself
      <Text size="xs" c="dimmed">
        since <TimeText value={rule.since} />
      </Text>
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed" className="break">
          {note}
        </Text>
      ))}
    </>
  );
}

function State({ tracker }: { tracker: IssueTracker }) {
  const { enabled, disabled_reason: reason, retry_at: retryAt, error, issues } = tracker;
  const notes = [
    enabled ? error : reason,
    `${issues.linked.toLocaleString()} linked`,
    issues.waiting === 0 ? null : `${issues.waiting.toLocaleString()} waiting`,
    issues.failed === 0 ? null : `${issues.failed.toLocaleString()} failed`,
    issues.deleted === 0 ? null : `${issues.deleted.toLocaleString()} deleted there`,
  ].filter((note) => note !== null);
  return (
    <>
      {!enabled ? 'Disabled' : retryAt !== null ? 'Away' : 'Active'}
      {enabled && retryAt !== null && (
        <Text size="xs" c="dimmed">
          Tried again <TimeText value={retryAt} />
        </Text>
      )}
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed" className="break">
          {note}
        </Text>
      ))}
    </>
  );
}

function Actions({ tracker }: { tracker: IssueTracker }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [isChanging, setIsChanging] = useState(false);
  const changed = () => queryClient.invalidateQueries({ queryKey: trackersKey(slug) });
  const enable = useMutation({
    mutationFn: () => changeTracker(slug, tracker.id, { enabled: !tracker.enabled }),
    onSuccess: async ({ name, enabled }) => {
      notifyDone(`${name} is ${enabled ? 'enabled' : 'disabled'}.`);
      await changed();
    },
    onError: notifyError,
  });
  const remove = useMutation({
    mutationFn: () => deleteTracker(slug, tracker.id),
    onSuccess: async () => {
      notifyDone(`The issue tracker ${tracker.name} is deleted.`);
      await changed();
    },
    onError: notifyError,
  });
  const askToRemove = () =>
    modals.openConfirmModal({
      title: 'Delete the issue tracker',
      children: (
        <Text size="sm" className="break">
          The issues in {tracker.project} stay as they are. Merlon forgets them, and does not close them any
          more.
        </Text>
      ),
      labels: { confirm: 'Delete', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Actions of ${tracker.name}`}
            loading={enable.isPending || remove.isPending}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setIsChanging(true)}>Change</Menu.Item>
          <Menu.Item onClick={() => enable.mutate()}>{tracker.enabled ? 'Disable' : 'Enable'}</Menu.Item>
          <Menu.Item color="red" onClick={askToRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TrackerDialog tracker={tracker} opened={isChanging} onClose={() => setIsChanging(false)} />
    </>
  );
}
