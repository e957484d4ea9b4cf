/**
 * A server with the part of the documented APIs of GitHub, GitLab and Jira that Merlon uses: a real HTTP server on
 * loopback that stores issues and comments. It implements the pages, filters and errors of the documentation:
 * - GitHub: docs.github.com/rest/issues, version 2022-11-28
 * - GitLab: docs.gitlab.com/api/issues and /api/notes, version 4
 * - Jira: developer.atlassian.com/cloud/jira/platform/rest/v2, and for Data Center its REST API 2
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StoredComment {
  body: string;
  at: Date;
}

export interface StoredIssue {
  number: number;
  title: string;
  body: string;
  labels: string[];
  isClosed: boolean;
  /** GitHub: the reason why it is closed. */
  reason: string | null;
  /** Jira: its status. */
  status: string;
  /** Jira: its key in another project. The former key still finds it. */
  movedTo: string | null;
  assignee: string | null;
  createdAt: Date;
  updatedAt: Date;
  comments: StoredComment[];
  isDeleted: boolean;
}

export interface TrackerRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TrackerServer {
  url: string;
  issues: StoredIssue[];
  requests: TrackerRequest[];
  /** The requests that change something. */
  writes(): TrackerRequest[];
  isPublic: boolean;
  /** False if the project does not exist. */
  hasProject: boolean;
  /** False if the project has its issues switched off. */
  hasIssues: boolean;
  /** Jira: the key of the project. The former key still finds it. */
  projectKey: string;
  token: string;
  /**
   * Answers in place of the API. `lost`: the request is carried out, and the connection breaks before the answer.
   * `malformed`: the request is carried out, and the answer is not one of the API.
   */
  fault: ((request: TrackerRequest) => Fault | Promise<Fault>) | null;
  /** The delay of each answer. */
  delayMs: number;
  /** Changes an issue like a person in the tracker. */
  act(issue: StoredIssue | undefined, change: Partial<StoredIssue>): void;
  close(): Promise<void>;
}

type Fault = Reply | 'lost' | 'malformed' | null;

export type ServedKind = 'github' | 'gitlab' | 'jira';

export const projectOf: Record<ServedKind, string> = {
  github: 'acme/shop',
  gitlab: 'acme/web/shop',
  jira: 'SHOP',
};

export async function startTracker(
  kind: ServedKind,
  { now = () => new Date(), user = null }: { now?: () => Date; user?: string | null } = {},
): Promise<TrackerServer> {
  const api = { github: gitHub, gitlab: gitLab, jira }[kind];
  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const url = new URL(incoming.url ?? '', 'http://tracker');
      const text = Buffer.concat(chunks).toString();
      const request: TrackerRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: text === '' ? {} : JSON.parse(text),
      };
      tracker.requests.push(request);
      const fault = (await tracker.fault?.(request)) ?? null;
      if (fault !== null && typeof fault !== 'string') {
        answer(response, fault);
        return;
      }
      const reply = api(request, { tracker, now, user });
      if (tracker.delayMs > 0) await new Promise((done) => setTimeout(done, tracker.delayMs));
      if (fault === 'lost') response.destroy();
      else answer(response, fault === 'malformed' ? { status: 200, body: { unknown: true } } : reply);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tracker: TrackerServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issues: [],
    requests: [],
    writes: () => tracker.requests.filter(({ method }) => method !== 'GET'),
    isPublic: false,
    hasProject: true,
    hasIssues: true,
    projectKey: projectOf.jira,
    token: 'tok-1',
    fault: null,
    delayMs: 0,
    act: (issue, change) => {
      if (issue === undefined) throw new Error('there is no such issue');
      Object.assign(issue, change, { updatedAt: now() });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return tracker;
}

function answer(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

interface Context {
  tracker: TrackerServer;
  now: () => Date;
  /** Jira Cloud: the user of the token. */
  user: string | null;
}

const notFound: Reply = { status: 404, body: { message: 'Not Found' } };

function add({ tracker, now }: Context, fields: Pick<StoredIssue, 'title' | 'body' | 'labels'>): StoredIssue {
  const issue: StoredIssue = {
    ...fields,
    number: tracker.issues.length + 1,
    isClosed: false,
    reason: null,
    status: 'To Do',
    movedTo: null,
    assignee: null,
    createdAt: now(),
    updatedAt: now(),
    comments: [],
    isDeleted: false,
  };
  tracker.issues.push(issue);
  return issue;
}

function comment({ now }: Context, issue: StoredIssue, body: unknown): StoredComment {
  const made = { body: String(body), at: now() };
  issue.comments.push(made);
  issue.updatedAt = made.at;
  return made;
}

/** The page of a list in the order of a time. */
function pageOf<T>(
  items: T[],
  query: URLSearchParams,
  timeOf: (item: T) => Date,
  isDescending: boolean,
): T[] {
  const sorted = items.toSorted(
    (a, b) => (timeOf(a).getTime() - timeOf(b).getTime()) * (isDescending ? -1 : 1),
  );
  const perPage = Math.min(100, Number(query.get('per_page') ?? 30));
  const from = (Number(query.get('page') ?? 1) - 1) * perPage;
  return sorted.slice(from, from + perPage);
}

function gitHub(request: TrackerRequest, context: Context): Reply {
  const { tracker, now } = context;
  const { method, path, query, headers, body } = request;
  if (headers.authorization !== `token ${tracker.token}`) {
    return { status: 401, body: { message: 'Bad credentials' } };
  }
  const [, number, rest = ''] =
    /^\/api\/v3\/repos\/acme\/shop(?:\/issues(?:\/(\d+))?(\/comments)?)?$/.exec(path) ?? [];
  if (!path.startsWith('/api/v3/repos/acme/shop') || !tracker.hasProject) return notFound;
  if (path === '/api/v3/repos/acme/shop') {
    return { status: 200, body: { private: !tracker.isPublic, has_issues: tracker.hasIssues } };
  }
  if (!tracker.hasIssues) return { status: 410, body: { message: 'Issues are disabled for this repo' } };
  const shown = (issue: StoredIssue) => ({
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.isClosed ? 'closed' : 'open',
    state_reason: issue.reason,
    assignee: issue.assignee === null ? null : { login: issue.assignee },
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
  });
  if (number === undefined) {
    if (method === 'POST') {
      if (!body.title) return { status: 422, body: { message: 'Validation Failed' } };
      const { title, body: text, labels } = body as { title: string; body: string; labels: string[] };
      return { status: 201, body: shown(add(context, { title, body: text, labels })) };
    }
    const since = new Date(query.get('since') ?? 0);
    const state = query.get('state') ?? 'open';
    const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
    const listed = tracker.issues.filter(
      (issue) => !issue.isDeleted && issue.updatedAt >= since && (state === 'all' || !issue.isClosed),
    );
    const rows = pageOf(listed, query, (issue) => issue[by], query.get('direction') !== 'asc');
    return { status: 200, body: rows.map(shown) };
  }
  const issue = tracker.issues[Number(number) - 1];
  if (issue === undefined) return notFound;
  if (issue.isDeleted) return { status: 410, body: { message: 'This issue was deleted' } };
  if (rest === '/comments') {
    if (method === 'POST') return { status: 201, body: { body: comment(context, issue, body.body).body } };
    const since = new Date(query.get('since') ?? 0);
    const rows = pageOf(
      issue.comments.filter(({ at }) => at >= since),
      query,
      ({ at }) => at,
      false,
    );
    return { status: 200, body: rows };
  }
  if (method === 'PATCH') {
    issue.isClosed = body.state === 'closed';
    issue.reason = issue.isClosed ? String(body.state_reason ?? 'completed') : 'reopened';
    issue.updatedAt = now();
  }
  return { status: 200, body: shown(issue) };
}

function gitLab(request: TrackerRequest, context: Context): Reply {
  const { tracker, now } = context;
  const { method, path, query, headers, body } = request;
  if (headers['private-token'] !== tracker.token) {
    return { status: 401, body: { message: '401 Unauthorized' } };
  }
  const project = `/api/v4/projects/${encodeURIComponent(projectOf.gitlab)}`;
  if (!path.startsWith(project) || !tracker.hasProject) {
    return { status: 404, body: { message: '404 Project Not Found' } };
  }
  if (path === project) {
    const visibility = tracker.isPublic ? 'public' : 'private';
    const access = tracker.hasIssues ? 'enabled' : 'disabled';
    return { status: 200, body: { visibility, issues_access_level: access } };
  }
  const [, number, rest = ''] = /^\/issues(?:\/(\d+))?(\/notes)?$/.exec(path.slice(project.length)) ?? [];
  if (!tracker.hasIssues && number !== undefined) return { status: 404, body: { message: '404 Not found' } };
  const shown = (issue: StoredIssue) => ({
    iid: issue.number,
    title: issue.title,
    description: issue.body,
    state: issue.isClosed ? 'closed' : 'opened',
    labels: issue.labels,
    assignees: issue.assignee === null ? [] : [{ username: issue.assignee }],
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
  });
  if (number === undefined) {
    if (method === 'POST') {
      if (!body.title) return { status: 400, body: { error: 'title is missing' } };
      if (!tracker.hasIssues) return { status: 403, body: { message: '403 Forbidden' } };
      const { title, description, labels } = body as { title: string; description: string; labels: string };
      const made = add(context, { title, body: description, labels: labels.split(',') });
      return { status: 201, body: shown(made) };
    }
    const after = new Date(query.get('updated_after') ?? 0);
    const by = query.get('order_by') === 'updated_at' ? 'updatedAt' : 'createdAt';
    const listed = tracker.issues.filter(
      (issue) => tracker.hasIssues && !issue.isDeleted && issue.updatedAt >= after,
    );
    const rows = pageOf(listed, query, (issue) => issue[by], query.get('sort') !== 'asc');
    return { status: 200, body: rows.map(shown) };
  }
  const issue = tracker.issues[Number(number) - 1];
  if (issue === undefined || issue.isDeleted) return { status: 404, body: { message: '404 Not found' } };
  if (rest === '/notes') {
    if (method === 'POST') return { status: 201, body: { body: comment(context, issue, body.body).body } };
    const rows = pageOf(issue.comments, query, ({ at }) => at, query.get('sort') !== 'asc');
    return {
      status: 200,
      body: rows.map(({ body: text, at }) => ({ body: text, created_at: at.toISOString() })),
    };
  }
  if (method === 'PUT') {
    issue.isClosed = body.state_event === 'close';
    issue.updatedAt = now();
  }
  return { status: 200, body: shown(issue) };
}

/** The workflow of a simple Jira project. */
const categories: Record<string, string> = { 'To Do': 'new', 'In Progress': 'indeterminate', Done: 'done' };
const transitions: { id: string; from: string[]; to: string }[] = [
  { id: '11', from: ['Done'], to: 'To Do' },
  { id: '21', from: ['To Do'], to: 'In Progress' },
  { id: '31', from: ['To Do', 'In Progress'], to: 'Done' },
];

function jira(request: TrackerRequest, context: Context): Reply {
  const { tracker, now, user } = context;
  const { method, path, query, headers, body } = request;
  const expected =
    user === null
      ? `Bearer ${tracker.token}`
      : `Basic ${Buffer.from(`${user}:${tracker.token}`).toString('base64')}`;
  const at = path.replace('/rest/api/2', '');
  if (!path.startsWith('/rest/api/2/')) return { status: 404 };
  // Without the permission to browse a project, neither it nor its issues are there.
  const isThere = tracker.hasProject && tracker.hasIssues;
  const project: Reply = isThere ? { status: 200, body: { key: tracker.projectKey } } : { status: 404 };
  // A request without a token sees what is public.
  if (headers.authorization === undefined && at === '/project/SHOP') {
    return tracker.isPublic ? project : { status: 404 };
  }
  if (headers.authorization !== expected) return { status: 401 };
  if (at === '/project/SHOP') return project;
  const statusOf = (name: string) => ({ name, statusCategory: { key: categories[name] } });
  const shown = (issue: StoredIssue) => ({
    id: String(10_000 + issue.number),
    key: issue.movedTo ?? `${tracker.projectKey}-${issue.number}`,
    fields: {
      status: statusOf(issue.status),
      assignee: issue.assignee === null ? null : { displayName: issue.assignee },
      updated: issue.updatedAt.toISOString().replace('Z', '+0000'),
    },
  });
  if (at === '/issue' && method === 'POST') {
    const { fields } = body as { fields: Record<string, unknown> };
    const errors: Record<string, string> = {};
    if (!['Task', 'Bug'].includes((fields.issuetype as { name: string }).name)) {
      errors.issuetype = 'The issue type selected is invalid.';
    }
    const labels = fields.labels as string[];
    if (labels.some((label) => /\s/.test(label))) errors.labels = "The label can't contain spaces.";
    if (String(fields.summary).length > 255 || /\n/.test(String(fields.summary))) errors.summary = 'Wrong.';
    if (Object.keys(errors).length > 0) return { status: 400, body: { errorMessages: [], errors } };
    const made = add(context, { title: String(fields.summary), body: String(fields.description), labels });
    return {
      status: 201,
      body: { id: String(10_000 + made.number), key: `${tracker.projectKey}-${made.number}` },
    };
  }
  // The paths of Cloud and of Data Center.
  if (at === (user === null ? '/search' : '/search/jql')) {
    const jql = query.get('jql') ?? '';
    const [, label] = /labels = "?([\w-]+)"?/.exec(jql) ?? [];
    const [, minutes] = /updated >= "-(\d+)m"/.exec(jql) ?? [];
    const since = minutes === undefined ? new Date(0) : new Date(now().getTime() - Number(minutes) * 60_000);
    const [, after = '0'] = /key > "[A-Z]+-(\d+)"/.exec(jql) ?? [];
    // Issues are kept in the order of their creation, which is that of their keys.
    const found = tracker.issues.filter(
      (issue) =>
        !issue.isDeleted &&
        issue.movedTo === null &&
        issue.labels.includes(label ?? '') &&
        issue.updatedAt >= since &&
        issue.number > Number(after),
    );
    const most = Number(query.get('maxResults'));
    const issues = found.slice(0, most).map(shown);
    return {
      status: 200,
      body:
        user === null
          ? { issues, startAt: 0, total: found.length }
          : { issues, isLast: found.length <= most },
    };
  }
  const [, number, rest = ''] = /^\/issue\/[A-Z]+-(\d+)(\/\w+)?$/.exec(at) ?? [];
  const issue = tracker.issues[Number(number) - 1];
  if (!isThere || issue === undefined || issue.isDeleted) {
    return {
      status: 404,
      body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'] },
    };
  }
  const open = transitions.filter(({ from }) => from.includes(issue.status));
  if (rest === '/transitions') {
    if (method === 'GET') {
      return {
        status: 200,
        body: { transitions: open.map(({ id, to }) => ({ id, name: `To ${to}`, to: statusOf(to) })) },
      };
    }
    const { transition } = body as { transition: { id: string } };
    const taken = open.find(({ id }) => id === transition.id);
    if (taken === undefined) return { status: 400, body: { errorMessages: ['It is not valid.'] } };
    issue.status = taken.to;
    issue.isClosed = categories[taken.to] === 'done';
    issue.updatedAt = now();
    return { status: 204 };
  }
  if (rest === '/comment') {
    if (method === 'POST') return { status: 201, body: { body: comment(context, issue, body.body).body } };
    const newest = issue.comments.toReversed().slice(0, Number(query.get('maxResults')));
    return {
      status: 200,
      body: { comments: newest.map(({ body: text }) => ({ body: text })), total: issue.comments.length },
    };
  }
  return { status: 200, body: shown(issue) };
}
