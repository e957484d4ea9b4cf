/** A merge request of GitLab and its notes. In a fork's pipeline it is the merge request of the target project. */
import { type Environment, given } from '../checkout/checkout.ts';
import { CommandError } from '../failures.ts';
import type { RetryClock } from '../requests.ts';
import { type ForgeComment, forgeApi, forgeList, forgeRequest, type PullRequest } from './forge.ts';

// The API refuses a longer body.
const longestComment = 1_000_000;

/** Returns null if this is not a job of GitLab CI for this project. Throws CommandError if something is missing. */
export function findGitlabMergeRequest(
  { env }: Pick<Environment, 'env'>,
  isAskedAbout: (repo: string) => boolean,
  number: string,
  clock: RetryClock,
): PullRequest | null {
  const url = given(env.CI_API_V4_URL);
  const project = given(env.CI_MERGE_REQUEST_PROJECT_ID) ?? given(env.CI_PROJECT_ID);
  const path = given(env.CI_MERGE_REQUEST_PROJECT_PATH) ?? given(env.CI_PROJECT_PATH);
  if (url === null || project === null) return null;
  if (path === null || !isAskedAbout(path)) return null;
  // The token of a job may not write notes.
  const token = given(env.MERLON_GITLAB_TOKEN) ?? given(env.GITLAB_TOKEN);
  if (token === null) {
    throw new CommandError(
      'Neither MERLON_GITLAB_TOKEN nor GITLAB_TOKEN is set: give a token with the scope api.',
    );
  }
  const api = forgeApi(url, token, (value) => ({ 'private-token': value, 'user-agent': 'merlon' }), {
    advice: 'the token needs the scope api in the target project of the merge request',
    clock,
  });
  const notes = `/projects/${encodeURIComponent(project)}/merge_requests/${number}/notes`;
  return {
    name: `merge request ${number} of ${path}`,
    longestComment,
    async *comments() {
      for await (const item of forgeList(api, notes)) yield noteOf(item);
    },
    findMyId: async () => {
      const user = (await (await forgeRequest(api, 'GET', '/user')).json()) as { id?: unknown };
      return typeof user.id === 'number' ? user.id : null;
    },
    create: async (body) => {
      await forgeRequest(api, 'POST', notes, { body });
    },
    update: async (id, body) => {
      await forgeRequest(api, 'PUT', `${notes}/${id}`, { body });
    },
  };
}

function noteOf(item: unknown): ForgeComment {
  const { id, body, author } = item as { id: number; body?: string | null; author?: { id?: number } | null };
  return { id, body: body ?? '', authorId: author?.id ?? null, byProgram: false };
}
