/** Issues of a GitHub repository, by Octokit. GitHub Enterprise Server has its API under the address of its pages. */
import { type Static, type TSchema, Type } from 'typebox';
import { matchesSchema } from '../../http/schema.ts';
import { checkedAnswer, checkedIssue, checkedTime, nullable } from './check-answer.ts';
import { findByMarker, orNull, readChangedPages, readPages } from './read-pages.ts';
import {
  notTheApi,
  type RemoteIssue,
  type TrackerAccess,
  type TrackerClient,
  TrackerError,
} from './tracker-client.ts';
import type { SendRequest } from './tracker-requests.ts';

const Issue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  state: Type.String(),
  state_reason: nullable(Type.String()),
  assignee: nullable(Type.Object({ login: Type.String() })),
  body: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
});
// A list of issues has pull requests too.
const PullRequest = Type.Object({ pull_request: Type.Object({}) });
const Comment = Type.Object({ body: nullable(Type.String()) });
const Project = Type.Object({ private: Type.Boolean(), has_issues: Type.Boolean() });

interface ListOrder {
  sort: 'created' | 'updated';
  direction: 'asc' | 'desc';
  since?: string;
}

const perPage = 50;
const ignore = (): void => {};

export async function githubClient(
  { url, project, token }: TrackerAccess,
  send: SendRequest,
): Promise<TrackerClient> {
  const { Octokit } = await import('@octokit/rest');
  const octokit = new Octokit({
    auth: token,
    baseUrl: url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`,
    userAgent: 'merlon',
    // Failures are stored, so nothing is logged.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: { fetch: fetchBy(send) },
  });
  const [owner = '', repo = ''] = project.split('/');
  const at = { owner, repo };
  const list = (page: number, order: ListOrder): Promise<unknown> =>
    call(Type.Unknown(), () =>
      octokit.rest.issues.listForRepo({ ...at, state: 'all', ...order, per_page: perPage, page }),
    );
  return {
    readProject: async () => {
      const project = await call(Project, () => octokit.rest.repos.get(at));
      return { isPublic: !project.private, hasIssues: project.has_issues };
    },
    create: async ({ title, body, labels }) =>
      issueOf(
        await call(Issue, () => octokit.rest.issues.create({ ...at, title, body, labels: [...labels] })),
      ),
    // The search of GitHub lags behind, and the list of a repository does not.
    find: (marker, since) =>
      findByMarker(
        (page) => list(page, { sort: 'created', direction: 'desc' }),
        perPage,
        (item) => {
          const issue = checkedAnswer(Issue, item);
          return { text: issue.body ?? '', at: checkedTime(issue.created_at), issue: issueOf(issue) };
        },
        { marker, since },
      ),
    comment: async (key, body) => {
      await call(Comment, () =>
        octokit.rest.issues.createComment({ ...at, issue_number: Number(key), body }),
      );
    },
    hasComment: async (key, marker, since) => {
      const { items } = await readPages(
        (page) =>
          call(Type.Unknown(), () =>
            octokit.rest.issues.listComments({
              ...at,
              issue_number: Number(key),
              since: since.toISOString(),
              per_page: perPage,
              page,
            }),
          ),
        { perPage },
        (item) => checkedAnswer(Comment, item).body?.includes(marker) ?? false,
      );
      return items.includes(true);
    },
    setClosed: async (key, isClosed) =>
      issueOf(
        await call(Issue, () =>
          octokit.rest.issues.update({
            ...at,
            issue_number: Number(key),
            ...(isClosed ? { state: 'closed', state_reason: 'completed' } : { state: 'open' }),
          }),
        ),
      ),
    listChanged: async ({ since, next: from }) => {
      const order = { sort: 'created', direction: 'asc', since: since.toISOString() } as const;
      return readChangedPages(
        (page) => list(page, order),
        { perPage, from },
        (item) =>
          matchesSchema(PullRequest, item) ? undefined : orNull(() => issueOf(checkedAnswer(Issue, item))),
      );
    },
  };
}

const reasons: Record<string, string> = {
  not_planned: 'closed as not planned',
  duplicate: 'closed as duplicate',
};

function issueOf({
  number,
  state,
  state_reason: reason,
  assignee,
  updated_at: at,
}: Static<typeof Issue>): RemoteIssue {
  const isClosed = state === 'closed';
  return checkedIssue({
    key: String(number),
    status: isClosed ? (reasons[reason ?? ''] ?? 'closed') : 'open',
    isClosed,
    assignee: assignee?.login ?? null,
    changedAt: at,
  });
}

/** The form in which Octokit sends its requests. */
function fetchBy(send: SendRequest): typeof fetch {
  return (async (url: string, { method = 'GET', headers = {}, body }: RequestInit = {}) =>
    send(url, {
      method,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? body : null,
    })) as typeof fetch;
}

/** Returns what the answer has, in this form. Octokit wraps what its request throws. */
async function call<Schema extends TSchema>(
  schema: Schema,
  request: () => Promise<{ data: unknown }>,
): Promise<Static<Schema>> {
  try {
    const { data } = await request();
    return checkedAnswer(schema, data);
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof TrackerError) throw cause;
    if (error instanceof TrackerError) throw error;
    throw notTheApi();
  }
}
