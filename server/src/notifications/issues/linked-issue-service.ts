/** Issues of a vulnerability: people who may triage make one by hand, or take a link away. */

import { actorOf, recordAudit } from '../../access/audit/record.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { Tx } from '../../db/database.ts';
import { invalidInput, invalidTransition, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { formatId, type LinkedIssueId, newId, parseId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import type { Principal } from '../../http/principal.ts';
import { getVulnerabilityId } from '../../vulnerabilities/vulnerability-ids.ts';
import {
  deleteIssue,
  findSubject,
  insertIssues,
  joinPackageIssues,
  linkVulnerabilities,
  listIssuesOf,
  listKnownIssues,
  type ShownIssueRow,
} from './linked-issue-store.ts';
import { lockTracker, setTrackerDue } from './tracker-store.ts';

/** The issues of a vulnerability, newest first. Throws 404. */
export async function showIssues(tx: Tx, vulnerability: string): Promise<ShownIssueRow[]> {
  return listIssuesOf(tx, await getVulnerabilityId(tx, vulnerability));
}

export interface IssueRequest {
  /** The id of the tracker. */
  tracker: string;
  /** One issue for all open vulnerabilities of the package in the repository. */
  group: boolean;
}

/**
 * Says that an issue is to be made. The tracker gets it within seconds, or when it is enabled. Throws 404, 422 for a
 * wrong tracker, and 409 if the vulnerability is not open, or has an issue in this tracker.
 */
export async function requestIssue(
  tx: Tx,
  principal: Principal,
  vulnerability: string,
  { tracker: trackerText, group }: IssueRequest,
): Promise<ShownIssueRow> {
  const id = await getVulnerabilityId(tx, vulnerability);
  const trackerId = parseId('issueTracker', trackerText);
  // The lock makes two requests for the same package wait for each other.
  const tracker = trackerId === undefined ? undefined : await lockTracker(tx, trackerId);
  if (tracker === undefined) {
    throw invalidInput('Must be an issue tracker of the workspace.', 'tracker');
  }
  const found = orNotFound(await findSubject(tx, id));
  if (unpackState(found.packed_state).status !== 'open') {
    throw invalidTransition('The vulnerability is not open.');
  }
  if (group && found.package_key === null) {
    throw invalidInput('Must be false, because the vulnerability is not one of a package.', 'group');
  }
  const now = await readClock(tx);
  const issue = {
    id: newId<'linkedIssue'>(),
    tracker_id: tracker.id,
    repository_id: found.repository_id,
    package_key: group ? found.package_key : null,
    by_rule: false,
    created_at: now,
  };
  const link = { tracker_id: tracker.id, vulnerability_id: id, issue_id: issue.id };
  await insertIssues(tx, [issue]);
  if (group) await joinPackageIssues(tx, tracker.id, [found.repository_id], now);
  // A vulnerability that is open on a branch only does not join the others of its package.
  await linkVulnerabilities(tx, await withoutMissing(tx, [link]));
  const shown = (await listIssuesOf(tx, id)).find(({ tracker_id: of }) => of === tracker.id);
  if (shown?.id !== issue.id) {
    throw invalidTransition(
      shown?.state === 'deleted'
        ? 'The issue was deleted in the tracker: unlink it first.'
        : 'The vulnerability or its package has an issue in this tracker.',
    );
  }
  await setTrackerDue(tx, tracker.id, now);
  await recordAudit(tx, actorOf(principal), 'vulnerability.create_issue', id, {
    tracker: tracker.name,
    issue: formatId('linkedIssue', issue.id),
    group,
  });
  return shown;
}

/** Without links to an issue that was not added, because its package has another one. */
async function withoutMissing<T extends { issue_id: LinkedIssueId }>(tx: Tx, links: T[]): Promise<T[]> {
  const known = await listKnownIssues(
    tx,
    links.map(({ issue_id: id }) => id),
  );
  return links.filter(({ issue_id: id }) => known.has(id));
}

/** Takes the link away, for all vulnerabilities of the issue. The issue in the tracker stays. Throws 404. */
export async function unlinkIssue(
  tx: Tx,
  principal: Principal,
  vulnerability: string,
  issue: string,
): Promise<void> {
  const vulnerabilityId = await getVulnerabilityId(tx, vulnerability);
  const id = parseId('linkedIssue', issue);
  const shown = (await listIssuesOf(tx, vulnerabilityId)).find((one) => one.id === id);
  if (shown === undefined || !(await deleteIssue(tx, shown.id))) throw resourceNotFound();
  await recordAudit(tx, actorOf(principal), 'vulnerability.unlink_issue', vulnerabilityId, {
    tracker: shown.tracker_name,
    issue: shown.issue_key,
  });
}
