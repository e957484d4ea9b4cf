/** The receivers of the workspace's events, with their state and an admin's actions on each. */
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { changeWebhook, type Webhook, webhooksKey, webhooksQuery } from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import type { Column } from '../../../components/column.ts';
import { leastSeverityLabel } from '../../../components/least-severity.tsx';
import { SmallNote } from '../../../components/note.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { ReceiverActions, ReceiversSection } from '../receivers-section.tsx';
import { scopeText } from '../scope-fields.tsx';
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
  return (
    <ReceiversSection
      title="Webhooks"
      description="Events of the workspace are sent to these addresses as they happen: to programs each by itself and signed, to a channel of Slack or Teams as messages."
      one="webhook"
      newLabel="New webhook"
      query={useQuery(webhooksQuery(slug))}
      columns={columns}
      create={(dialog) => <CreateWebhook {...dialog} />}
    />
  );
}

function Receiver({ webhook: { name, url, format } }: { webhook: Webhook }) {
  return (
    <>
      <span className="break">{name}</span>
      <SmallNote isBreakable>{format === 'standard' ? url : `${formatLabels[format]}: ${url}`}</SmallNote>
    </>
  );
}

function Events({ webhook }: { webhook: Webhook }) {
  const { types, least_severity: severity } = webhook;
  const scope = scopeText(webhook);
  return (
    <>
      {types.length === 0 ? 'All' : types.map(eventLabel).join(', ')}
      {severity !== 'unknown' && <SmallNote>{leastSeverityLabel(severity)}</SmallNote>}
      {scope !== null && <SmallNote isBreakable>{scope}</SmallNote>}
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
      {!enabled && reason !== null && <SmallNote>{reason}</SmallNote>}
      {enabled && retryAt !== null && (
        <SmallNote>
          Tried again <TimeText value={retryAt} />
        </SmallNote>
      )}
      {notes.map((note) => (
        <SmallNote key={note}>{note}</SmallNote>
      ))}
      <SmallNote>
        Last delivery: <TimeText value={webhook.last_delivered_at} />
      </SmallNote>
    </>
  );
}

type Dialog = 'deliveries' | 'change' | 'secret';

function Actions({ webhook }: { webhook: Webhook }) {
  const { slug } = useWorkspace();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <ReceiverActions
        receiver={webhook}
        one="webhook"
        queryKey={webhooksKey(slug)}
        setEnabled={(enabled) => changeWebhook(slug, webhook.id, { enabled })}
        enabledNote="Waiting events are sent now."
        remove={() => api.deleteWebhook({ path: { tenant_slug: slug, webhook: webhook.id } })}
        removalNote={`${webhook.name} gets no more events, and the log of its deliveries is deleted.`}
      >
        <Menu.Item onClick={() => setDialog('deliveries')}>Deliveries</Menu.Item>
        <Menu.Item onClick={() => setDialog('change')}>Change</Menu.Item>
        {webhook.format === 'standard' && (
          <Menu.Item onClick={() => setDialog('secret')}>New secret</Menu.Item>
        )}
      </ReceiverActions>
      <WebhookDeliveries webhook={webhook} opened={dialog === 'deliveries'} onClose={close} />
      <ChangeWebhook webhook={webhook} opened={dialog === 'change'} onClose={close} />
      <NewSecret webhook={webhook} opened={dialog === 'secret'} onClose={close} />
    </>
  );
}
