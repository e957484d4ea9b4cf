/** SQL of linked issues, and of the vulnerabilities that they are about. */
import { insertRows, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import {
  firstIdSince,
  type IssueTrackerId,
  type LinkedIssueId,
  type RepositoryId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import {
  type Severity,
  severities,
  sqlIsOpen,
  sqlIsOpenIn,
  sqlSeverityRank,
} from '../../domain/packed-state.ts';
import { sqlComparedVersions } from '../../domain/versions.ts';
import { blockingStates } from '../../domain/violation-state.ts';
import type { IssueCounts } from './issue-text.ts';
import { maxRemoteText, type RemoteIssue, type TrackerKind } from './tracker-client.ts';

/**
 * `waiting`: it is to be made. `linked`: it was made. `deleted`: it is not there any more, and is not made again by
 * itself.
 */
export const linkedIssueStates = ['waiting', 'linked', 'deleted'] as const;
export type LinkedIssueState = (typeof linkedIssueStates)[number];

/** The state that a request is writing, or may have written without an answer that says so. */
export interface Sending extends IssueCounts {
  since: string;
}

/** Finds what decides whether a vulnerability may have an issue, and which vulnerabilities share it. */
export async function findSubject(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
): Promise<{ repository_id: RepositoryId; package_key: string | null; packed_state: number } | undefined> {
  const [row] = await tx.query<{
    repository_id: RepositoryId;
    package_key: string | null;
    packed_state: number;
  }>('select repository_id, package_key, packed_state from vulnerability where tenant_id = $1 and id = $2', [
    tx.tenantId,
    vulnerabilityId,
  ]);
  return row;
}

/** Returns those of the ids that are issues of the workspace. */
export async function listKnownIssues(tx: Tx, ids: LinkedIssueId[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: LinkedIssueId }>(
    'select id from linked_issue where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface LinkedIssueRow {
  id: LinkedIssueId;
  tracker_id: IssueTrackerId;
  repository_id: RepositoryId;
  /** Null: it is about one vulnerability. */
  package_key: string | null;
  state: LinkedIssueState;
  by_rule: boolean;
  issue_key: string | null;
  is_closed: boolean;
  synced_total: number;
  synced_open: number;
  comments: number;
  sending: Sending | null;
  attempts: number;
}

const columns = `i.id, i.tracker_id, i.repository_id, i.package_key, i.state, i.by_rule, i.issue_key, i.is_closed,
  i.synced_total, i.synced_open, i.comments, i.sending, i.attempts`;

export interface NewLinkedIssue {
  id: LinkedIssueId;
  tracker_id: IssueTrackerId;
  repository_id: RepositoryId;
  package_key: string | null;
  by_rule: boolean;
  created_at: Date;
}

/** Adds issues that wait to be made. One about a package that has an issue in this tracker is left out. */
export async function insertIssues(tx: Tx, rows: readonly NewLinkedIssue[]): Promise<void> {
  const waiting = rows.map((row) => ({ ...row, state: 'waiting', due_at: row.created_at }));
  await insertRows(tx, 'linked_issue', waiting, { conflict: 'do nothing' });
}

/**
 * Links vulnerabilities to issues. Returns those that were added; one that has an issue in this tracker is left out.
 */
export async function linkVulnerabilities(
  tx: Tx,
  rows: readonly { tracker_id: IssueTrackerId; vulnerability_id: VulnerabilityId; issue_id: LinkedIssueId }[],
): Promise<{ vulnerability_id: VulnerabilityId }[]> {
  return insertRows(tx, 'linked_vulnerability', rows, {
    order: 's.vulnerability_id',
    conflict: 'do nothing',
    returning: 'vulnerability_id',
  });
}

/**
 * Links the vulnerabilities of these repositories that are open on tracked references and belong to a package with an
 * issue. The issues that get more are due. One that was deleted gets them too, so that people see why there is none,
 * and unlink it.
 */
export async function joinPackageIssues(
  tx: Tx,
  trackerId: IssueTrackerId,
  repositoryIds: readonly RepositoryId[],
  now: Date,
): Promise<void> {
  if (repositoryIds.length === 0) return;
  const rows = await tx.query<{ issue_id: LinkedIssueId }>(
    `insert into linked_vulnerability (tenant_id, tracker_id, vulnerability_id, issue_id)
     select i.tenant_id, i.tracker_id, v.id, i.id
       from linked_issue i join vulnerability v on v.tenant_id = $1 and v.repository_id = i.repository_id
              and v.package_key = i.package_key
      where i.tenant_id = $1 and i.tracker_id = $2 and i.repository_id = any($3::uuid[])
        and ${sqlIsOpenIn('v.packed_state', 'tracked')}
     on conflict do nothing returning issue_id`,
    [tx.tenantId, trackerId, repositoryIds],
  );
  const ids = [...new Set(rows.map(({ issue_id: id }) => id))];
  await tx.query(
    `update linked_issue set due_at = $3, attempts = 0, error = null
      where tenant_id = $1 and id = any($2::uuid[]) and state <> 'deleted'`,
    [tx.tenantId, ids, now],
  );
}

/** Makes the issues of these vulnerabilities due. */
export async function makeIssuesDue(
  tx: Tx,
  trackerId: IssueTrackerId,
  vulnerabilityIds: readonly VulnerabilityId[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update linked_issue set due_at = $4, attempts = 0
      where tenant_id = $1 and tracker_id = $2 and state <> 'deleted' and id in (
        select l.issue_id from linked_vulnerability l
         where l.tenant_id = $1 and l.tracker_id = $2 and l.vulnerability_id = any($3::uuid[]))`,
    [tx.tenantId, trackerId, vulnerabilityIds, now],
  );
}

export async function makeAllDue(tx: Tx, trackerId: IssueTrackerId, now: Date): Promise<void> {
  await tx.query(
    `update linked_issue set due_at = $3, attempts = 0
      where tenant_id = $1 and tracker_id = $2 and state <> 'deleted'`,
    [tx.tenantId, trackerId, now],
  );
}

/** Makes all issues due whose attempts have failed. */
export async function makeFailedDue(tx: Tx, trackerId: IssueTrackerId, now: Date): Promise<void> {
  await tx.query(
    `update linked_issue set due_at = $3, attempts = 0
      where tenant_id = $1 and tracker_id = $2 and state <> 'deleted' and error is not null`,
    [tx.tenantId, trackerId, now],
  );
}

/**
 * Replaces the linked vulnerabilities that were merged by their survivors, and drops those whose survivor has an issue.
 * It looks at all of the tracker, or only at these or at those of one issue.
 */
export async function followMerges(
  tx: Tx,
  trackerId: IssueTrackerId,
  {
    vulnerabilityIds = null,
    issueId = null,
  }: { vulnerabilityIds?: readonly VulnerabilityId[] | null; issueId?: LinkedIssueId | null } = {},
): Promise<void> {
  const moved = await tx.query<{
    tracker_id: IssueTrackerId;
    vulnerability_id: VulnerabilityId;
    issue_id: LinkedIssueId;
  }>(
    `delete from linked_vulnerability l using vulnerability_redirect r
      where l.tenant_id = $1 and l.tracker_id = $2 and ($3::uuid[] is null or l.vulnerability_id = any($3))
        and ($4::uuid is null or l.issue_id = $4) and r.tenant_id = $1 and r.id = l.vulnerability_id
     returning l.tracker_id, r.vulnerability_id, l.issue_id`,
    [tx.tenantId, trackerId, vulnerabilityIds, issueId],
  );
  await linkVulnerabilities(tx, moved);
}

export interface RuleFilter {
  since: Date;
  /** Vulnerabilities that came up again, whenever they came up first. */
  reopened: readonly string[];
  leastSeverity: Severity;
  blockingOnly: boolean;
}

export interface RuleCandidate {
  id: VulnerabilityId;
  repository_id: RepositoryId;
  package_key: string | null;
}

/**
 * Vulnerabilities of these repositories that match the rule of a tracker and have no issue there, nor does their
 * package. It may have one that was deleted, which is not made again by itself.
 */
export async function listRuleCandidates(
  tx: Tx,
  trackerId: IssueTrackerId,
  repositoryIds: readonly RepositoryId[],
  { since, reopened, leastSeverity, blockingOnly }: RuleFilter,
  limit: number,
): Promise<RuleCandidate[]> {
  return tx.query<RuleCandidate>(
    `select v.id, v.repository_id, v.package_key from vulnerability v
      where v.tenant_id = $1 and v.repository_id = any($3::uuid[]) and (v.id >= $4 or v.id = any($8::uuid[]))
        and ${sqlIsOpenIn('v.packed_state', 'tracked')} and ${sqlSeverityRank('v.packed_state')} >= $5
        and not exists (select 1 from linked_vulnerability l
              where l.tenant_id = $1 and l.tracker_id = $2 and l.vulnerability_id = v.id)
        and not exists (select 1 from linked_issue i
              where i.tenant_id = $1 and i.tracker_id = $2 and i.repository_id = v.repository_id
                and i.package_key = v.package_key)
        and (not $6::boolean or exists (select 1 from policy_violation p
              where p.tenant_id = $1 and p.repository_id = v.repository_id and p.target_id = v.id
                and p.packed_state = any('{${blockingStates}}'::smallint[])))
      order by v.introduced_at, v.id limit $7`,
    [
      tx.tenantId,
      trackerId,
      repositoryIds,
      firstIdSince(since),
      severities.indexOf(leastSeverity),
      blockingOnly,
      limit,
      reopened,
    ],
  );
}

/** The number of issues that the rule has made since then, and when the first of them was made. */
export async function countMadeByRule(
  tx: Tx,
  trackerId: IssueTrackerId,
  since: Date,
): Promise<{ count: number; first: Date | null }> {
  const [row] = await tx.query<{ count: number; first: Date | null }>(
    `select count(*)::int as count, min(made_at) as first from linked_issue
      where tenant_id = $1 and tracker_id = $2 and by_rule and made_at > $3`,
    [tx.tenantId, trackerId, since],
  );
  return row ?? { count: 0, first: null };
}

const isNewByRule = `i.by_rule and i.state = 'waiting'`;

/** Ids of the due issues, the longest due first; of those that a rule is to make at most `newByRule`. */
export async function listDueIssues(
  tx: Tx,
  trackerId: IssueTrackerId,
  now: Date,
  { limit, newByRule }: { limit: number; newByRule: number },
): Promise<LinkedIssueId[]> {
  const rows = await tx.query<{ id: LinkedIssueId }>(
    `select d.id from (
       (select i.id, i.due_at from linked_issue i
         where i.tenant_id = $1 and i.tracker_id = $2 and i.due_at <= $3 and not (${isNewByRule})
         order by i.due_at limit $4)
       union all
       (select i.id, i.due_at from linked_issue i
         where i.tenant_id = $1 and i.tracker_id = $2 and i.due_at <= $3 and ${isNewByRule}
         order by i.due_at limit $5)) d
      order by d.due_at, d.id limit $4`,
    [tx.tenantId, trackerId, now, limit, newByRule],
  );
  return rows.map(({ id }) => id);
}

/** When the next issue is due, without and with those that a rule is to make; null if none waits. */
export async function findNextIssueDue(
  tx: Tx,
  trackerId: IssueTrackerId,
): Promise<{ others: Date | null; newByRule: Date | null }> {
  const [row] = await tx.query<{ others: Date | null; newByRule: Date | null }>(
    `select min(i.due_at) filter (where not (${isNewByRule})) as others,
            min(i.due_at) filter (where ${isNewByRule}) as "newByRule"
       from linked_issue i where i.tenant_id = $1 and i.tracker_id = $2 and i.due_at is not null`,
    [tx.tenantId, trackerId],
  );
  return row ?? { others: null, newByRule: null };
}

/** Locks the issue until the transaction ends. */
export async function lockIssue(tx: Tx, id: LinkedIssueId): Promise<LinkedIssueRow | undefined> {
  const [row] = await tx.query<LinkedIssueRow>(
    `select ${columns} from linked_issue i where i.tenant_id = $1 and i.id = $2 for update`,
    [tx.tenantId, id],
  );
  return row;
}

/**
 * SQL of a query for the numbers of vulnerabilities of an issue, all and open. One that is not there any more, because
 * it was fixed long ago, is not open. One that was merged since the last `followMerges` counts as its survivor.
 */
const sqlCounts = (issueId: string): string => `select count(*)::int as total,
            count(*) filter (where ${sqlIsOpen('v.packed_state')})::int as open
       from linked_vulnerability m
       left join vulnerability_redirect r on r.tenant_id = $1 and r.id = m.vulnerability_id
       left join vulnerability v on v.tenant_id = $1 and v.id = coalesce(r.vulnerability_id, m.vulnerability_id)
      where m.tenant_id = $1 and m.issue_id = ${issueId}`;

/** The numbers of vulnerabilities of the issue. */
export async function countVulnerabilities(tx: Tx, issueId: LinkedIssueId): Promise<IssueCounts> {
  const [row] = await tx.query<IssueCounts>(sqlCounts('$2'), [tx.tenantId, issueId]);
  return row ?? { total: 0, open: 0 };
}

export interface IssueVulnerability {
  id: VulnerabilityId;
  title: string;
  advisory: string | null;
  package: string | null;
  fix_version: string | null;
  packed_state: number;
  path: string | null;
  line: number | null;
  full_ref: string | null;
}

/** The open vulnerabilities of the issue, the worst first. */
export async function listOpenVulnerabilities(
  tx: Tx,
  issueId: LinkedIssueId,
  limit: number,
): Promise<IssueVulnerability[]> {
  return tx.query<IssueVulnerability>(
    `select v.id, v.title, v.advisory, v.package, v.fix_version, v.packed_state, p.path, p.line, f.full_ref
       from linked_vulnerability l
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
       left join vulnerability_location p on p.tenant_id = $1 and p.id = v.primary_location_id
       left join reference f on f.tenant_id = $1 and f.id = v.primary_reference_id
      where l.tenant_id = $1 and l.issue_id = $2 and ${sqlIsOpen('v.packed_state')}
      order by ${sqlSeverityRank('v.packed_state')} desc, v.introduced_at, v.id limit $3`,
    [tx.tenantId, issueId, limit],
  );
}

/** The slug of the workspace and the name of the repository, for the text of an issue. */
export async function findIssueNames(
  tx: Tx,
  repositoryId: RepositoryId,
): Promise<{ slug: string; repository: string } | undefined> {
  const [names] = await tx.query<{ slug: string; repository: string }>(
    `select t.slug, r.full_name as repository from tenant t join repository r on r.tenant_id = $1
      where t.id = $1 and r.id = $2`,
    [tx.tenantId, repositoryId],
  );
  return names;
}

/** The versions that fix an open vulnerability of the issue, for `highestOfGroup`. */
export async function listFixVersions(tx: Tx, issueId: LinkedIssueId): Promise<string[]> {
  const [row] = await tx.query<{ versions: string[] }>(
    `select ${sqlComparedVersions('v.fix_version')} as versions
       from linked_vulnerability l
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
      where l.tenant_id = $1 and l.issue_id = $2 and ${sqlIsOpen('v.packed_state')}`,
    [tx.tenantId, issueId],
  );
  return row?.versions ?? [];
}

export async function setSending(tx: Tx, id: LinkedIssueId, sending: Sending): Promise<void> {
  await updateRow(tx, 'linked_issue', id, { sending: JSON.stringify(sending) });
}

/** A request was not carried out, so that it may be sent again at once. */
export async function clearSending(tx: Tx, id: LinkedIssueId, dueAt: Date): Promise<void> {
  await updateRow(tx, 'linked_issue', id, { sending: null, due_at: dueAt });
}

export async function setIssueDue(tx: Tx, id: LinkedIssueId, dueAt: Date): Promise<void> {
  await updateRow(tx, 'linked_issue', id, { due_at: dueAt });
}

export interface SyncedState extends IssueCounts {
  /** Null: nothing of it was read. */
  issue: RemoteIssue | null;
  /** A comment was added. */
  isCommented: boolean;
  at: Date;
  /** Null: there is nothing more to write. */
  dueAt: Date | null;
}

/** Stores what the tracker knows now. `storeRemoteIssues` stores the issue as the tracker has it. */
export async function storeSynced(
  tx: Tx,
  id: LinkedIssueId,
  { issue, total, open, isCommented, at, dueAt }: SyncedState,
): Promise<void> {
  await tx.query(
    `update linked_issue set state = 'linked', synced_total = $3, synced_open = $4, comments = comments + $5::int,
            made_at = coalesce(made_at, $6), sending = null, attempts = 0, error = null, due_at = $7,
            issue_key = coalesce(issue_key, $8)
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, total, open, Number(isCommented), at, dueAt, issue?.key ?? null],
  );
}

/** Says that there is nothing to write. */
export async function setNothingDue(tx: Tx, id: LinkedIssueId): Promise<void> {
  await updateRow(tx, 'linked_issue', id, { due_at: null, attempts: 0, error: null });
}

export interface FailedAttempt {
  error: string;
  attempts: number;
  /** Null: that was the last attempt. */
  dueAt: Date | null;
  /** The request was carried out, or may have been. */
  isUncertain: boolean;
}

export async function storeFailedAttempt(
  tx: Tx,
  id: LinkedIssueId,
  { error, attempts, dueAt, isUncertain }: FailedAttempt,
): Promise<void> {
  await tx.query(
    `update linked_issue set error = $3, attempts = $4, due_at = $5, sending = case when $6 then sending end
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, error, attempts, dueAt, isUncertain],
  );
}

export async function markDeleted(tx: Tx, id: LinkedIssueId): Promise<void> {
  await updateRow(tx, 'linked_issue', id, { state: 'deleted', due_at: null, sending: null, error: null });
}

/** Takes the link away; the issue in the tracker stays. Returns false if there is no such link. */
export async function deleteIssue(tx: Tx, id: LinkedIssueId): Promise<boolean> {
  const rows = await tx.query('delete from linked_issue where tenant_id = $1 and id = $2 returning 1', [
    tx.tenantId,
    id,
  ]);
  return rows.length > 0;
}

/** Stores the issues of the tracker as it has them. Others in its project are left out. */
export async function storeRemoteIssues(
  tx: Tx,
  trackerId: IssueTrackerId,
  issues: readonly RemoteIssue[],
): Promise<void> {
  if (issues.length === 0) return;
  const rows = issues.map(({ key, status, isClosed, assignee, changedAt }) => ({
    issue_key: key,
    issue_status: status.slice(0, maxRemoteText) || null,
    is_closed: isClosed,
    issue_assignee: assignee?.slice(0, maxRemoteText) ?? null,
    issue_changed_at: changedAt,
  }));
  await tx.query(
    `update linked_issue i set issue_status = k.issue_status, is_closed = k.is_closed,
            issue_assignee = k.issue_assignee, issue_changed_at = k.issue_changed_at
       from json_to_recordset($3::json) as k (issue_key text, issue_status text, is_closed boolean,
              issue_assignee text, issue_changed_at timestamptz)
      where i.tenant_id = $1 and i.tracker_id = $2 and i.issue_key = k.issue_key`,
    [tx.tenantId, trackerId, JSON.stringify(rows)],
  );
}

export interface ShownIssueRow {
  id: LinkedIssueId;
  tracker_id: IssueTrackerId;
  tracker_name: string;
  tracker_kind: TrackerKind;
  tracker_url: string;
  tracker_project: string;
  tracker_enabled: boolean;
  state: LinkedIssueState;
  by_rule: boolean;
  is_group: boolean;
  issue_key: string | null;
  issue_status: string | null;
  is_closed: boolean;
  issue_assignee: string | null;
  issue_changed_at: Date | null;
  error: string | null;
  total: number;
  open: number;
  created_at: Date;
}

/** The issues of a vulnerability, newest first. It has one in each tracker at most. */
export async function listIssuesOf(tx: Tx, vulnerabilityId: VulnerabilityId): Promise<ShownIssueRow[]> {
  return tx.query<ShownIssueRow>(
    `select i.id, t.id as tracker_id, t.name as tracker_name, t.kind as tracker_kind, t.url as tracker_url,
            t.project as tracker_project, t.enabled as tracker_enabled, i.state, i.by_rule,
            i.package_key is not null as is_group, i.issue_key, i.issue_status, i.is_closed, i.issue_assignee,
            i.issue_changed_at, coalesce(i.error, t.error) as error, c.total, c.open, i.created_at
       from linked_vulnerability l
       join linked_issue i on i.tenant_id = $1 and i.id = l.issue_id
       join issue_tracker t on t.tenant_id = $1 and t.id = i.tracker_id
      cross join lateral (${sqlCounts('i.id')}) c
      where l.tenant_id = $1 and l.vulnerability_id = $2 order by i.id desc`,
    [tx.tenantId, vulnerabilityId],
  );
}

export interface IssueFigures {
  tracker_id: IssueTrackerId;
  linked: number;
  waiting: number;
  failed: number;
  deleted: number;
}

/** True if the tracker has, or may have, an issue of Merlon. */
export async function hasIssues(tx: Tx, trackerId: IssueTrackerId): Promise<boolean> {
  const rows = await tx.query('select 1 from linked_issue where tenant_id = $1 and tracker_id = $2 limit 1', [
    tx.tenantId,
    trackerId,
  ]);
  return rows.length > 0;
}

/** The number of issues of each tracker. One without any is missing. */
export async function countIssues(tx: Tx): Promise<IssueFigures[]> {
  return tx.query<IssueFigures>(
    `select tracker_id, count(*) filter (where state = 'linked')::int as linked,
            count(*) filter (where state = 'waiting')::int as waiting,
            count(*) filter (where state <> 'deleted' and error is not null)::int as failed,
            count(*) filter (where state = 'deleted')::int as deleted
       from linked_issue where tenant_id = $1 group by tracker_id`,
    [tx.tenantId],
  );
}
