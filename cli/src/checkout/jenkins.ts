/** Jenkins, read from the variables of its git plugin and of multibranch projects. If a job sets none, git is read. */
import { type Checkout, type Environment, findBaseCommit, given, nothingKnown } from './checkout.ts';
import { repositoryOfUrl } from './remote-url.ts';

export function isJenkins({ env }: Environment): boolean {
  return given(env.JENKINS_URL) !== null;
}

export function readJenkins(environment: Environment): Checkout {
  const { env, git } = environment;
  const url = given(env.GIT_URL) ?? given(env.GIT_URL_1) ?? git('remote', 'get-url', 'origin');
  const branch = given(env.BRANCH_NAME);
  const found: Checkout = {
    ...nothingKnown('Jenkins'),
    repo: url === null ? null : repositoryOfUrl(url),
    sha: given(env.GIT_COMMIT) ?? git('rev-parse', 'HEAD'),
    defaultBranch: env.BRANCH_IS_PRIMARY === 'true' ? branch : null,
  };
  const number = given(env.CHANGE_ID);
  if (number !== null) return { ...found, ...changeOf(environment, found, number) };
  const tag = given(env.TAG_NAME);
  if (tag !== null) return { ...found, ref: `refs/tags/${tag}` };
  const name = branch ?? branchOfCheckout(environment);
  if (name !== null) return { ...found, ref: `refs/heads/${name}` };
  return { ...found, advice: 'Neither BRANCH_NAME nor GIT_BRANCH is set: give --ref.' };
}

// The git plugin gives the branch with its remote: origin/main.
function branchOfCheckout({ env, git }: Environment): string | null {
  const name = given(env.GIT_LOCAL_BRANCH) ?? given(env.GIT_BRANCH);
  if (name === null || name === 'detached' || name === 'HEAD') return null;
  const short = name.replace(/^refs\/heads\//, '').replace(/^refs\/remotes\//, '');
  const remotes = git('remote')?.split('\n') ?? ['origin'];
  const remote = remotes.find((known) => short.startsWith(`${known}/`));
  return remote === undefined ? short : short.slice(remote.length + 1);
}

function changeOf({ env, git }: Environment, found: Checkout, number: string): Partial<Checkout> {
  // A build of the merge has its own commit. The head of the pull request is in another variable.
  const head = given(env.BRANCH_NAME);
  const sha =
    (head === null ? null : git('rev-parse', '--verify', '-q', `refs/remotes/origin/${head}`)) ?? found.sha;
  const baseRef = given(env.CHANGE_TARGET);
  return {
    ref: `${pullRequestsAt(env.CHANGE_URL ?? '')}/${number}/head`,
    sha,
    baseRef,
    baseSha: findBaseCommit(git, sha, baseRef),
  };
}

function pullRequestsAt(changeUrl: string): string {
  if (changeUrl.includes('/merge_requests/')) return 'refs/merge-requests';
  return changeUrl.includes('/pull-requests/') ? 'refs/pull-requests' : 'refs/pull';
}
