/** The labels of the audit log. Names that only a newer server knows are shown as they are. */
import { enumLabel } from '../../components/badges.tsx';
import { isObject } from '../../components/is-object.ts';

const actions: Record<string, string> = {
  'advisory_name.forget': 'Forgot a name of an advisory',
  'advisory_name.restore': 'Restored a name of an advisory',
  'application.change': 'Changed the application',
  'application.cra_notification': 'Recorded a CRA notification',
  'application.create': 'Created the application',
  'application.delete': 'Deleted the application',
  'application.repositories': 'Changed the repositories of the application',
  'comment.create': 'Commented',
  'comment.delete': 'Deleted a comment',
  'exception.approve': 'Approved the exception',
  'exception.end': 'Ended the exception',
  'exception.refuse': 'Refused the exception',
  'exception.request': 'Requested an exception',
  'exception.withdraw': 'Withdrew the exception',
  'inventory.apply': 'Applied an inventory',
  'invitation.accept': 'Joined by an invitation',
  'invitation.create': 'Invited somebody',
  'invitation.withdraw': 'Withdrew an invitation',
  'issue_tracker.change': 'Changed an issue tracker',
  'issue_tracker.create': 'Created an issue tracker',
  'issue_tracker.delete': 'Deleted an issue tracker',
  'key.create': 'Created an API key',
  'key.revoke': 'Revoked an API key',
  'member.remove': 'Removed a member',
  'member.set': 'Set the role of a member',
  'policy.change': 'Changed the policy',
  'policy.create': 'Created the policy',
  'repository.code_owners': 'Changed the code owners of the repository',
  'repository.default_branch': 'Moved the default branch',
  'repository.exposed': 'Set whether the repository is exposed',
  'repository.external_id': 'Set the id of the repository in its VCS',
  'repository.reference': 'Changed base, environment or end of a reference',
  'repository.tracked_branches': 'Changed the tracked branches',
  'repository.rename': 'Renamed the repository',
  'saved_view.change': 'Changed a saved view',
  'saved_view.create': 'Saved a view',
  'saved_view.delete': 'Deleted a saved view',
  'series.discard': 'Discarded a closure',
  'series.release': 'Released a closure',
  'series.retire': 'Retired a series',
  'team.change': 'Changed the team',
  'team.create': 'Created the team',
  'team.delete': 'Deleted the team',
  'trust_rule.create': 'Created a trust rule for CI',
  'trust_rule.delete': 'Deleted a trust rule for CI',
  'user.disable': 'Disabled the account',
  'user.email': 'Changed the e-mail address',
  'user.enable': 'Enabled the account',
  'user.link_identity': 'Linked an identity of the provider to the account',
  'user.lock_out': 'Locked out after too many wrong passwords',
  'user.password': 'Changed the password',
  'user.sync_teams': 'Signed in with groups of teams',
  'user.transfer': 'Transferred the account to the owner of its address',
  'violation.snooze': 'Snoozed a violation',
  'violation.undo': 'Undid a snooze or its end',
  'violation.wake': 'Ended the snooze of a violation',
  'vulnerability.accept': 'Accepted the risk',
  'vulnerability.assign': 'Assigned the vulnerability',
  'vulnerability.comment': 'Commented on the vulnerability',
  'vulnerability.confirm': 'Confirmed the vulnerability',
  'vulnerability.create_issue': 'Created an issue',
  'vulnerability.delete_comment': 'Deleted a comment',
  'vulnerability.ignore': 'Ignored the vulnerability',
  'vulnerability.merge': 'Merged vulnerabilities',
  'vulnerability.reject': 'Rejected the vulnerability',
  'vulnerability.reopen': 'Reopened the vulnerability',
  'vulnerability.split': 'Split the vulnerability',
  'vulnerability.unassign': 'Unassigned the vulnerability',
  'vulnerability.undo': 'Undid a decision',
  'vulnerability.unlink_issue': 'Unlinked an issue',
  'webhook.change': 'Changed a webhook',
  'webhook.create': 'Created a webhook',
  'webhook.delete': 'Deleted a webhook',
  'webhook.replay': 'Sent events of a webhook again',
  'webhook.rotate_secret': 'Created a new secret of a webhook',
  'workspace.change': 'Changed the workspace',
  'workspace.create': 'Created the workspace',
};

export function actionText(action: string): string {
  return actions[action] ?? enumLabel(action.replace('.', ': '));
}

export interface Datum {
  name: string;
  value: string;
  /** The value is an instant in the API's format. */
  isTime: boolean;
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/**
 * Writes the data of an event, one property a line: `{ name: { from: 'a', to: 'b' } }` → `Name: a → b`. Empty values
 * are left out. `nameOf` maps an id to a name.
 */
export function dataFields(
  data: Record<string, unknown>,
  nameOf: (id: string) => string | undefined,
): Datum[] {
  return Object.entries(data).flatMap(([key, value]) => datum(key, value, nameOf));
}

// The values of these are names of the API.
const enumFields = new Set(['resolution', 'mode', 'status']);

function datum(key: string, value: unknown, nameOf: (id: string) => string | undefined): Datum[] {
  const name = enumLabel(key);
  if (isEmpty(value)) return [];
  if (isObject(value)) {
    if ('from' in value && 'to' in value && Object.keys(value).length === 2) {
      return [{ name, value: `${plain(value.from, nameOf)} → ${plain(value.to, nameOf)}`, isTime: false }];
    }
    return Object.entries(value).flatMap(([inner, of]) => datum(`${name}, ${inner}`, of, nameOf));
  }
  const text = plain(value, nameOf);
  return [
    {
      name,
      value: enumFields.has(key) ? text.replaceAll('_', ' ') : text,
      isTime: typeof value === 'string' && time.test(value),
    },
  ];
}

function plain(value: unknown, nameOf: (id: string) => string | undefined): string {
  if (isEmpty(value)) return 'nothing';
  if (Array.isArray(value)) return value.map((each) => plain(each, nameOf)).join(', ');
  if (isObject(value)) {
    return Object.entries(value)
      .map(([key, inner]) => `${enumLabel(key).toLowerCase()} ${plain(inner, nameOf)}`)
      .join(', ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString();
  return nameOf(String(value)) ?? String(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
