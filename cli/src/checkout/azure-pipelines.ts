/** Azure Pipelines, read from its predefined variables, for repositories of Azure, GitHub and others. */
import { type Checkout, type Environment, findBaseCommit, given, nothingKnown } from './checkout.ts';
import { repositoryOfUrl } from './remote-url.ts';

export function isAzurePipelines({ env }: Environment): boolean {
  return env.TF_BUILD === 'True';
}

export function readAzurePipelines(environment: Environment): Checkout {
  const { env } = environment;
  const url = given(env.BUILD_REPOSITORY_URI);
  const ref = given(env.BUILD_SOURCEBRANCH);
  const found: Checkout = {
    ...nothingKnown('Azure Pipelines'),
    repo: url === null ? null : repositoryOfUrl(url),
    sha: given(env.BUILD_SOURCEVERSION),
  };
  // Azure numbers the pull requests of its own repositories by id, and those of GitHub by number.
  const number =
    given(env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER) ?? given(env.SYSTEM_PULLREQUEST_PULLREQUESTID);
  if (number !== null) return { ...found, ...pullRequestOf(environment, number) };
  if (ref?.startsWith('refs/')) return { ...found, ref };
  return { ...found, advice: 'BUILD_SOURCEBRANCH is not set: give --ref.' };
}

/** The checkout is the merge, so the head of the pull request comes from its own variable. */
function pullRequestOf({ env, git }: Environment, number: string): Partial<Checkout> {
  const sha = given(env.SYSTEM_PULLREQUEST_SOURCECOMMITID);
  const baseRef = given(env.SYSTEM_PULLREQUEST_TARGETBRANCH)?.replace(/^refs\/heads\//, '') ?? null;
  return {
    ref: `refs/pull/${number}/head`,
    sha,
    baseRef,
    baseSha: findBaseCommit(git, sha, baseRef),
  };
}
