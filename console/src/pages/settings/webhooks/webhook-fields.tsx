/** The fields of a webhook: the address, and the events that it gets. */
import { MultiSelect, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationsQuery } from '../../../api/applications.ts';
import { fieldError } from '../../../api/errors.ts';
import { repositoryChoicesQuery } from '../../../api/repository-names.ts';
import type { EventType, Webhook, WebhookFields, WebhookFormat } from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel } from '../../../components/badges.tsx';
import { RequiredText } from '../../../components/required-text.tsx';
import { severities } from '../../../theme.ts';
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
  /** The webhook as it is stored; it may have repositories that the choices do not hold. */
  stored?: Webhook;
}

export function FieldsOfWebhook({ format, fields, change, error, stored }: FieldsProps) {
  const { slug } = useWorkspace();
  const repositories = useQuery(repositoryChoicesQuery(slug));
  const applications = useQuery(applicationsQuery(slug, { per_page: 200 }));
  return (
    <Stack gap="md">
      <RequiredText
        label="Name"
        data-autofocus
        says="Enter a name."
        maxLength={255}
        value={fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        refusal={fieldError(error, 'name')}
      />
      <RequiredText
        label="Address"
        says="Enter the address."
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
            : 'None chosen: what is new, due soon, overdue or failed, and what waits for a person.'
        }
        data={eventChoices}
        value={fields.types}
        onChange={(types) => change({ types: types as EventType[] })}
        searchable
        clearable
        error={fieldError(error, 'types')}
      />
      <NativeSelect
        label="Least severity"
        description="Events about vulnerabilities and violations below it are left out."
        data={severities
          .map((value) => ({
            value,
            label: value === 'unknown' ? 'Any' : `${enumLabel(value)} or higher`,
          }))
          .toReversed()}
        value={fields.least_severity}
        onChange={(event) =>
          change({ least_severity: event.currentTarget.value as WebhookFields['least_severity'] })
        }
      />
      <MultiSelect
        label="Repositories"
        description="None chosen, and no application: all. Otherwise only events of these repositories."
        data={choicesOf(
          (repositories.data?.items ?? []).map(({ id, full_name: label }) => ({ value: id, label })),
          (stored?.repositories ?? []).map(({ id, full_name: label }) => ({ value: id, label })),
        )}
        value={fields.repositories}
        onChange={(chosen) => change({ repositories: chosen })}
        searchable
        clearable
        limit={50}
        error={fieldError(error, 'repositories')}
      />
      <MultiSelect
        label="Applications"
        description="The repositories that they have when an event is sent on."
        data={choicesOf(
          (applications.data?.items ?? []).map(({ id, name: label }) => ({ value: id, label })),
          (stored?.applications ?? []).map(({ id, name: label }) => ({ value: id, label })),
        )}
        value={fields.applications}
        onChange={(chosen) => change({ applications: chosen })}
        searchable
        clearable
        limit={50}
        error={fieldError(error, 'applications')}
      />
    </Stack>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** All choices, and those of the webhook that are not among them. What is deleted has no name any more. */
function choicesOf(found: Choice[], stored: Choice[]): Choice[] {
  const known = new Set(found.map(({ value }) => value));
  return [...found, ...stored.filter(({ value }) => !known.has(value))].map(({ value, label }) => ({
    value,
    label: label === '' ? `${value} (deleted)` : label,
  }));
}
