/**
 * The meaning of new events for a tracker: which of its issues may have changed, which get more vulnerabilities, and
 * which new ones its rule makes. The state of the tables decides, and the events only say which rows to compare, so
 * that an event that was missed or read twice changes nothing.
 */
import type { Tx } from '../../db/database.ts';
import {
  type IssueTrackerId,
  type LinkedIssueId,
  newId,
  type RepositoryId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import type { WorkspaceEventType } from '../../domain/workspace-event.ts';
import { readEvents, readOutboxState } from '../../events/read-events.ts';
import { listAllRepositories, listRepositoryIdsOf } from '../filter-scope-store.ts';
import {
  followMerges,
  insertIssues,
  joinPackageIssues,
  linkVulnerabilities,
  listRuleCandidates,
  makeAllDue,
  makeIssuesDue,
  type NewLinkedIssue,
  type RuleCandidate,
} from './linked-issue-store.ts';
import { setTrackerPosition, type TrackerRow } from './tracker-store.ts';

const types: readonly WorkspaceEventType[] = [
  'vulnerability.opened',
  'vulnerability.fixed',
  'vulnerability.reopened',
  'vulnerability.status_changed',
  'violation.opened',
  // A violation blocks again when its snooze ends.
  'violation.snoozed',
  'scan.completed',
];

// The events of an import of a hundred thousand findings are read in several transactions.
const eventsInPage = 10_000;
// Vulnerabilities without an issue that are read at a time.
const candidatesAtOnce = 5_000;

/** Returns false if more events wait than were read. Issues are synchronized only when all are read. */
export async function processNewEvents(tx: Tx, tracker: TrackerRow, now: Date): Promise<boolean> {
  const { last, deleted } = await readOutboxState(tx);
  const position = Number(tracker.position);
  if (position >= last) return true;
  if (deleted > position) {
    // Events that were not read are not kept any more, so everything is compared. The others are read in the next
    // round.
    await makeAllDue(tx, tracker.id, now);
    await followMerges(tx, tracker.id);
    await addIssues(tx, tracker, { repositories: await listAllRepositories(tx), reopened: [] }, now);
    await setTrackerPosition(tx, tracker.id, deleted);
    return deleted >= last;
  }
  const { events, through } = await readEvents(tx, position, last, { types, limit: eventsInPage });
  const vulnerabilities = new Set<VulnerabilityId>();
  const repositories = new Set<RepositoryId>();
  const reopened = new Set<string>();
  for (const { type, objectId, repositoryId } of events) {
    if (type.startsWith('vulnerability.')) vulnerabilities.add(objectId as VulnerabilityId);
    if (type === 'vulnerability.reopened') reopened.add(objectId);
    if (repositoryId !== null) repositories.add(repositoryId);
  }
  await makeIssuesDue(tx, tracker.id, [...vulnerabilities], now);
  await followMerges(tx, tracker.id, { vulnerabilityIds: [...vulnerabilities] });
  await addIssues(tx, tracker, { repositories: [...repositories], reopened: [...reopened] }, now);
  await setTrackerPosition(tx, tracker.id, through);
  return through >= last;
}

/** Adds what has come up in these repositories to issues about packages, and new issues by the rule. */
async function addIssues(
  tx: Tx,
  tracker: TrackerRow,
  { repositories, reopened }: { repositories: RepositoryId[]; reopened: string[] },
  now: Date,
): Promise<void> {
  await joinPackageIssues(tx, tracker.id, repositories, now);
  if (tracker.rule_since === null) return;
  const concerned = await repositoriesOfRule(tx, tracker, repositories);
  const filter = {
    since: tracker.rule_since,
    reopened,
    leastSeverity: tracker.least_severity,
    blockingOnly: tracker.blocking_only,
  };
  for (;;) {
    const candidates = await listRuleCandidates(tx, tracker.id, concerned, filter, candidatesAtOnce);
    if (candidates.length === 0) return;
    await addByRule(tx, tracker.id, candidates, now);
    await joinPackageIssues(tx, tracker.id, concerned, now);
    if (candidates.length < candidatesAtOnce) return;
  }
}

async function repositoriesOfRule(
  tx: Tx,
  tracker: TrackerRow,
  repositories: RepositoryId[],
): Promise<RepositoryId[]> {
  if (tracker.repository_ids.length + tracker.application_ids.length === 0) return repositories;
  const own = new Set([
    ...tracker.repository_ids,
    ...(await listRepositoryIdsOf(tx, tracker.application_ids)),
  ]);
  return repositories.filter((id) => own.has(id));
}

/** An issue for each package in a repository, and for each vulnerability without a package. */
async function addByRule(
  tx: Tx,
  trackerId: IssueTrackerId,
  candidates: RuleCandidate[],
  now: Date,
): Promise<void> {
  const issues = new Map<string, NewLinkedIssue>();
  const links: { tracker_id: IssueTrackerId; vulnerability_id: VulnerabilityId; issue_id: LinkedIssueId }[] =
    [];
  for (const { id, repository_id: repositoryId, package_key: packageKey } of candidates) {
    const key = packageKey === null ? id : `${repositoryId} ${packageKey}`;
    const issue = issues.get(key) ?? {
      id: newId(),
      tracker_id: trackerId,
      repository_id: repositoryId,
      package_key: packageKey,
      by_rule: true,
      created_at: now,
    };
    issues.set(key, issue);
    if (packageKey === null) links.push({ tracker_id: trackerId, vulnerability_id: id, issue_id: issue.id });
  }
  await insertIssues(tx, [...issues.values()]);
  await linkVulnerabilities(tx, links);
}
