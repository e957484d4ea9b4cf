/** The fields of a webhook that an admin sets. */
import { type Static, Type } from 'typebox';
import { severities } from '../../domain/packed-state.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { workspaceEventTypes } from '../../domain/workspace-event.ts';
import { closedObject, oneOf } from '../../http/schema.ts';
import { EventType } from '../feed/event-schema.ts';
import { filterIds } from '../filter-scope.ts';
import { webhookFormats } from './webhook-store.ts';

export const maxUrlLength = 2_048;

export const webhookFormat = oneOf(
  webhookFormats,
  '`standard`: each event, signed. `slack`, `teams`: one message for people about all that is new, unsigned. It is not changed later.',
);

/** Those that an answer shows too. */
export const shownWebhookFields = {
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  url: Type.String({
    minLength: 1,
    maxLength: maxUrlLength,
    description:
      'https address that takes the events by POST. Its path and query are not shown again, because they may be a token.',
  }),
  types: Type.Array(EventType, {
    maxItems: workspaceEventTypes.length,
    description: 'Only these types; none: all.',
  }),
  least_severity: oneOf(
    severities,
    'Events of vulnerabilities and violations below it are left out, but for the one by which the severity sinks below it; `unknown`: none is.',
  ),
  enabled: Type.Boolean({
    description: 'While it is false, events wait; they are kept for MERLON_KEEP_EVENTS_DAYS.',
  }),
};

const webhookFields = {
  ...shownWebhookFields,
  repositories: filterIds(
    'Ids, repo_…. With repositories or applications, only events of these; events of no repository are left out.',
  ),
  applications: filterIds('Ids, app_…. The repositories that they have when the event is read.'),
};

const { name, url, ...filterFields } = webhookFields;
export const NewWebhook = closedObject({
  name,
  url,
  ...Type.Partial(Type.Object({ format: webhookFormat, ...filterFields })).properties,
});
export type NewWebhook = Static<typeof NewWebhook>;
/** A new webhook whose every field is chosen. */
export type WebhookInput = Required<NewWebhook>;

export const WebhookChange = Type.Partial(Type.Object(webhookFields), { additionalProperties: false });
export type WebhookChange = Static<typeof WebhookChange>;
