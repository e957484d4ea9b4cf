/** The deliveries of a webhook: pending, delivered and failed ones, with a button to send again. */
import { Button, Group, Modal, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Delivery,
  deliveriesKey,
  deliveriesQuery,
  replayWebhook,
  type Webhook,
  webhooksKey,
} from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel } from '../../../components/badges.tsx';
import { choicesOf } from '../../../components/choices.ts';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Note, SmallNote } from '../../../components/note.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useAction } from '../../../components/use-action.ts';
import { eventLabel } from './event-labels.ts';

interface DeliveriesProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

export function WebhookDeliveries({ webhook, opened, onClose }: DeliveriesProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Deliveries of ${webhook.name}`} size={860}>
      <Content webhook={webhook} />
    </Modal>
  );
}

type Filter = Delivery['status'] | '';

function Content({ webhook }: { webhook: Webhook }) {
  const { slug } = useWorkspace();
  const [status, setStatus] = useState<Filter>('');
  const query = useInfiniteQuery(deliveriesQuery(slug, webhook.id, status === '' ? undefined : status));
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      label: 'Event',
      wrap: true,
      cell: ({ type, event }) => (
        <>
          {eventLabel(type)}
          <Text size="xs" c="dimmed" className="mono break">
            {event}
          </Text>
        </>
      ),
    },
    { id: 'status', label: 'Status', wrap: true, cell: (delivery) => <State delivery={delivery} /> },
    { id: 'answer', label: 'Answer', wrap: true, cell: answerOf },
    { id: 'last', label: 'Last attempt', cell: (row) => <TimeText value={row.last_attempt_at} /> },
    { id: 'action', label: 'Action', cell: (row) => <SendAgain webhook={webhook} delivery={row} /> },
  ];
  return (
    <>
      <Group justify="space-between" align="end" mb="sm">
        <NativeSelect
          label="Status"
          size="xs"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as Filter)}
          data={choicesOf<Filter>({
            '': 'All',
            pending: 'Pending',
            delivered: 'Delivered',
            failed: 'Failed',
          })}
        />
        <SendFailedAgain webhook={webhook} />
      </Group>
      <Loaded query={query} noun="the deliveries" lines={4}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          if (rows.length === 0) {
            return (
              <Note>
                {status === '' ? 'No event has been sent yet.' : 'There are none with this status.'}
              </Note>
            );
          }
          return (
            <>
              <DataTable
                label="Deliveries"
                fixedColumns
                columns={columns}
                rows={rows}
                keyOf={({ event }) => event}
                nameOf={({ event }) => event}
              />
              <ShowMore query={query} noun="deliveries" mt="sm" />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function State({ delivery: { status, attempts, next_attempt_at: next } }: { delivery: Delivery }) {
  return (
    <>
      {enumLabel(status)}
      <SmallNote>
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
        {next !== null && attempts > 0 && (
          <>
            , next <TimeText value={next} />
          </>
        )}
      </SmallNote>
    </>
  );
}

function answerOf({ response_status: status, error }: Delivery): string {
  return [status === null ? null : `HTTP ${status}`, error].filter((text) => text !== null).join(': ') || '–';
}

function useSendAgain(webhook: Webhook) {
  const { slug } = useWorkspace();
  return useAction({
    act: (events: string[] | 'failed') => replayWebhook(slug, webhook.id, events),
    done: ({ replayed }) =>
      replayed === 1 ? 'The event is sent again.' : `${replayed} events are sent again.`,
    changed: [deliveriesKey(slug, webhook.id), webhooksKey(slug)],
  });
}

function SendFailedAgain({ webhook }: { webhook: Webhook }) {
  const { mutate, isPending } = useSendAgain(webhook);
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate('failed')}>
      Send all failed again
    </Button>
  );
}

function SendAgain({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { mutate, isPending } = useSendAgain(webhook);
  // A waiting event is sent anyway.
  if (delivery.status === 'pending') return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      aria-label={`Send ${delivery.event} again`}
      onClick={() => mutate([delivery.event])}
    >
      Send again
    </Button>
  );
}
