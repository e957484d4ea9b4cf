/** A pull request of GitHub and its comments, which belong to the issue of the same number. */
import { type Environment, given } from '../checkout/checkout.ts';
import { CommandError } from '../failures.ts';
import type { RetryClock } from '../requests.ts';
import {
  type ForgeComment,
  forgeAnswer,
  forgeApi,
  forgeList,
  forgeRequest,
  type PullRequest,
} from './forge.ts';

// The API refuses a longer body.
const longestComment = 65_536;

/**
 * Returns null if this is not a job of GitHub Actions for this repository. Throws CommandError if something is missing.
 */
export function findGithubPullRequest(
  { env }: Pick<Environment, 'env'>,
  isAskedAbout: (repo: string) => boolean,
  number: string,
  clock: RetryClock,
): PullRequest | null {
  const repository = given(env.GITHUB_REPOSITORY);
  if (repository === null || !isAskedAbout(repository)) return null;
  const token = given(env.GITHUB_TOKEN);
  if (token === null)
    throw new CommandError('GITHUB_TOKEN is not set: give the token of the job to this step.');
  const api = forgeApi(
    given(env.GITHUB_API_URL) ?? 'https://api.github.com',
    token,
    (value) => ({
      authorization: `Bearer ${value}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'merlon',
    }),
    { advice: 'the job needs permissions: pull-requests: write', clock },
  );
  const path = `/repos/${repository.split('/').map(encodeURIComponent).join('/')}/issues`;
  return {
    name: `pull request ${number} of ${repository}`,
    longestComment,
    async *comments() {
      for await (const item of forgeList(api, `${path}/${number}/comments`)) yield commentOf(item);
    },
    findMyId: async () => {
      const response = await forgeAnswer(api, 'GET', '/user');
      // The token of a workflow belongs to no user, so the request is refused.
      if (response.status === 401 || response.status === 403) return null;
      const user = (await response.json().catch(() => null)) as { id?: unknown } | null;
      if (typeof user?.id !== 'number')
        throw new CommandError('The API of GitHub does not name the owner of the token.');
      return user.id;
    },
    create: async (body) => {
      await forgeRequest(api, 'POST', `${path}/${number}/comments`, { body });
    },
    update: async (id, body) => {
      await forgeRequest(api, 'PATCH', `${path}/comments/${id}`, { body });
    },
  };
}

function commentOf(item: unknown): ForgeComment {
  const { id, body, user } = item as {
    id: number;
    body?: string | null;
    user?: { id?: number; type?: string } | null;
  };
  return { id, body: body ?? '', authorId: user?.id ?? null, byProgram: user?.type === 'Bot' };
}
