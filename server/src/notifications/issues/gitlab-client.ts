/** Issues of a GitLab project, by the REST API v4. */
import { findByMarker, readPages } from './read-pages.ts';
import type { RemoteIssue, TrackerAccess, TrackerClient } from './tracker-client.ts';
import { jsonOf, type SendRequest } from './tracker-requests.ts';

interface GitLabIssue {
  iid: number;
  state: string;
  description: string | null;
  assignees: { username: string }[] | null;
  created_at: string;
  updated_at: string;
}

const perPage = 100;

export function gitlabClient({ url, project, token }: TrackerAccess, send: SendRequest): TrackerClient {
  const base = `${url}/api/v4/projects/${encodeURIComponent(project)}`;
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> =>
    jsonOf<T>(
      await send(`${base}${path}`, {
        method,
        headers: { 'private-token': token, accept: 'application/json', 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  const list = (page: number, order: Record<string, string>): Promise<GitLabIssue[]> =>
    ask('GET', `/issues?${new URLSearchParams({ ...order, per_page: String(perPage), page: String(page) })}`);
  return {
    isPublic: async () => {
      const { visibility } = await ask<{ visibility: string }>('GET', '');
      // An answer without it says nothing, so it does not say that the project is private.
      return visibility !== 'private' && visibility !== 'internal';
    },
    create: async ({ title, body, labels }) =>
      issueOf(
        await ask<GitLabIssue>('POST', '/issues', { title, description: body, labels: labels.join(',') }),
      ),
    find: async (marker, since) => {
      const found = await findByMarker(
        (page) => list(page, { order_by: 'created_at', sort: 'desc' }),
        perPage,
        ({ description, created_at: created }) => ({ text: description ?? '', at: new Date(created) }),
        { marker, since },
      );
      return found === null ? null : issueOf(found);
    },
    comment: async (key, body) => {
      await ask('POST', `/issues/${key}/notes`, { body });
    },
    hasComment: async (key, marker, since) => {
      const { items } = await readPages(
        (page) =>
          ask<{ body: string; created_at: string }[]>(
            'GET',
            `/issues/${key}/notes?sort=desc&order_by=created_at&per_page=${perPage}&page=${page}`,
          ),
        perPage,
        (note) => note.body.includes(marker),
        (note) => new Date(note.created_at) < since,
      );
      return items.includes(true);
    },
    setClosed: async (key, isClosed) =>
      issueOf(
        await ask<GitLabIssue>('PUT', `/issues/${key}`, { state_event: isClosed ? 'close' : 'reopen' }),
      ),
    listChanged: async (since) => {
      const order = { order_by: 'updated_at', sort: 'asc', updated_after: since.toISOString() };
      const { items, isAll } = await readPages((page) => list(page, order), perPage, issueOf);
      return { issues: items, until: isAll ? null : (items.at(-1)?.changedAt ?? null) };
    },
  };
}

function issueOf({ iid, state, assignees, updated_at: at }: GitLabIssue): RemoteIssue {
  const isClosed = state === 'closed';
  return {
    key: String(iid),
    status: isClosed ? 'closed' : 'open',
    isClosed,
    assignee: assignees?.[0]?.username ?? null,
    changedAt: new Date(at),
  };
}
