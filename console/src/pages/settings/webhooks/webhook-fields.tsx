/** The fields of a webhook: the address, and the events that it gets. */
import { MultiSelect, Stack } from '@mantine/core';
import { fieldError } from '../../../api/errors.ts';
import type { EventType, Webhook, WebhookFields, WebhookFormat } from '../../../api/webhooks.ts';
import { LeastSeverity } from '../../../components/least-severity.tsx';
import { NameField } from '../../../components/name-field.tsx';
import { RequiredText } from '../../../components/required-text.tsx';
import { ScopeFields } from '../scope-fields.tsx';
import { eventChoices } from './event-labels.ts';

export const noFields: WebhookFields = {
  name: '',
  url: '',
  types: [],
  least_severity: 'unknown',
  repositories: [],
  applications: [],
  enabled: true,
};

export function fieldsOf(webhook: Webhook): WebhookFields {
  return {
    name: webhook.name,
    url: webhook.url,
    types: webhook.types,
    least_severity: webhook.least_severity,
    repositories: webhook.repositories.map(({ id }) => id),
    applications: webhook.applications.map(({ id }) => id),
    enabled: webhook.enabled,
  };
}

/** The fields that show their own errors. */
export const shownFields = ['name', 'url', 'types', 'least_severity', 'repositories', 'applications'];

export const formatLabels: Record<WebhookFormat, string> = {
  standard: 'A program',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

const addresses: Record<WebhookFormat, { description: string; placeholder: string }> = {
  standard: {
    description: 'The https address of the receiver. Each event is sent there by POST.',
    placeholder: 'https://receiver.example.com/merlon',
  },
  slack: {
    description: 'The address of an incoming webhook of Slack.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    description: 'The address of a workflow of Teams that posts to a channel when it gets a request.',
    placeholder: 'https://….logic.azure.com/workflows/…',
  },
};

interface FieldsProps {
  format: WebhookFormat;
  fields: WebhookFields;
  change: (part: Partial<WebhookFields>) => void;
  error: unknown;
  /** The stored webhook. It may have repositories that are not among the choices. */
  stored?: Webhook;
}

export function FieldsOfWebhook({ format, fields, change, error, stored }: FieldsProps) {
  return (
    <Stack gap="md">
      <NameField value={fields.name} onChange={(name) => change({ name })} error={error} />
      <RequiredText
        label="Address"
        message="Enter the address."
        {...addresses[format]}
        maxLength={2_048}
        value={fields.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        refusal={fieldError(error, 'url')}
      />
      <MultiSelect
        label="Events"
        description={
          format === 'standard' || stored !== undefined
            ? 'None chosen: all types.'
            : 'None chosen: what is new, due within three days, overdue or failed, and what waits for a person.'
        }
        data={eventChoices}
        value={fields.types}
        onChange={(types) => change({ types: types as EventType[] })}
        searchable
        clearable
        error={fieldError(error, 'types')}
      />
      <LeastSeverity
        description="Events about vulnerabilities and violations below it are left out."
        value={fields.least_severity}
        onChange={(severity) => change({ least_severity: severity })}
      />
      <ScopeFields
        fields={fields}
        change={change}
        error={error}
        stored={stored}
        repositoriesNote="None chosen, and no application: all. Otherwise only events of these repositories."
        applicationsNote="The repositories that they have when an event is sent on."
      />
    </Stack>
  );
}
