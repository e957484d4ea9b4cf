/**
 * Issues of a Jira project, by the REST API 2, which Jira Cloud and Jira Data Center have in common. A user makes it
 * Cloud: there a token belongs to an e-mail address, and the search has another path.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { minuteMs } from '../../domain/time.ts';
import { checkedAnswer, checkedIssue, nullable } from './check-answer.ts';
import { orNull, readableIssues, readPages } from './read-pages.ts';
import {
  commonLabel,
  type JiraWorkflow,
  maxRemoteText,
  notTheApi,
  type RemoteIssue,
  type TrackerAccess,
  type TrackerClient,
  TrackerError,
} from './tracker-client.ts';
import { jsonOf, type SendRequest } from './tracker-requests.ts';

const Status = Type.Object({ name: Type.String(), statusCategory: Type.Object({ key: Type.String() }) });
// Keys become parts of paths and of queries.
const Key = Type.String({ pattern: '^[A-Z][A-Z0-9_]*-[1-9][0-9]{0,18}$', maxLength: maxRemoteText });
const Created = Type.Object({ key: Key });
const Issue = Type.Object({
  key: Key,
  fields: Type.Object({
    status: Status,
    assignee: nullable(Type.Object({ displayName: Type.String() })),
    updated: Type.String(),
  }),
});
const Found = Type.Object({ issues: Type.Array(Type.Unknown()) });
const Comment = Type.Object({ body: Type.String() });
const Comments = Type.Object({ comments: Type.Array(Comment) });
const Transitions = Type.Object({
  transitions: Type.Array(Type.Object({ id: Type.String(), to: Status })),
});
const Project = Type.Object({ key: Type.String() });

const perPage = 50;
const issueFields = 'status,assignee,updated';
// Clocks differ, and the search knows whole minutes.
const overlapMinutes = 3;

export function jiraClient(
  { url, project, token, user }: TrackerAccess,
  { issueType, closedStatus, openStatus }: JiraWorkflow,
  send: SendRequest,
): TrackerClient {
  const authorization =
    user === null ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
  const base = `${url}/rest/api/2`;
  const request = (method: string, path: string, body?: object): Promise<Response> =>
    send(`${base}${path}`, {
      method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const call = async <Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<Static<Schema>> => jsonOf(await request(method, path, body), schema);
  // Other people may read another project, so nothing is written to an issue that was moved there. When a project gets
  // another key, its issues do too, and the former keys still lead to both.
  const show = async (key: string): Promise<Static<typeof Issue>> => {
    const issue = await call(Issue, 'GET', `/issue/${key}?fields=${issueFields}`);
    if (issue.key === key) return issue;
    const { key: current } = await call(Project, 'GET', `/project/${project}`);
    if (issue.key.startsWith(`${current}-`)) return issue;
    throw new TrackerError('refused', 'the issue was moved to another project');
  };
  /** The first page of the issues of the project. */
  const search = async (jql: string): Promise<unknown[]> => {
    const query = new URLSearchParams({
      jql: `project = "${project}" and ${jql}`,
      fields: issueFields,
      maxResults: String(perPage),
    });
    return (await call(Found, 'GET', `${user === null ? '/search' : '/search/jql'}?${query}`)).issues;
  };
  return {
    // Jira does not say who can read a project, so it is asked once more, without the token.
    readProject: async () => {
      const path = `/project/${project}`;
      await call(Project, 'GET', path);
      const headers = { accept: 'application/json' };
      const isPublic = await isReadable(send(`${base}${path}`, { method: 'GET', headers, body: null }));
      return { isPublic, hasIssues: true };
    },
    create: async ({ title, body, labels, marker }) => {
      const { key } = await call(Created, 'POST', '/issue', {
        fields: {
          project: { key: project },
          issuetype: { name: issueType },
          summary: title,
          description: body,
          labels: [...labels, labelOf(marker)],
        },
      });
      // The issue is there and must be linked, so that a failure of this request makes no second one. The next poll
      // shows its state.
      const unread = { key, status: '', isClosed: false, assignee: null, changedAt: new Date() };
      return show(key).then(issueOf, () => unread);
    },
    find: async (marker) => {
      const [first] = await search(`labels = "${labelOf(marker)}" order by created asc`);
      return first === undefined ? null : issueOf(checkedAnswer(Issue, first));
    },
    comment: async (key, body) => {
      await show(key);
      await call(Comment, 'POST', `/issue/${key}/comment`, { body });
    },
    hasComment: async (key, marker) => {
      const { comments } = await call(
        Comments,
        'GET',
        `/issue/${key}/comment?orderBy=-created&maxResults=${perPage}`,
      );
      return comments.some(({ body }) => body.includes(marker));
    },
    setClosed: async (key, isClosed) => {
      const before = await show(key);
      if (isDone(before.fields.status) === isClosed) return issueOf(before);
      const { transitions } = await call(Transitions, 'GET', `/issue/${key}/transitions`);
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
    listChanged: async ({ since, next: from }, now) => {
      const minutes = Math.ceil((now.getTime() - since.getTime()) / minuteMs) + overlapMinutes;
      let last = from;
      const { items, next } = await readPages(
        async () => {
          const after = last === null ? '' : ` and key > "${last}"`;
          const found = await search(
            `labels = ${commonLabel} and updated >= "-${minutes}m"${after} order by key asc`,
          );
          last = laterKey(last, found);
          return found;
        },
        { perPage },
        (item) => orNull(() => issueOf(checkedAnswer(Issue, item))),
      );
      return { ...readableIssues(items), next: next === null ? null : last };
    },
  };
}

/** True if the answer is the project. Throws TrackerError if there is no answer that says so or not. */
async function isReadable(answer: Promise<Response>): Promise<boolean> {
  try {
    await jsonOf(await answer, Project);
    return true;
  } catch (error) {
    const isAnswer = error instanceof TrackerError && !['unreachable', 'limited'].includes(error.failure);
    if (isAnswer) return false;
    throw error;
  }
}

/** The key of the last issue found. Throws TrackerError if it is none, or not after the one before. */
function laterKey(before: string | null, found: readonly unknown[]): string | null {
  const last = found.at(-1);
  if (last === undefined) return before;
  const { key } = checkedAnswer(Created, last);
  if (before !== null && numberOf(key) <= numberOf(before)) throw notTheApi();
  return key;
}

const numberOf = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1));
const labelOf = (marker: string): string => marker.replaceAll(/[^\w-]/g, '-');
const isDone = ({ statusCategory }: Static<typeof Status>): boolean => statusCategory.key === 'done';

function issueOf({ key, fields: { status, assignee, updated } }: Static<typeof Issue>): RemoteIssue {
  return checkedIssue({
    key,
    status: status.name,
    isClosed: isDone(status),
    assignee: assignee?.displayName ?? null,
    changedAt: updated,
  });
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
