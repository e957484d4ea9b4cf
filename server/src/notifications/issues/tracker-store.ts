/** SQL of issue trackers. */
import { changedNow, insertRows, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { ApplicationId, IssueTrackerId, RepositoryId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { TrackerKind } from './tracker-client.ts';

export interface TrackerRow {
  id: IssueTrackerId;
  name: string;
  kind: TrackerKind;
  url: string;
  project: string;
  sealed: Buffer;
  user_name: string | null;
  labels: string[];
  issue_type: string | null;
  closed_status: string | null;
  open_status: string | null;
  allows_public: boolean;
  enabled: boolean;
  disabled_reason: string | null;
  /** Null: no rule. */
  rule_since: Date | null;
  least_severity: Severity;
  /** Empty, with no application either: all. */
  repository_ids: RepositoryId[];
  application_ids: ApplicationId[];
  blocking_only: boolean;
  position: string;
  checked_at: Date | null;
  changes_from: Date | null;
  poll_due_at: Date | null;
  poll_started_at: Date | null;
  poll_next: string | null;
  failures: number;
  error: string | null;
  retry_at: Date | null;
  created_at: Date;
}

const columns = `id, name, kind, url, project, sealed, user_name, labels, issue_type, closed_status, open_status, allows_public,
  enabled, disabled_reason, rule_since, least_severity, repository_ids, application_ids, blocking_only, position, checked_at,
  changes_from, poll_due_at, poll_started_at, poll_next, failures, error, retry_at, created_at`;

/** All trackers of the workspace, newest first. */
export async function listTrackers(tx: Tx): Promise<TrackerRow[]> {
  return tx.query(`select ${columns} from issue_tracker where tenant_id = $1 order by id desc`, [
    tx.tenantId,
  ]);
}

export async function findTracker(tx: Tx, id: IssueTrackerId): Promise<TrackerRow | undefined> {
  const [row] = await tx.query<TrackerRow>(
    `select ${columns} from issue_tracker where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  );
  return row;
}

/** Locks the tracker until the transaction ends. */
export async function lockTracker(tx: Tx, id: IssueTrackerId): Promise<TrackerRow | undefined> {
  const [row] = await tx.query<TrackerRow>(
    `select ${columns} from issue_tracker where tenant_id = $1 and id = $2 for update`,
    [tx.tenantId, id],
  );
  return row;
}

/** The fields that a person sets. */
export type TrackerFields = Pick<
  TrackerRow,
  | 'name'
  | 'url'
  | 'project'
  | 'sealed'
  | 'user_name'
  | 'labels'
  | 'issue_type'
  | 'closed_status'
  | 'open_status'
  | 'allows_public'
  | 'enabled'
  | 'rule_since'
  | 'least_severity'
  | 'repository_ids'
  | 'application_ids'
  | 'blocking_only'
>;

export async function insertTracker(
  tx: Tx,
  row: TrackerFields & Pick<TrackerRow, 'id' | 'kind' | 'created_at'> & { position: number },
): Promise<void> {
  await insertRows(tx, 'issue_tracker', [row]);
}

/**
 * Sets all fields that a person may set. The project is checked again, and a wait for the tracker ends. So does the
 * lease of a process, which still has the settings before.
 */
export async function updateTracker(
  tx: Tx,
  id: IssueTrackerId,
  fields: TrackerFields & Pick<TrackerRow, 'disabled_reason'>,
): Promise<void> {
  const untried = { checked_at: null, failures: 0, error: null, retry_at: null, leased_until: null };
  await updateRow(tx, 'issue_tracker', id, { ...fields, ...untried }, changedNow);
}

/** Deletes the tracker with its links and gives its name; undefined if the workspace has no such tracker. */
export async function deleteTracker(tx: Tx, id: IssueTrackerId): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    'delete from issue_tracker where tenant_id = $1 and id = $2 returning name',
    [tx.tenantId, id],
  );
  return row?.name;
}

// A lease that was not given back is that of a process which has ended in the middle of a round.
const isDue = (tenant: string, at: string): string =>
  `t.tenant_id = ${tenant} and t.enabled and (t.retry_at is null or t.retry_at <= ${at})
     and (t.leased_until is null or t.leased_until <= ${at})
     and (t.due_at <= ${at} or t.leased_until <= ${at} or t.poll_due_at <= ${at} or t.checked_at is null
          or t.position < (select s.last_number from event_sequence s where s.tenant_id = ${tenant}))`;

/** True in SQL if a tracker of the workspace has something to do. */
export const trackersDue: DueCondition = `exists (select 1 from issue_tracker t where ${isDue('asked_tenant', 'asked_at')})`;

/** The trackers with something to do. */
export async function listDueTrackers(tx: Tx, now: Date): Promise<IssueTrackerId[]> {
  const rows = await tx.query<{ id: IssueTrackerId }>(
    `select t.id from issue_tracker t where ${isDue('$1', '$2')} order by t.id`,
    [tx.tenantId, now],
  );
  return rows.map(({ id }) => id);
}

/** Takes the tracker for one process. Returns undefined if another one has it, or if it is not its time. */
export async function leaseTracker(
  tx: Tx,
  id: IssueTrackerId,
  now: Date,
  until: Date,
): Promise<TrackerRow | undefined> {
  const [row] = await tx.query<TrackerRow>(
    `update issue_tracker set leased_until = $4
      where tenant_id = $1 and id = $2 and enabled and (leased_until is null or leased_until <= $3)
        and (retry_at is null or retry_at <= $3)
     returning ${columns}`,
    [tx.tenantId, id, now, until],
  );
  return row;
}

/** Moves the end of the lease and locks the tracker. Undefined if the lease has ended, or the tracker is disabled. */
export async function renewLease(
  tx: Tx,
  id: IssueTrackerId,
  lease: { until: Date; next: Date },
): Promise<TrackerRow | undefined> {
  const [row] = await tx.query<TrackerRow>(
    `update issue_tracker set leased_until = $4
      where tenant_id = $1 and id = $2 and leased_until = $3 and enabled returning ${columns}`,
    [tx.tenantId, id, lease.until, lease.next],
  );
  return row;
}

/** Gives the tracker back, and stores when its next issue is due. */
export async function releaseTracker(
  tx: Tx,
  id: IssueTrackerId,
  until: Date,
  dueAt: Date | null,
): Promise<void> {
  await tx.query(
    'update issue_tracker set leased_until = null, due_at = $4 where tenant_id = $1 and id = $2 and leased_until = $3',
    [tx.tenantId, id, until, dueAt],
  );
}

export async function setTrackerPosition(tx: Tx, id: IssueTrackerId, position: number): Promise<void> {
  await updateRow(tx, 'issue_tracker', id, { position });
}

/** Makes the tracker due at this time, unless it is earlier. */
export async function setTrackerDue(tx: Tx, id: IssueTrackerId, dueAt: Date): Promise<void> {
  await tx.query(
    'update issue_tracker set due_at = least(due_at, $3::timestamptz) where tenant_id = $1 and id = $2',
    [tx.tenantId, id, dueAt],
  );
}

export interface TrackerHealth {
  failures: number;
  error: string | null;
  /** Null if the tracker is not away. */
  retryAt: Date | null;
}

export async function setTrackerHealth(
  tx: Tx,
  id: IssueTrackerId,
  { failures, error, retryAt }: TrackerHealth,
): Promise<void> {
  await updateRow(tx, 'issue_tracker', id, { failures, error, retry_at: retryAt });
}

export async function setChecked(tx: Tx, id: IssueTrackerId, at: Date): Promise<void> {
  await updateRow(tx, 'issue_tracker', id, { checked_at: at });
}

export interface Polled {
  /** Issues that changed there before are known. Null: there is none yet. */
  from: Date | null;
  /** When changes are asked for again. */
  dueAt: Date;
  /** The poll that is not at its end: when it began, and where it goes on. */
  part?: { startedAt: Date; next: string };
}

export async function setPolled(tx: Tx, id: IssueTrackerId, { from, dueAt, part }: Polled): Promise<void> {
  await updateRow(tx, 'issue_tracker', id, {
    changes_from: from,
    poll_due_at: dueAt,
    poll_started_at: part?.startedAt ?? null,
    poll_next: part?.next ?? null,
  });
}

export async function disableTracker(tx: Tx, id: IssueTrackerId, reason: string): Promise<void> {
  await updateRow(tx, 'issue_tracker', id, { enabled: false, disabled_reason: reason }, changedNow);
}
