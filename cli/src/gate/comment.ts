/**
 * Writes the comment of a verdict into its pull request. There is one comment, and each run updates it. A failure is
 * reported on standard error and never changes the exit code.
 */
import type { Environment } from '../checkout/checkout.ts';
import type { RetryClock } from '../requests.ts';
import { commentBody, commentMarker } from './comment-body.ts';
import type { PullRequest } from './forge.ts';
import type { GateResult } from './gate-answer.ts';
import { findGithubPullRequest } from './github.ts';
import { findGitlabMergeRequest } from './gitlab.ts';

/** The subject of the verdict. */
export interface CommentSubject {
  workspace: string;
  repo: string;
  ref: string | undefined;
}

/** Never throws. */
export async function commentOn(
  environment: Pick<Environment, 'env'>,
  { workspace, repo, ref }: CommentSubject,
  result: GateResult,
  clock: RetryClock,
): Promise<void> {
  const { say } = clock;
  try {
    const names = [repo, result.gate.repository.full_name].map((name) => name.toLowerCase());
    const isAskedAbout = (name: string): boolean => names.includes(name.toLowerCase());
    const pullRequest = findPullRequest(environment, isAskedAbout, ref, clock);
    if (pullRequest === null) {
      say(
        'no comment: this is not a job of GitHub Actions or GitLab CI for a pull request of the repository',
      );
      return;
    }
    const marker = commentMarker(workspace, result.gate);
    const body = commentBody(result, marker, pullRequest.longestComment);
    const own = await findOwn(pullRequest, marker);
    if (own === null) await pullRequest.create(body);
    else await pullRequest.update(own, body);
    say(`${own === null ? 'commented on' : 'updated the comment on'} ${pullRequest.name}`);
  } catch (error) {
    say(`no comment: ${(error as Error).message}`);
  }
}

function findPullRequest(
  environment: Pick<Environment, 'env'>,
  isAskedAbout: (repo: string) => boolean,
  ref: string | undefined,
  clock: RetryClock,
): PullRequest | null {
  const [, kind, number] = /^refs\/(pull|merge-requests)\/(\d+)\/(?:head|merge)$/.exec(ref ?? '') ?? [];
  if (kind === undefined || number === undefined) return null;
  return kind === 'pull'
    ? findGithubPullRequest(environment, isAskedAbout, number, clock)
    : findGitlabMergeRequest(environment, isAskedAbout, number, clock);
}

/**
 * Finds the first comment with the marker that the token's own user wrote. Anybody may write the marker, and their
 * comments must stay untouched. If the forge does not name the token's user, a comment by a program counts.
 */
async function findOwn(pullRequest: PullRequest, marker: string): Promise<number | null> {
  const marked = [];
  for await (const comment of pullRequest.comments())
    if (comment.body.startsWith(marker)) marked.push(comment);
  if (marked.length === 0) return null;
  const me = await pullRequest.findMyId();
  const own = marked.find(({ authorId, byProgram }) => (me === null ? byProgram : authorId === me));
  return own?.id ?? null;
}
