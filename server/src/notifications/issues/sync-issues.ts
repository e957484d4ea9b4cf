/**
 * A round of one issue tracker. The process takes the tracker by a lease, processes new events, and then writes to the
 * tracker, one request after another, what has changed for each issue that is due. At last it polls the changes there.
 *
 * An issue is never made twice, and a comment never written twice: before a request the row says what is being sent,
 * and a request whose result is unknown is looked for in the tracker by its marker before it is sent again.
 */

import { type Database, importTx, type Tx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { formatId, type IssueTrackerId, type LinkedIssueId, type TenantId } from '../../domain/ids.ts';
import { hourMs, minuteMs, secondMs } from '../../domain/time.ts';
import type { OutboundOptions } from '../outbound/outbound-request.ts';
import { attemptWaitsMs, jitter } from '../outbound/retries.ts';
import { describeIssue } from './describe-issue.ts';
import { processNewEvents } from './issue-rule.ts';
import { changeComment, commentOf, type IssueCounts } from './issue-text.ts';
import {
  clearSending,
  countMadeByRule,
  countVulnerabilities,
  deleteIssue,
  findNextIssueDue,
  followMerges,
  type LinkedIssueRow,
  listDueIssues,
  lockIssue,
  markDeleted,
  setIssueDue,
  setNothingDue,
  setSending,
  storeFailedAttempt,
  storeRemoteIssues,
  storeSynced,
} from './linked-issue-store.ts';
import { openClient } from './open-client.ts';
import {
  type NewIssue,
  notTheApi,
  type RemoteIssue,
  type TrackerClient,
  TrackerError,
} from './tracker-client.ts';
import {
  disableTracker,
  leaseTracker,
  releaseTracker,
  renewLease,
  setChecked,
  setPolled,
  setTrackerHealth,
  type TrackerRow,
} from './tracker-store.ts';
import { openToken, tokenOfOtherInstall } from './tracker-token.ts';

export interface SyncDependencies {
  db: Database;
  secret: InstallSecret;
  post: OutboundOptions;
  /** The address of the console, for links in issues; null if it is unknown. */
  publicUrl: string | null;
  /** Called for each error of Merlon. It is stored too, but its text is for the log alone. */
  failed: (error: unknown, tenantId: TenantId) => void;
  /** The time of the database. */
  now: () => Date;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
}

/** The issues that a rule makes in an hour. The others wait, so that a mistake in a rule does not fill a tracker. */
export const newByRuleInHour = 30;
/**
 * A request without a known result is looked for after this time: a tracker that was slow has it by then, and the
 * search of Jira finds it.
 */
export const uncertainMs = 2 * minuteMs;
/** Changes in the tracker are asked for as often, and whether everybody can read the project. */
export const pollMs = 5 * minuteMs;
// The clocks of server and tracker differ.
const overlapMs = 2 * minuteMs;
const searchOverlapMs = hourMs;
// The issues of a round. A tracker gives its slot to others after each.
const issuesInRound = 50;
// A round begins no further issue after this time.
const roundMs = 20 * secondMs;
// A lease covers all requests about one issue: it is renewed for each. The tracker of a process that was killed goes on
// with another one after that.
const leaseMs = 4 * minuteMs;
const maxBackoffMs = 30 * minuteMs;

/** Does what is due, up to the bounds of a round. Returns true if more is due. Any error is stored at the tracker. */
export async function syncTracker(
  dependencies: SyncDependencies,
  tenantId: TenantId,
  trackerId: IssueTrackerId,
): Promise<boolean> {
  const { db, secret, now } = dependencies;
  const at = now();
  const lease = { until: new Date(at.getTime() + leaseMs) };
  const begun = await importTx(db, tenantId, async (tx) => {
    const tracker = await leaseTracker(tx, trackerId, at, lease.until);
    if (tracker === undefined) return null;
    const token = openToken(tracker.sealed, { tenantId, trackerId, url: tracker.url }, secret);
    if (token !== null) return { tracker, token };
    await disableTracker(tx, trackerId, tokenOfOtherInstall);
    return null;
  });
  if (begun === null) return false;
  const { tracker, token } = begun;
  const round = { ...dependencies, now, tenantId, tracker, lease };
  let isAllRead = true;
  let failure: TrackerError | null = null;
  try {
    isAllRead = await runRound({ ...round, client: await openClient(tracker, token, dependencies.post) });
  } catch (error) {
    if (error instanceof LeaseEnded) return false;
    failure = trackerErrorOf(round, error);
  }
  return (await endRound(round, failure)) || !isAllRead;
}

/** A tracker that this process has. */
interface Leased extends SyncDependencies {
  now: () => Date;
  tenantId: TenantId;
  tracker: TrackerRow;
  /** Each issue moves the end of the lease. */
  lease: { until: Date };
}

interface Round extends Leased {
  client: TrackerClient;
}

/** Another process has the tracker, or a person has disabled or deleted it. */
class LeaseEnded extends Error {}

/** The error as it is stored and shown. One of Merlon goes to the log. */
function trackerErrorOf({ failed, tenantId }: Leased, error: unknown): TrackerError {
  if (error instanceof TrackerError) return error;
  failed(error, tenantId);
  return new TrackerError('unexpected', 'an error of Merlon, which the log of the server has');
}

/** Returns false if more events wait. Throws TrackerError for a failure that concerns the whole tracker. */
async function runRound(round: Round): Promise<boolean> {
  const { tracker, now } = round;
  const startedAt = now();
  const { isAllRead, due } = await inLease(round, async (tx) => {
    const isAllRead = await processNewEvents(tx, tracker, startedAt);
    const { allowed } = await countAllowedByRule(tx, tracker.id, startedAt);
    const limits = { limit: issuesInRound, newByRule: allowed };
    return { isAllRead, due: isAllRead ? await listDueIssues(tx, tracker.id, startedAt, limits) : [] };
  });
  const { checked_at: checkedAt, poll_due_at: pollDueAt } = tracker;
  if (checkedAt === null || startedAt.getTime() - checkedAt.getTime() >= pollMs) await checkProject(round);
  const isOver = (): boolean =>
    now().getTime() - startedAt.getTime() >= roundMs || (round.post.stopping?.aborted ?? false);
  for (const id of due) {
    if (isOver()) return isAllRead;
    await syncIssue(round, id);
  }
  if (!isOver() && pollDueAt !== null && pollDueAt <= startedAt) await pollChanges(round, startedAt);
  return isAllRead;
}

/** Reads a part of the issues that have changed there. The next round reads the next part, if there is one. */
async function pollChanges(round: Round, now: Date): Promise<void> {
  const { tracker, client } = round;
  const startedAt = tracker.poll_started_at ?? now;
  const since = new Date((tracker.changes_from ?? now).getTime() - overlapMs);
  const { issues, next, unreadable } = await client
    .listChanged({ since, next: tracker.poll_next }, now)
    .catch(async (error: unknown) => {
      const isAnswer = error instanceof TrackerError && ['refused', 'unexpected'].includes(error.failure);
      if (tracker.poll_next === null || !isAnswer) throw error;
      // The issue after which the next part begins may have been deleted, so the poll begins anew.
      await inLease(round, (tx) => setPolled(tx, tracker.id, { from: tracker.changes_from, dueAt: now }));
      throw new TrackerError('unexpected', error.message);
    });
  await inLease(round, async (tx) => {
    await storeRemoteIssues(tx, tracker.id, issues);
    await setPolled(
      tx,
      tracker.id,
      next === null
        ? { from: startedAt, dueAt: new Date(now.getTime() + pollMs) }
        : { from: tracker.changes_from, dueAt: now, part: { startedAt, next } },
    );
  });
  if (unreadable > 0) throw notTheApi();
}

/** Issues about weaknesses must not be read by everybody, unless an admin allows it. */
async function checkProject(round: Round): Promise<void> {
  const { client, tracker, now } = round;
  const { isPublic, hasIssues } = await client.readProject();
  if (!hasIssues) throw new TrackerError('missing', 'the issues of the project are switched off');
  if (isPublic && !tracker.allows_public) {
    throw new TrackerError('refused', 'everybody can read the project, which its settings do not allow');
  }
  await inLease(round, (tx) => setChecked(tx, tracker.id, now()));
}

/** Runs `work` while this process has the tracker, and moves the end of its lease. Throws LeaseEnded. */
async function inLease<T>(
  { db, tenantId, tracker, lease, now }: Leased,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const next = new Date(now().getTime() + leaseMs);
  const result = await importTx(db, tenantId, async (tx) => {
    if (!(await renewLease(tx, tracker.id, { until: lease.until, next }))) throw new LeaseEnded();
    return work(tx);
  });
  lease.until = next;
  return result;
}

/** The next act for an issue. With `since`, an earlier request has tried it, and its result is unknown. */
type Step =
  | { kind: 'nothing' }
  | { kind: 'create'; row: LinkedIssueRow; issue: NewIssue; target: IssueCounts }
  | { kind: 'find'; row: LinkedIssueRow; target: IssueCounts; since: Date }
  | { kind: 'update'; row: LinkedIssueRow; target: IssueCounts; since: Date | null };

/** Throws TrackerError for a failure that concerns the whole tracker. Any other is stored at the issue. */
async function syncIssue(round: Round, id: LinkedIssueId): Promise<void> {
  let step: Step = { kind: 'nothing' };
  try {
    step = await inLease(round, (tx) => chooseStep(tx, round, id));
    if (step.kind === 'nothing') return;
    if (step.kind === 'create') {
      const issue = await round.client.create(step.issue);
      await storeResult(round, step, issue, false);
    } else if (step.kind === 'find') {
      const since = new Date(step.since.getTime() - searchOverlapMs);
      const issue = await round.client.find(markerOf(id), since);
      // Without one it was not made, and the next step makes it.
      if (issue === null) await inLease(round, (tx) => clearSending(tx, id, round.now()));
      else await storeResult(round, step, issue, false);
    } else await updateIssue(round, step);
  } catch (error) {
    if (error instanceof LeaseEnded) throw error;
    await storeFailure(round, id, step.kind, trackerErrorOf(round, error));
  }
}

const markerOf = (id: LinkedIssueId): string => `merlon:${formatId('linkedIssue', id)}`;

async function chooseStep(tx: Tx, { tracker, publicUrl, now }: Round, id: LinkedIssueId): Promise<Step> {
  const row = await lockIssue(tx, id);
  if (row === undefined || row.state === 'deleted') return { kind: 'nothing' };
  // An issue is made about the survivors, also of a merge since the events were read.
  if (row.state === 'waiting') await followMerges(tx, tracker.id, { issueId: id });
  const counts = await countVulnerabilities(tx, id);
  const { sending } = row;
  if (sending !== null) {
    const since = new Date(sending.since);
    const certainAt = new Date(since.getTime() + uncertainMs);
    if (certainAt > now()) {
      await setIssueDue(tx, id, certainAt);
      return { kind: 'nothing' };
    }
    const target = { total: sending.total, open: sending.open };
    return row.state === 'waiting'
      ? { kind: 'find', row, target, since }
      : { kind: 'update', row, target, since };
  }
  if (row.state === 'waiting') {
    if (counts.open === 0) {
      await deleteIssue(tx, id);
      return { kind: 'nothing' };
    }
    await setSending(tx, id, { ...counts, since: now().toISOString() });
    const issue = await describeIssue(tx, { tracker, row, counts, publicUrl, marker: markerOf(id) });
    return { kind: 'create', row, issue, target: counts };
  }
  if (counts.total === row.synced_total && counts.open === row.synced_open) {
    await setNothingDue(tx, id);
    return { kind: 'nothing' };
  }
  await setSending(tx, id, { ...counts, since: now().toISOString() });
  return { kind: 'update', row, target: counts, since: null };
}

/** Comments on the change, and closes or opens the issue if that has changed. */
async function updateIssue(round: Round, step: Step & { kind: 'update' }): Promise<void> {
  const { client, tracker } = round;
  const { row, target, since } = step;
  const key = row.issue_key ?? '';
  const synced = { total: row.synced_total, open: row.synced_open };
  const text = changeComment(synced, target);
  const marker = `${markerOf(row.id)}/${row.comments + 1}`;
  if (text !== null) {
    const from = since === null ? null : new Date(since.getTime() - searchOverlapMs);
    const isThere = from !== null && (await client.hasComment(key, marker, from));
    if (!isThere) await client.comment(key, commentOf(tracker.kind, text, marker), marker);
  }
  const isClosed = target.open === 0;
  const issue = isClosed === (synced.open === 0) ? null : await client.setClosed(key, isClosed);
  await storeResult(round, step, issue, text !== null);
}

async function storeResult(
  round: Round,
  { row, target }: { row: LinkedIssueRow; target: IssueCounts },
  issue: RemoteIssue | null,
  isCommented: boolean,
): Promise<void> {
  await inLease(round, async (tx) => {
    const at = round.now();
    const counts = await countVulnerabilities(tx, row.id);
    const isSame = counts.total === target.total && counts.open === target.open;
    await storeSynced(tx, row.id, { ...target, issue, isCommented, at, dueAt: isSame ? null : at });
    if (issue !== null) await storeRemoteIssues(tx, round.tracker.id, [issue]);
    if (round.tracker.changes_from === null) {
      round.tracker.changes_from = at;
      await setPolled(tx, round.tracker.id, { from: at, dueAt: new Date(at.getTime() + pollMs) });
    }
  });
}

/** Stores a failure of one issue. Throws it again if it concerns the whole tracker. */
async function storeFailure(
  round: Round,
  id: LinkedIssueId,
  attempted: Step['kind'],
  error: TrackerError,
): Promise<void> {
  const { client, now, random = Math.random } = round;
  if (error.failure === 'missing' && attempted === 'update') {
    // Without the project, or without its issues, each of them would seem to be deleted.
    await checkProject(round);
    await client.listChanged({ since: now(), next: null }, now());
    await inLease(round, (tx) => markDeleted(tx, id));
    return;
  }
  // A process that stops ends its requests, whose results are then unknown.
  const isUnknown = error.failure === 'unreachable' || error.failure === 'unexpected';
  // A tracker that reads its project at the same time has a fault with this issue alone.
  const isThere =
    error.failure === 'unreachable' &&
    (await client.readProject().then(
      () => true,
      () => false,
    ));
  const concernsTracker = error.failure !== 'refused' && error.failure !== 'unexpected' && !isThere;
  await inLease(round, async (tx) => {
    const row = await lockIssue(tx, id);
    if (row === undefined) return;
    const wait = concernsTracker ? uncertainMs : attemptWaitsMs[row.attempts];
    await storeFailedAttempt(tx, id, {
      error: error.message,
      attempts: row.attempts + Number(!concernsTracker),
      dueAt: wait === undefined ? null : new Date(now().getTime() + wait * jitter(random)),
      // A comment may be there although the change of the status was refused.
      isUncertain: isUnknown || attempted !== 'create',
    });
  });
  if (concernsTracker) throw error;
}

/** Stores what has become of the tracker, and gives it back. Returns true if more is due. */
async function endRound(round: Leased, failure: TrackerError | null): Promise<boolean> {
  const { tracker, db, tenantId, now } = round;
  const { until } = round.lease;
  const isStopping = round.post.stopping?.aborted ?? false;
  return importTx(db, tenantId, async (tx) => {
    const at = now();
    if (!(await renewLease(tx, tracker.id, { until, next: until }))) return false;
    const retryAt = isStopping ? null : await storeHealth(tx, round, failure);
    const due = await findNextIssueDue(tx, tracker.id);
    const { freeAt } = await countAllowedByRule(tx, tracker.id, at);
    const newByRule = due.newByRule && (freeAt !== null && freeAt > due.newByRule ? freeAt : due.newByRule);
    const dueAt =
      due.others === null || (newByRule !== null && newByRule < due.others) ? newByRule : due.others;
    await releaseTracker(tx, tracker.id, until, dueAt);
    return !isStopping && retryAt === null && failure === null && dueAt !== null && dueAt <= at;
  });
}

/** Returns the time before which the tracker is asked nothing; null without one. */
async function storeHealth(tx: Tx, round: Leased, failure: TrackerError | null): Promise<Date | null> {
  const { tracker, now, random = Math.random } = round;
  if (failure === null) {
    if (tracker.failures > 0 || tracker.error !== null || tracker.retry_at !== null) {
      await setTrackerHealth(tx, tracker.id, { failures: 0, error: null, retryAt: null });
    }
    return null;
  }
  // Only a person can repair the others, and each further request is one with a wrong token.
  if (!['unreachable', 'limited', 'unexpected'].includes(failure.failure)) {
    await setTrackerHealth(tx, tracker.id, { failures: tracker.failures + 1, error: null, retryAt: null });
    await disableTracker(tx, tracker.id, reasonOf(failure));
    return null;
  }
  const failures = tracker.failures + Number(failure.failure !== 'limited');
  const backoffMs = Math.min(maxBackoffMs, (attemptWaitsMs[failures - 1] ?? maxBackoffMs) * jitter(random));
  const retryAt = new Date(
    now().getTime() + Math.max(failure.waitMs ?? 0, failure.failure === 'limited' ? 0 : backoffMs),
  );
  await setTrackerHealth(tx, tracker.id, { failures, error: failure.message, retryAt });
  return retryAt;
}

function reasonOf({ failure, message }: TrackerError): string {
  return failure === 'missing'
    ? 'The project is not there, takes no issues, or the token may not see it.'
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** Returns the number of issues that the rule may create now, and the time of the next one; null: at once. */
async function countAllowedByRule(
  tx: Tx,
  trackerId: IssueTrackerId,
  now: Date,
): Promise<{ allowed: number; freeAt: Date | null }> {
  const { count, first } = await countMadeByRule(tx, trackerId, new Date(now.getTime() - hourMs));
  const allowed = Math.max(0, newByRuleInHour - count);
  return { allowed, freeAt: allowed > 0 || first === null ? null : new Date(first.getTime() + hourMs) };
}
