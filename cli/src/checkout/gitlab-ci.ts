/**
 * GitLab CI, read from its variables. A merge request belongs to its target project, even if its branch is in a fork.
 */
import {
  type Checkout,
  type Environment,
  findBaseCommit,
  findMergedBase,
  given,
  nothingKnown,
} from './checkout.ts';

export function isGitlabCi({ env }: Environment): boolean {
  return env.GITLAB_CI === 'true';
}

export function readGitlabCi(environment: Environment): Checkout {
  const { env } = environment;
  const project: Checkout = {
    ...nothingKnown('GitLab CI'),
    repo: given(env.CI_PROJECT_PATH),
    sha: given(env.CI_COMMIT_SHA),
    defaultBranch: given(env.CI_DEFAULT_BRANCH),
    ...(given(env.CI_PROJECT_ID) === null
      ? {}
      : {
          repoSource: 'gitlab',
          repoExternalId: given(env.CI_PROJECT_ID),
          orgExternalId: given(env.CI_PROJECT_NAMESPACE_ID),
        }),
    private: given(env.CI_PROJECT_VISIBILITY) === null ? null : env.CI_PROJECT_VISIBILITY !== 'public',
  };
  const number = given(env.CI_MERGE_REQUEST_IID);
  if (number !== null) return mergeRequest(environment, project, number);
  const tag = given(env.CI_COMMIT_TAG);
  const branch = given(env.CI_COMMIT_BRANCH) ?? given(env.CI_COMMIT_REF_NAME);
  if (tag !== null) return { ...project, ref: `refs/tags/${tag}` };
  if (branch !== null) return { ...project, ref: `refs/heads/${branch}` };
  return { ...project, advice: 'CI_COMMIT_BRANCH is not set: give --ref.' };
}

function mergeRequest({ env, git }: Environment, project: Checkout, number: string): Checkout {
  // Only merged results pipelines set this. Their own commit is a merge that is in no branch.
  const sha = given(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA) ?? project.sha;
  const baseRef = given(env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME);
  const scanned = {
    ref: `refs/merge-requests/${number}/head`,
    sha,
    baseRef,
    baseSha:
      findMergedBase(git, sha) ??
      given(env.CI_MERGE_REQUEST_DIFF_BASE_SHA) ??
      findBaseCommit(git, sha, baseRef),
  };
  const target = given(env.CI_MERGE_REQUEST_PROJECT_ID);
  if (target === null || target === project.repoExternalId) return { ...project, ...scanned };
  // The pipeline runs in the fork, so only the path and the id of the target project are known.
  return {
    ...nothingKnown(project.foundBy),
    repo: given(env.CI_MERGE_REQUEST_PROJECT_PATH),
    repoSource: 'gitlab',
    repoExternalId: target,
    ...scanned,
  };
}
