/** Issues of a GitHub repository, by Octokit. GitHub Enterprise Server has its API under the address of its pages. */
import { findByMarker, readPages } from './read-pages.ts';
import {
  type ChangedIssues,
  notTheApi,
  type RemoteIssue,
  type TrackerAccess,
  type TrackerClient,
  TrackerError,
} from './tracker-client.ts';
import type { SendRequest } from './tracker-requests.ts';

interface GitHubIssue {
  number: number;
  state: string;
  state_reason?: string | null;
  assignee: { login: string } | null;
  body?: string | null;
  created_at: string;
  updated_at: string;
  pull_request?: unknown;
}

interface ListOrder {
  sort: 'created' | 'updated';
  direction: 'asc' | 'desc';
  since?: string;
}

const perPage = 100;
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
  const list = async (page: number, order: ListOrder): Promise<GitHubIssue[]> => {
    const { data } = await asked(() =>
      octokit.rest.issues.listForRepo({ ...at, state: 'all', ...order, per_page: perPage, page }),
    );
    return data;
  };
  return {
    isPublic: async () => {
      const { data } = await asked(() => octokit.rest.repos.get(at));
      return !data.private;
    },
    create: async ({ title, body, labels }) => {
      const { data } = await asked(() =>
        octokit.rest.issues.create({ ...at, title, body, labels: [...labels] }),
      );
      return issueOf(data);
    },
    // The search of GitHub lags behind, and the list of a repository does not.
    find: async (marker, since) => {
      const found = await findByMarker(
        (page) => list(page, { sort: 'created', direction: 'desc' }),
        perPage,
        ({ body, created_at: created }) => ({ text: body ?? '', at: new Date(created) }),
        { marker, since },
      );
      return found === null ? null : issueOf(found);
    },
    comment: async (key, body) => {
      await asked(() => octokit.rest.issues.createComment({ ...at, issue_number: Number(key), body }));
    },
    hasComment: async (key, marker, since) => {
      const { items } = await readPages(
        async (page) => {
          const { data } = await asked(() =>
            octokit.rest.issues.listComments({
              ...at,
              issue_number: Number(key),
              since: since.toISOString(),
              per_page: perPage,
              page,
            }),
          );
          return data;
        },
        perPage,
        ({ body }) => body?.includes(marker) ?? false,
      );
      return items.includes(true);
    },
    setClosed: async (key, isClosed) => {
      const { data } = await asked(() =>
        octokit.rest.issues.update({
          ...at,
          issue_number: Number(key),
          ...(isClosed ? { state: 'closed', state_reason: 'completed' } : { state: 'open' }),
        }),
      );
      return issueOf(data);
    },
    listChanged: async (since): Promise<ChangedIssues> => {
      const order = { sort: 'updated', direction: 'asc', since: since.toISOString() } as const;
      const { items, isAll } = await readPages(
        (page) => list(page, order),
        perPage,
        (item) => ({ isIssue: item.pull_request === undefined, issue: issueOf(item) }),
      );
      // The list has pull requests too.
      const issues = items.flatMap(({ isIssue, issue }) => (isIssue ? [issue] : []));
      return { issues, until: isAll ? null : (items.at(-1)?.issue.changedAt ?? null) };
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
}: GitHubIssue): RemoteIssue {
  const isClosed = state === 'closed';
  return {
    key: String(number),
    status: isClosed ? (reasons[reason ?? ''] ?? 'closed') : 'open',
    isClosed,
    assignee: assignee?.login ?? null,
    changedAt: new Date(at),
  };
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

/** Octokit wraps what its request throws. */
async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof TrackerError) throw cause;
    if (error instanceof TrackerError) throw error;
    throw notTheApi();
  }
}
