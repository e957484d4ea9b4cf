/** The client of an issue tracker. Its token is sent nowhere but to the address for which it was entered. */
import type { OutboundOptions } from '../outbound/outbound-request.ts';
import { githubClient } from './github-client.ts';
import { gitlabClient } from './gitlab-client.ts';
import { explainJira, jiraClient } from './jira-client.ts';
import type { TrackerClient } from './tracker-client.ts';
import { sendWith } from './tracker-requests.ts';
import type { TrackerRow } from './tracker-store.ts';

export const defaultIssueType = 'Task';

export async function openClient(
  tracker: TrackerRow,
  token: string,
  post: OutboundOptions,
): Promise<TrackerClient> {
  const access = { url: tracker.url, project: tracker.project, token, user: tracker.user_name };
  switch (tracker.kind) {
    case 'github':
      return githubClient(access, sendWith(post));
    case 'gitlab':
      return gitlabClient(access, sendWith(post));
    case 'jira':
      return jiraClient(
        access,
        {
          issueType: tracker.issue_type ?? defaultIssueType,
          closedStatus: tracker.closed_status,
          openStatus: tracker.open_status,
        },
        sendWith(post, explainJira),
      );
  }
}

/** The page of an issue. It is made of the address that an admin has entered, and not taken from an answer. */
export function issuePage(
  { kind, url, project }: Pick<TrackerRow, 'kind' | 'url' | 'project'>,
  key: string,
): string {
  const at = encodeURIComponent(key);
  if (kind === 'jira') return `${url}/browse/${at}`;
  return kind === 'github' ? `${url}/${project}/issues/${at}` : `${url}/${project}/-/issues/${at}`;
}
