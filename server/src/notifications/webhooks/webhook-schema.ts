/** Webhooks and deliveries as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import {
  IdAndName,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  nullableTimestamp,
  oneOf,
  RepositoryBrief,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { EventType } from '../feed/event-schema.ts';
import { shownScope } from '../filter-scope.ts';
import { type DeliveryRow, deliveryStatuses } from './delivery-store.ts';
import { shownWebhookFields, webhookFormat } from './webhook-input.ts';
import type { ShownWebhook } from './webhook-service.ts';

export const Webhook = namedObject('Webhook', {
  id: Type.String(),
  format: webhookFormat,
  ...shownWebhookFields,
  repositories: Type.Array(RepositoryBrief),
  applications: Type.Array(IdAndName),
  disabled_reason: nullableString('Why the server has disabled it; null if a person did.'),
  waiting: Type.Integer({ description: 'Events that are on their way.' }),
  failures: Type.Integer({
    description:
      'Attempts that failed since the last success; at most 2 after one by which the receiver shows that it is there.',
  }),
  retry_at: nullableTimestamp('The receiver is away: one event is tried then, and the others follow.'),
  missed: Type.Integer({
    description: 'Events that were deleted for their age before they were delivered.',
  }),
  previous_secret_until: nullableTimestamp('The secret before the last rotation signs too until then.'),
  last_delivered_at: NullableTimestamp,
  created_at: Timestamp,
});

export const WebhookWithSecret = namedObject('WebhookWithSecret', {
  webhook: Webhook,
  secret: nullableString('The signing secret. It is not shown again. Null if the format is not `standard`.'),
});

export const WebhookDelivery = namedObject('WebhookDelivery', {
  event: Type.String({ description: 'Id of the event: the webhook-id of each attempt.' }),
  type: EventType,
  status: oneOf(deliveryStatuses, '`failed`: all attempts have failed; a replay sends the event again.'),
  attempts: Type.Integer(),
  last_attempt_at: NullableTimestamp,
  next_attempt_at: NullableTimestamp,
  response_status: NullableInteger,
  error: NullableString,
  duration_ms: NullableInteger,
  created_at: Timestamp,
});

export function webhookItem({ row, waiting, names }: ShownWebhook) {
  return {
    id: formatId('webhook', row.id),
    format: row.format,
    name: row.name,
    url: row.url,
    types: row.types,
    least_severity: row.least_severity,
    ...shownScope(row, names),
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    waiting,
    failures: row.failures,
    retry_at: timestampOrNull(row.retry_at),
    missed: Number(row.missed),
    previous_secret_until: timestampOrNull(row.previous_secret_until),
    last_delivered_at: timestampOrNull(row.last_delivered_at),
    created_at: timestamp(row.created_at),
  };
}

export function deliveryItem(row: DeliveryRow) {
  return {
    event: formatId('event', row.event_id),
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: timestampOrNull(row.last_attempt_at),
    next_attempt_at: row.status === 'pending' ? timestamp(row.due_at) : null,
    response_status: row.response_status,
    error: row.error,
    duration_ms: row.duration_ms,
    created_at: timestamp(row.created_at),
  };
}
