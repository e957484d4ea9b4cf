/** The fields of an issue tracker: the project, the token, and the rule by which it makes issues by itself. */
import { Checkbox, PasswordInput, Stack, TagsInput, TextInput } from '@mantine/core';
import { fieldError } from '../../../api/errors.ts';
import type { IssueTracker, TrackerFields, TrackerKind } from '../../../api/issues.ts';
import { LeastSeverity } from '../../../components/least-severity.tsx';
import { NameField } from '../../../components/name-field.tsx';
import { RequiredText } from '../../../components/required-text.tsx';
import { useRequired } from '../../../components/use-required.ts';
import { ScopeFields } from '../scope-fields.tsx';

export const noFields: TrackerFields = {
  name: '',
  url: '',
  project: '',
  token: '',
  user: null,
  labels: [],
  issue_type: null,
  closed_status: null,
  open_status: null,
  allows_public: false,
  rule: null,
};

const noRule = {
  least_severity: 'unknown',
  blocking_only: false,
  repositories: [],
  applications: [],
} as const;

export function fieldsOf(tracker: IssueTracker): TrackerFields {
  const { name, url, project, user, labels, issue_type, closed_status, open_status, allows_public, rule } =
    tracker;
  return {
    ...{ name, url, project, user, labels, issue_type, closed_status, open_status, allows_public, token: '' },
    rule: rule && {
      least_severity: rule.least_severity,
      blocking_only: rule.blocking_only,
      repositories: rule.repositories.map(({ id }) => id),
      applications: rule.applications.map(({ id }) => id),
    },
  };
}

/** The fields that show their own errors. */
export const shownFields = [
  ...['name', 'url', 'project', 'token', 'user', 'labels', 'issue_type', 'closed_status', 'open_status'],
  ...['repositories', 'applications'],
];

export const kindLabels: Record<TrackerKind, string> = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' };

const projects: Record<TrackerKind, { label: string; placeholder: string }> = {
  github: { label: 'Repository', placeholder: 'acme/shop' },
  gitlab: { label: 'Project', placeholder: 'acme/web/shop' },
  jira: { label: 'Key of the project', placeholder: 'SHOP' },
};
const addresses: Record<TrackerKind, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  jira: 'https://acme.atlassian.net',
};

interface FieldsProps {
  kind: TrackerKind;
  fields: TrackerFields;
  change: (part: Partial<TrackerFields>) => void;
  error: unknown;
  /** The tracker as it is stored. */
  stored?: IssueTracker;
}

export function FieldsOfTracker({ kind, fields, change, error, stored }: FieldsProps) {
  const { rule } = fields;
  const address = useRequired({
    message: 'Enter the address.',
    refusal: fieldError(error, 'url'),
    value: fields.url,
    isRequired: kind === 'jira',
  });
  const token = useRequired({
    message: 'Enter the token.',
    refusal: fieldError(error, 'token'),
    value: fields.token,
    isRequired: stored === undefined,
  });
  return (
    <Stack gap="md">
      <NameField
        description="People choose the tracker by it."
        value={fields.name}
        onChange={(name) => change({ name })}
        error={error}
      />
      <TextInput
        label="Address"
        description={kind === 'jira' ? undefined : 'Only for a server of your own.'}
        placeholder={addresses[kind]}
        maxLength={255}
        value={fields.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        {...address}
      />
      <RequiredText
        {...projects[kind]}
        message="Enter the project."
        maxLength={255}
        value={fields.project}
        onChange={(event) => change({ project: event.currentTarget.value })}
        refusal={fieldError(error, 'project')}
      />
      {kind === 'jira' && (
        <OptionalText
          label="User"
          description="Jira Cloud: the e-mail address of the token’s user. Empty for Jira Data Center."
          value={fields.user}
          onChange={(user) => change({ user })}
          error={fieldError(error, 'user')}
        />
      )}
      <PasswordInput
        label="Token"
        description={
          stored === undefined
            ? 'It is encrypted, and not shown again.'
            : 'Empty: the one that is stored. Another address needs it again.'
        }
        maxLength={1_000}
        autoComplete="off"
        value={fields.token}
        onChange={(event) => change({ token: event.currentTarget.value })}
        {...token}
      />
      <TagsInput
        label="Labels"
        description="Of new issues, besides merlon. Press Enter after each."
        maxTags={10}
        value={fields.labels}
        onChange={(labels) => change({ labels })}
        error={fieldError(error, 'labels')}
      />
      {kind === 'jira' ? (
        <JiraFields fields={fields} change={change} error={error} />
      ) : (
        <Checkbox
          label="Issues may be public"
          description="Otherwise nothing is written to a project that everybody can read."
          checked={fields.allows_public}
          onChange={(event) => change({ allows_public: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label="Make issues by itself"
        description="For what comes up from now on: one issue for each package in a repository, at most 30 in an hour."
        checked={rule !== null}
        onChange={(event) =>
          change({
            rule: event.currentTarget.checked ? { ...noRule, repositories: [], applications: [] } : null,
          })
        }
      />
      {rule !== null && (
        <>
          <LeastSeverity
            description="Vulnerabilities below it get no issue."
            value={rule.least_severity}
            onChange={(severity) => change({ rule: { ...rule, least_severity: severity } })}
          />
          <Checkbox
            label="Only what violates a policy that blocks"
            checked={rule.blocking_only}
            onChange={(event) => change({ rule: { ...rule, blocking_only: event.currentTarget.checked } })}
          />
          <ScopeFields
            fields={rule}
            change={(part) => change({ rule: { ...rule, ...part } })}
            error={error}
            stored={stored?.rule}
            repositoriesNote="None chosen, and no application: all."
            applicationsNote="The repositories that they have at the time."
          />
        </>
      )}
    </Stack>
  );
}

function JiraFields({ fields, change, error }: Pick<FieldsProps, 'fields' | 'change' | 'error'>) {
  return (
    <>
      <OptionalText
        label="Type of issues"
        description="Empty: Task."
        value={fields.issue_type}
        onChange={(type) => change({ issue_type: type })}
        error={fieldError(error, 'issue_type')}
      />
      <OptionalText
        label="Status of closed issues"
        description="Empty: the first one of the category “done” to which the workflow leads."
        value={fields.closed_status}
        onChange={(status) => change({ closed_status: status })}
        error={fieldError(error, 'closed_status')}
      />
      <OptionalText
        label="Status of issues that are open again"
        description="Empty: the first one that is not “done”."
        value={fields.open_status}
        onChange={(status) => change({ open_status: status })}
        error={fieldError(error, 'open_status')}
      />
    </>
  );
}

interface OptionalTextProps {
  label: string;
  description: string;
  value: string | null;
  onChange: (value: string | null) => void;
  error: string | null | undefined;
}

function OptionalText({ value, onChange, ...props }: OptionalTextProps) {
  return (
    <TextInput
      {...props}
      maxLength={255}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  );
}
