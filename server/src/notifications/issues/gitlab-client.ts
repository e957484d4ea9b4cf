/** Issues of a GitLab project, by the REST API v4. */
import { type Static, type TSchema, Type } from 'typebox';
import { checkedAnswer, checkedIssue, checkedTime, nullable } from './check-answer.ts';
import { findByMarker, orNull, readChangedPages, readPages } from './read-pages.ts';
import type { RemoteIssue, TrackerAccess, TrackerClient } from './tracker-client.ts';
import { jsonOf, type SendRequest } from './tracker-requests.ts';

const Issue = Type.Object({
  iid: Type.Integer({ minimum: 1 }),
  state: Type.String(),
  description: nullable(Type.String()),
  assignees: nullable(Type.Array(Type.Object({ username: Type.String() }))),
  created_at: Type.String(),
  updated_at: Type.String(),
});
const Note = Type.Object({ body: Type.String() });
const ListedNote = Type.Object({ body: Type.String(), created_at: Type.String() });
const Project = Type.Object({
  visibility: Type.String(),
  issues_access_level: Type.Optional(Type.String()),
});

const perPage = 50;

export function gitlabClient({ url, project, token }: TrackerAccess, send: SendRequest): TrackerClient {
  const base = `${url}/api/v4/projects/${encodeURIComponent(project)}`;
  // Anybody may sign up there, and so read an internal project.
  const isOpenToAll = new URL(url).hostname === 'gitlab.com';
  const call = async <Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<Static<Schema>> =>
    jsonOf(
      await send(`${base}${path}`, {
        method,
        headers: { 'private-token': token, accept: 'application/json', 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
      schema,
    );
  const list = (page: number, order: Record<string, string>): Promise<unknown> => {
    const query = new URLSearchParams({ ...order, per_page: String(perPage), page: String(page) });
    return call(Type.Unknown(), 'GET', `/issues?${query}`);
  };
  return {
    readProject: async () => {
      const { visibility, issues_access_level: access } = await call(Project, 'GET', '');
      // Another word says nothing, so it does not say that the project is private.
      const isPublic = visibility !== 'private' && (visibility !== 'internal' || isOpenToAll);
      // The list of issues that are switched off is an empty one.
      return { isPublic, hasIssues: access !== 'disabled' };
    },
    create: async ({ title, body, labels }) =>
      issueOf(await call(Issue, 'POST', '/issues', { title, description: body, labels: labels.join(',') })),
    find: (marker, since) =>
      findByMarker(
        (page) => list(page, { order_by: 'created_at', sort: 'desc' }),
        perPage,
        (item) => {
          const issue = checkedAnswer(Issue, item);
          return { text: issue.description ?? '', at: checkedTime(issue.created_at), issue: issueOf(issue) };
        },
        { marker, since },
      ),
    comment: async (key, body) => {
      await call(Note, 'POST', `/issues/${key}/notes`, { body });
    },
    hasComment: async (key, marker, since) => {
      const { items } = await readPages(
        (page) =>
          call(
            Type.Unknown(),
            'GET',
            `/issues/${key}/notes?sort=desc&order_by=created_at&per_page=${perPage}&page=${page}`,
          ),
        { perPage },
        (item) => {
          const { body, created_at: at } = checkedAnswer(ListedNote, item);
          return { isFound: body.includes(marker), at: checkedTime(at) };
        },
        ({ at }) => at < since,
      );
      return items.some(({ isFound }) => isFound);
    },
    setClosed: async (key, isClosed) =>
      issueOf(await call(Issue, 'PUT', `/issues/${key}`, { state_event: isClosed ? 'close' : 'reopen' })),
    listChanged: async ({ since, next: from }) => {
      const order = { order_by: 'created_at', sort: 'asc', updated_after: since.toISOString() };
      return readChangedPages(
        (page) => list(page, order),
        { perPage, from },
        (item) => orNull(() => issueOf(checkedAnswer(Issue, item))),
      );
    },
  };
}

function issueOf({ iid, state, assignees, updated_at: at }: Static<typeof Issue>): RemoteIssue {
  const isClosed = state === 'closed';
  return checkedIssue({
    key: String(iid),
    status: isClosed ? 'closed' : 'open',
    isClosed,
    assignee: assignees?.[0]?.username ?? null,
    changedAt: at,
  });
}
