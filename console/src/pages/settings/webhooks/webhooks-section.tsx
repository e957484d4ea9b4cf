/** The receivers of the workspace's events, with their state and what an admin can do with each. */
import { Button, Menu, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeWebhook,
  deleteWebhook,
  type Webhook,
  webhooksKey,
  webhooksQuery,
} from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { notifyDone, notifyError } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { ChangeWebhook } from './change-webhook.tsx';
import { CreateWebhook, NewSecret } from './create-webhook.tsx';
import { eventLabel } from './event-labels.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { formatLabels } from './webhook-fields.tsx';

const columns: Column<Webhook>[] = [
  { id: 'receiver', label: 'Receiver', wrap: true, cell: (webhook) => <Receiver webhook={webhook} /> },
  { id: 'events', label: 'Events', wrap: true, cell: (webhook) => <Events webhook={webhook} /> },
  { id: 'state', label: 'State', wrap: true, cell: (webhook) => <State webhook={webhook} /> },
  { id: 'action', label: 'Action', cell: (webhook) => <Actions webhook={webhook} /> },
];

export function WebhooksSection() {
  const { slug } = useWorkspace();
  const query = useQuery(webhooksQuery(slug));
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Section
      title="Webhooks"
      description="Events of the workspace are sent to these addresses as they happen: to programs each by itself and signed, to a channel of Slack or Teams as messages."
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setIsCreating(true)}
        >
          New webhook
        </Button>
      }
    >
      <Loaded query={query} what="the webhooks" lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              There is no webhook yet.
            </Text>
          ) : (
            <DataTable
              label="Webhooks"
              fixedColumns
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              nameOf={({ name }) => name}
            />
          )
        }
      </Loaded>
      <CreateWebhook opened={isCreating} onClose={() => setIsCreating(false)} />
    </Section>
  );
}

function Receiver({ webhook: { name, url, format } }: { webhook: Webhook }) {
  return (
    <>
      <span className="break">{name}</span>
      <Text size="xs" c="dimmed" className="break">
        {format === 'standard' ? url : `${formatLabels[format]}: ${url}`}
      </Text>
    </>
  );
}

function Events({ webhook }: { webhook: Webhook }) {
  const { types, least_severity: severity, repositories, applications } = webhook;
  const places = [
    ...applications.map(({ id, name }) => name || id),
    ...repositories.map(({ id, full_name: name }) => name || id),
  ];
  return (
    <>
      {types.length === 0 ? 'All' : types.map(eventLabel).join(', ')}
      {severity !== 'unknown' && (
        <Text size="xs" c="dimmed">
          {enumLabel(severity)} or higher
        </Text>
      )}
      {places.length > 0 && (
        <Text size="xs" c="dimmed" className="break">
          in {places.join(', ')}
        </Text>
      )}
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason: reason, failures, retry_at: retryAt, waiting, missed } = webhook;
  const notes = [
    waiting === 0 ? null : `${waiting.toLocaleString()} waiting`,
    missed === 0 ? null : `${missed.toLocaleString()} events were deleted before they were sent`,
  ].filter((note) => note !== null);
  return (
    <>
      {!enabled ? 'Disabled' : retryAt !== null ? 'Away' : failures > 0 ? 'Failing' : 'Active'}
      {!enabled && reason !== null && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
      {enabled && retryAt !== null && (
        <Text size="xs" c="dimmed">
          Tried again <TimeText value={retryAt} />
        </Text>
      )}
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        Last delivery: <TimeText value={webhook.last_delivered_at} />
      </Text>
    </>
  );
}

type Dialog = 'deliveries' | 'change' | 'secret';

function Actions({ webhook }: { webhook: Webhook }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const changed = () => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) });
  const enable = useMutation({
    mutationFn: () => changeWebhook(slug, webhook.id, { enabled: !webhook.enabled }),
    onSuccess: async ({ name, enabled }) => {
      notifyDone(enabled ? `${name} is enabled. Waiting events are sent now.` : `${name} is disabled.`);
      await changed();
    },
    onError: notifyError,
  });
  const remove = useMutation({
    mutationFn: () => deleteWebhook(slug, webhook.id),
    onSuccess: async () => {
      notifyDone(`The webhook ${webhook.name} is deleted.`);
      await changed();
    },
    onError: notifyError,
  });
  const askToRemove = () =>
    modals.openConfirmModal({
      title: 'Delete the webhook',
      children: (
        <Text size="sm" className="break">
          {webhook.name} gets no more events, and the log of its deliveries is deleted.
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
            aria-label={`Actions of ${webhook.name}`}
            loading={enable.isPending || remove.isPending}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('deliveries')}>Deliveries</Menu.Item>
          <Menu.Item onClick={() => setDialog('change')}>Change</Menu.Item>
          {webhook.format === 'standard' && (
            <Menu.Item onClick={() => setDialog('secret')}>New secret</Menu.Item>
          )}
          <Menu.Item onClick={() => enable.mutate()}>{webhook.enabled ? 'Disable' : 'Enable'}</Menu.Item>
          <Menu.Item color="red" onClick={askToRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookDeliveries webhook={webhook} opened={dialog === 'deliveries'} onClose={close} />
      <ChangeWebhook webhook={webhook} opened={dialog === 'change'} onClose={close} />
      <NewSecret webhook={webhook} opened={dialog === 'secret'} onClose={close} />
    </>
  );
}
