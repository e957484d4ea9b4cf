/** Issue trackers and linked issues as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import {
  IdAndName,
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
import { shownScope } from '../filter-scope.ts';
import { linkedIssueStates, type ShownIssueRow } from './linked-issue-store.ts';
import { issuePage } from './open-client.ts';
import { ruleFields, shownTrackerFields, TrackerKindName } from './tracker-input.ts';
import type { ShownTracker } from './tracker-service.ts';

export const IssueTracker = namedObject('IssueTracker', {
  id: Type.String(),
  kind: TrackerKindName,
  ...shownTrackerFields,
  disabled_reason: nullableString('Why the server has disabled it; null if a person did.'),
  rule: Type.Union(
    [
      Type.Object({
        since: Timestamp,
        ...ruleFields,
        repositories: Type.Array(RepositoryBrief),
        applications: Type.Array(IdAndName),
      }),
      Type.Null(),
    ],
    { description: 'Makes issues for what comes up after `since`; null: people make them.' },
  ),
  issues: namedObject('IssueFigures', {
    linked: Type.Integer(),
    waiting: Type.Integer({ description: 'Issues that are to be made.' }),
    failed: Type.Integer({ description: 'The last attempt to write them has failed.' }),
    deleted: Type.Integer({ description: 'They were deleted in the tracker.' }),
  }),
  error: nullableString('Of the last failure.'),
  retry_at: nullableTimestamp('The tracker is away, or has had too many requests: it is asked again then.'),
  created_at: Timestamp,
});

export const LinkedIssue = namedObject('LinkedIssue', {
  id: Type.String(),
  tracker: namedObject('LinkedIssueTracker', {
    id: Type.String(),
    name: Type.String(),
    kind: TrackerKindName,
  }),
  state: oneOf(
    linkedIssueStates,
    '`waiting`: it is to be made. `deleted`: it was deleted in the tracker, and is not made again by itself.',
  ),
  key: nullableString('Its number, or its key in Jira.'),
  url: NullableString,
  status: nullableString('As the tracker has it.'),
  closed: Type.Boolean({ description: 'True: it is closed in the tracker. That changes nothing in Merlon.' }),
  assignee: NullableString,
  changed_at: NullableTimestamp,
  group: Type.Boolean({
    description: 'True: it is about all vulnerabilities of a package in the repository.',
  }),
  by_rule: Type.Boolean(),
  vulnerabilities: Type.Integer({ description: 'The number of vulnerabilities that it is about.' }),
  open: Type.Integer({ description: 'How many of these vulnerabilities are open.' }),
  error: nullableString('Why the last attempt has failed.'),
  created_at: Timestamp,
});

export const VulnerabilityIssues = namedObject('VulnerabilityIssues', {
  items: Type.Array(LinkedIssue),
  trackers: Type.Array(LinkedIssue.properties.tracker, {
    description: 'The enabled trackers in which it has no issue yet.',
  }),
});

export function trackerItem({ row, figures, names }: ShownTracker) {
  const { linked, waiting, failed, deleted } = figures;
  return {
    id: formatId('issueTracker', row.id),
    name: row.name,
    kind: row.kind,
    url: row.url,
    project: row.project,
    user: row.user_name,
    labels: row.labels,
    issue_type: row.issue_type,
    closed_status: row.closed_status,
    open_status: row.open_status,
    allows_public: row.allows_public,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    rule:
      row.rule_since === null
        ? null
        : {
            since: timestamp(row.rule_since),
            least_severity: row.least_severity,
            blocking_only: row.blocking_only,
            ...shownScope(row, names),
          },
    issues: { linked, waiting, failed, deleted },
    error: row.error,
    retry_at: timestampOrNull(row.retry_at),
    created_at: timestamp(row.created_at),
  };
}

export function linkedIssueItem(row: ShownIssueRow) {
  const at = { kind: row.tracker_kind, url: row.tracker_url, project: row.tracker_project };
  return {
    id: formatId('linkedIssue', row.id),
    tracker: {
      id: formatId('issueTracker', row.tracker_id),
      name: row.tracker_name,
      kind: row.tracker_kind,
    },
    state: row.state,
    key: row.issue_key,
    url: row.issue_key === null ? null : issuePage(at, row.issue_key),
    status: row.issue_status,
    closed: row.is_closed,
    assignee: row.issue_assignee,
    changed_at: timestampOrNull(row.issue_changed_at),
    group: row.is_group,
    by_rule: row.by_rule,
    vulnerabilities: row.total,
    open: row.open,
    error: row.error,
    created_at: timestamp(row.created_at),
  };
}
