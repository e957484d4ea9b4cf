/**
 * Issue trackers of a workspace: an admin, or the operator, says in which project Merlon makes issues. The person who
 * makes one decides who reads about the vulnerabilities, so these functions are for admins alone.
 */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import { setHasIssueTrackers } from '../../access/workspaces/store.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { Tx } from '../../db/database.ts';
import { invalidInput, invalidTransition, orNotFound } from '../../domain/errors.ts';
import { formatId, getId, type IssueTrackerId, newId } from '../../domain/ids.ts';
import { checkedName } from '../../domain/plain-name.ts';
import { readOutboxState } from '../../events/read-events.ts';
import { checkedScope, namesOfScopes, recordedScope } from '../filter-scope.ts';
import { checkedAddress, type OutboundRules } from '../outbound/outbound-rules.ts';
import { countIssues, hasIssues, type IssueFigures, makeFailedDue } from './linked-issue-store.ts';
import { defaultIssueType } from './open-client.ts';
import type { TrackerKind } from './tracker-client.ts';
import { maxTrackerUrl, type TrackerChange, type TrackerInput, type TrackerRule } from './tracker-input.ts';
import {
  deleteTracker,
  findTracker,
  insertTracker,
  listTrackers,
  lockTracker,
  setTrackerDue,
  type TrackerFields,
  type TrackerRow,
  updateTracker,
} from './tracker-store.ts';
import { sealToken } from './tracker-token.ts';

// A workspace has a few teams with a tracker each. Each tracker reads all new events.
const maxTrackers = 20;

export interface ShownTracker {
  row: TrackerRow;
  figures: Omit<IssueFigures, 'tracker_id'>;
  /** The names of its repositories and applications, by id. */
  names: ReadonlyMap<string, string>;
}

/** All trackers of the workspace, newest first, with the numbers of their issues. */
export async function showTrackers(tx: Tx): Promise<ShownTracker[]> {
  return withFigures(tx, await listTrackers(tx));
}

async function withFigures(tx: Tx, rows: TrackerRow[]): Promise<ShownTracker[]> {
  const counted = new Map((await countIssues(tx)).map((figures) => [figures.tracker_id, figures]));
  const names = await namesOfScopes(tx, rows);
  const none = { linked: 0, waiting: 0, failed: 0, deleted: 0 };
  return rows.map((row) => ({ row, figures: counted.get(row.id) ?? none, names }));
}

async function getTracker(tx: Tx, id: IssueTrackerId): Promise<ShownTracker> {
  const [shown] = await withFigures(tx, [orNotFound(await findTracker(tx, id))]);
  return orNotFound(shown);
}

/** Throws DomainError for a field that is wrong, and 409 if there are too many trackers. */
export async function createTracker(
  tx: Tx,
  actor: Actor,
  input: TrackerInput,
  rules: OutboundRules,
): Promise<ShownTracker> {
  const id = newId<'issueTracker'>();
  const fields = await checkedFields(tx, id, input, rules, null);
  await setHasIssueTrackers(tx);
  if ((await listTrackers(tx)).length >= maxTrackers) {
    throw invalidTransition(
      `The workspace has ${maxTrackers} issue trackers, which is the most: delete one.`,
    );
  }
  const { last } = await readOutboxState(tx);
  const row = { ...fields, id, kind: input.kind, position: last, created_at: new Date() };
  await insertTracker(tx, row);
  const shown = await getTracker(tx, id);
  await record(tx, actor, 'issue_tracker.create', shown);
  return shown;
}

/**
 * Changes these fields. The project is checked again, and what has failed is tried again. Another address needs the
 * token again, so that the one that is stored goes nowhere else. Throws DomainError, 404, and 409 for another project
 * once there are issues.
 */
export async function changeTracker(
  tx: Tx,
  actor: Actor,
  text: string,
  change: TrackerChange,
  rules: OutboundRules,
): Promise<ShownTracker> {
  const before = await lock(tx, text);
  const fields = await checkedFields(
    tx,
    before.id,
    {
      kind: before.kind,
      name: before.name,
      url: before.url,
      project: before.project,
      user: before.user_name,
      labels: before.labels,
      issue_type: before.issue_type,
      closed_status: before.closed_status,
      open_status: before.open_status,
      allows_public: before.allows_public,
      enabled: before.enabled,
      rule: ruleOf(before),
      ...change,
    },
    rules,
    before,
  );
  if ((fields.url !== before.url || fields.project !== before.project) && (await hasIssues(tx, before.id))) {
    throw invalidTransition(
      'Issues were made in this project, and their numbers mean others elsewhere: make another tracker, and disable this one.',
    );
  }
  const isAsBefore = change.enabled === undefined;
  await updateTracker(tx, before.id, {
    ...fields,
    disabled_reason: isAsBefore ? before.disabled_reason : null,
  });
  const now = await readClock(tx);
  await makeFailedDue(tx, before.id, now);
  await setTrackerDue(tx, before.id, now);
  const shown = await getTracker(tx, before.id);
  await record(tx, actor, 'issue_tracker.change', shown);
  return shown;
}

/** Deletes the tracker with its links; the issues stay where they are. Throws 404. */
export async function removeTracker(tx: Tx, actor: Actor, text: string): Promise<void> {
  const { id, name } = await lock(tx, text);
  await deleteTracker(tx, id);
  await recordAudit(tx, actor, 'issue_tracker.delete', id, { name });
}

async function lock(tx: Tx, text: string): Promise<TrackerRow> {
  return orNotFound(await lockTracker(tx, getId('issueTracker', text)));
}

function ruleOf(row: TrackerRow): TrackerRule | null {
  if (row.rule_since === null) return null;
  return {
    least_severity: row.least_severity,
    repositories: row.repository_ids.map((id) => formatId('repository', id)),
    applications: row.application_ids.map((id) => formatId('application', id)),
    blocking_only: row.blocking_only,
  };
}

async function record(
  tx: Tx,
  actor: Actor,
  action: 'issue_tracker.create' | 'issue_tracker.change',
  { row, names }: ShownTracker,
): Promise<void> {
  const { name, kind, url, project, allows_public, enabled, least_severity, blocking_only } = row;
  const rule =
    row.rule_since === null
      ? null
      : {
          least_severity,
          blocking_only,
          ...recordedScope(row, names),
        };
  await recordAudit(tx, actor, action, row.id, { name, kind, url, project, allows_public, enabled, rule });
}

/** `before` is null for a new tracker. */
async function checkedFields(
  tx: Tx,
  id: IssueTrackerId,
  input: Omit<TrackerInput, 'token'> & { token?: string },
  rules: OutboundRules,
  before: TrackerRow | null,
): Promise<TrackerFields> {
  const { kind, token } = input;
  const url = input.url === before?.url && before ? before.url : checkedUrl(input.url, kind, rules);
  if (token === undefined && before?.url !== url) {
    throw invalidInput('Must be given again, because the address is another one.', 'token');
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw invalidInput('Must be a token, in visible characters of ASCII without blanks.', 'token');
  }
  const rule = input.rule ?? null;
  const scope = await checkedScope(
    tx,
    { repositories: rule?.repositories ?? [], applications: rule?.applications ?? [] },
    { repository_ids: before?.repository_ids ?? [], application_ids: before?.application_ids ?? [] },
  );
  return {
    name: checkedName(input.name, 'name'),
    url,
    project: checkedProject(input.project.trim(), kind),
    sealed:
      token === undefined && before
        ? before.sealed
        : sealToken(token ?? '', { tenantId: tx.tenantId, trackerId: id, url }, rules.secret),
    ...jiraFields(input),
    labels: checkedLabels(input.labels ?? []),
    allows_public: input.allows_public ?? false,
    enabled: input.enabled ?? true,
    rule_since: rule === null ? null : (before?.rule_since ?? new Date()),
    least_severity: rule?.least_severity ?? 'unknown',
    blocking_only: rule?.blocking_only ?? false,
    ...scope,
  };
}

const jiraOnly = ['user', 'issue_type', 'closed_status', 'open_status'] as const;

function jiraFields(
  input: Omit<TrackerInput, 'token'>,
): Pick<TrackerFields, 'user_name' | 'issue_type' | 'closed_status' | 'open_status'> {
  const given = jiraOnly.filter((field) => (input[field] ?? '').trim() !== '');
  if (input.kind !== 'jira') {
    const [first] = given;
    if (first !== undefined) throw invalidInput('Must be left out: only Jira has it.', first);
    return { user_name: null, issue_type: null, closed_status: null, open_status: null };
  }
  const checked = (field: (typeof jiraOnly)[number]): string | null =>
    given.includes(field) ? checkedName(input[field] ?? '', field) : null;
  const user = checked('user');
  // A colon would end the name in the header of a request.
  if (user !== null && !/^[^\s:]+$/.test(user)) throw invalidInput('Must be an e-mail address.', 'user');
  return {
    user_name: user,
    issue_type: checked('issue_type') ?? defaultIssueType,
    closed_status: checked('closed_status'),
    open_status: checked('open_status'),
  };
}

const publicUrls: Record<TrackerKind, string | null> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  jira: null,
};

const urlRule = { example: 'https://git.example.com', maxLength: maxTrackerUrl };

function checkedUrl(text: string | undefined, kind: TrackerKind, rules: OutboundRules): string {
  const given = text?.trim() || publicUrls[kind];
  if (given === null)
    throw invalidInput('Must be the address of Jira, such as https://acme.atlassian.net.', 'url');
  const url = checkedAddress(given, rules, urlRule);
  if (url.search !== '' || url.hash !== '') throw invalidInput('Must be without query and fragment.', 'url');
  return url.href.replace(/\/+$/, '');
}

const projects: Record<TrackerKind, { pattern: RegExp; example: string }> = {
  github: { pattern: /^[\w.-]+\/[\w.-]+$/, example: 'acme/shop' },
  gitlab: { pattern: /^[\w.-]+(?:\/[\w.-]+)+$/, example: 'acme/web/shop' },
  jira: { pattern: /^[A-Z][A-Z0-9_]+$/, example: 'the key SHOP' },
};

function checkedProject(project: string, kind: TrackerKind): string {
  const { pattern, example } = projects[kind];
  const hasDots = project.split('/').some((part) => /^\.+$/.test(part));
  if (!pattern.test(project) || hasDots)
    throw invalidInput(`Must be a project such as ${example}.`, 'project');
  return project;
}

function checkedLabels(labels: string[]): string[] {
  const wrong = labels.find((label) => !/^[\p{L}\p{N}_.:/-]{1,50}$/u.test(label));
  if (wrong !== undefined) {
    throw invalidInput(
      'Must be of up to 50 letters, digits and . : / _ -, which all trackers accept.',
      'labels',
    );
  }
  return [...new Set(labels)];
}
