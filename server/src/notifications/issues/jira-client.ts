/**
 * Issues of a Jira project, by the REST API 2, which Jira Cloud and Jira Data Center have in common. A user makes it Cloud:
 * there a token belongs to an e-mail address, and the search has another path.
 */
import { minuteMs } from '../../domain/time.ts';
import { readPages } from './read-pages.ts';
import {
  commonLabel,
  type JiraWorkflow,
  type RemoteIssue,
  type TrackerAccess,
  type TrackerClient,
  TrackerError,
} from './tracker-client.ts';
import { jsonOf, type SendRequest } from './tracker-requests.ts';

interface Status {
  name: string;
  statusCategory: { key: string };
}
interface JiraIssue {
  key: string;
  fields: { status: Status; assignee: { displayName: string } | null; updated: string };
}
interface SearchPage {
  issues: JiraIssue[];
  /** Cloud: where the next page begins; missing on the last one. */
  nextPageToken?: string;
}
interface Transition {
  id: string;
  to: Status;
}

const perPage = 100;
const shownFields = 'status,assignee,updated';
// Clocks differ, and the search knows whole minutes.
const overlapMinutes = 3;

export function jiraClient(
  { url, project, token, user }: TrackerAccess,
  { issueType, closedStatus, openStatus }: JiraWorkflow,
  send: SendRequest,
): TrackerClient {
  const authorization =
    user === null ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
  const request = (method: string, path: string, body?: object): Promise<Response> =>
    send(`${url}/rest/api/2${path}`, {
      method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> =>
    jsonOf<T>(await request(method, path, body));
  const show = async (key: string): Promise<JiraIssue> => ask('GET', `/issue/${key}?fields=${shownFields}`);
  const search = async (jql: string) => {
    const inProject = `project = "${project}" and ${jql}`;
    let next: string | undefined;
    return readPages(
      async (page) => {
        const from =
          user === null ? { startAt: String((page - 1) * perPage) } : next && { nextPageToken: next };
        const query = new URLSearchParams({
          jql: inProject,
          fields: shownFields,
          maxResults: String(perPage),
          ...from,
        });
        const found = await ask<SearchPage>('GET', `${user === null ? '/search' : '/search/jql'}?${query}`);
        next = found.nextPageToken;
        return found.issues;
      },
      perPage,
      issueOf,
    );
  };
  return {
    // Jira does not say whether people without an account can read a project, but the project must be there.
    isPublic: async () => {
      await ask('GET', `/project/${project}`);
      return false;
    },
    create: async ({ title, body, labels, marker }) => {
      const { key } = await ask<{ key: string }>('POST', '/issue', {
        fields: {
          project: { key: project },
          issuetype: { name: issueType },
          summary: title,
          description: body,
          labels: [...labels, labelOf(marker)],
        },
      });
      return issueOf(await show(key));
    },
    find: async (marker) => {
      const { items } = await search(`labels = "${labelOf(marker)}" order by created asc`);
      return items[0] ?? null;
    },
    comment: async (key, body) => {
      await request('POST', `/issue/${key}/comment`, { body });
    },
    hasComment: async (key, marker) => {
      const { comments } = await ask<{ comments: { body: string }[] }>(
        'GET',
        `/issue/${key}/comment?orderBy=-created&maxResults=${perPage}`,
      );
      return comments.some(({ body }) => body.includes(marker));
    },
    setClosed: async (key, isClosed) => {
      const before = await show(key);
      if (isDone(before.fields.status) === isClosed) return issueOf(before);
      const { transitions } = await ask<{ transitions: Transition[] }>('GET', `/issue/${key}/transitions`);
      const wanted = isClosed ? closedStatus : openStatus;
      const transition = transitions.find(({ to }) =>
        wanted === null ? isDone(to) === isClosed : to.name.toLowerCase() === wanted.toLowerCase(),
      );
      if (transition === undefined) {
        const to = wanted === null ? (isClosed ? 'of the category "done"' : 'that is open') : `"${wanted}"`;
        throw new TrackerError('refused', `the workflow leads to no status ${to} from the present one`);
      }
      await request('POST', `/issue/${key}/transitions`, { transition: { id: transition.id } });
      return issueOf(await show(key));
    },
    // The search compares with the time zone of the token's user, so the time is given as minutes before now.
    listChanged: async (since, now) => {
      const minutes = Math.ceil((now.getTime() - since.getTime()) / minuteMs) + overlapMinutes;
      const { items, isAll } = await search(
        `labels = ${commonLabel} and updated >= "-${minutes}m" order by updated asc`,
      );
      return { issues: items, until: isAll ? null : (items.at(-1)?.changedAt ?? null) };
    },
  };
}

const labelOf = (marker: string): string => marker.replaceAll(/[^\w-]/g, '-');
const isDone = ({ statusCategory }: Status): boolean => statusCategory.key === 'done';

function issueOf({ key, fields: { status, assignee, updated } }: JiraIssue): RemoteIssue {
  return {
    key,
    status: status.name,
    isClosed: isDone(status),
    assignee: assignee?.displayName ?? null,
    changedAt: new Date(updated),
  };
}

const maxNamedFields = 5;

/** The names of the fields that Jira refuses, such as one that its project requires. */
export function explainJira(body: Buffer): string | null {
  try {
    const { errors = {} } = JSON.parse(body.toString()) as { errors?: object };
    const fields = Object.keys(errors).filter((name) => /^\w{1,40}$/.test(name));
    return fields.length === 0 ? null : `the field ${fields.slice(0, maxNamedFields).join(', ')}`;
  } catch {
    return null;
  }
}
