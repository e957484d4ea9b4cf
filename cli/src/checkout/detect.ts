/** Detects the CI system and reads its facts about the checkout. */
import { readFileSync } from 'node:fs';
import { isAzurePipelines, readAzurePipelines } from './azure-pipelines.ts';
import { type Checkout, type Environment, findMergedBase, type Git } from './checkout.ts';
import { gitIn, readGit } from './git.ts';
import { isGithubActions, readGithubActions } from './github-actions.ts';
import { isGitlabCi, readGitlabCi } from './gitlab-ci.ts';
import { isJenkins, readJenkins } from './jenkins.ts';
import { isNameOf, repositoryOfUrl } from './remote-url.ts';

/** Each CI, with the variable of its run's commit. For a pull request that can be the merge. */
const systems = [
  { isRunning: isGithubActions, read: readGithubActions, commitVariable: 'GITHUB_SHA' },
  { isRunning: isGitlabCi, read: readGitlabCi, commitVariable: 'CI_COMMIT_SHA' },
  { isRunning: isJenkins, read: readJenkins, commitVariable: 'GIT_COMMIT' },
  { isRunning: isAzurePipelines, read: readAzurePipelines, commitVariable: 'BUILD_SOURCEVERSION' },
];

/**
 * Returns null if there is no CI and no checkout. A run can check out another repository or another commit than its
 * own. Nothing is known then about what was scanned.
 */
export function detectCheckout(environment: Environment): Checkout | null {
  const system = systems.find(({ isRunning }) => isRunning(environment));
  if (system === undefined) return readGit(environment);
  const { env, git } = environment;
  const found = system.read(environment);
  const head = git('rev-parse', '--verify', '-q', 'HEAD');
  // A job of GitLab without a checkout may find that of an earlier job, and takes its reports from its own pipeline.
  const hasOwnCheckout = env.GIT_STRATEGY !== 'none';
  const isOfRun =
    head !== null &&
    (head === found.sha ||
      head === env[system.commitVariable] ||
      (found.baseRef !== null && findMergedBase(git, found.sha) !== null));
  if (isOfRun || !hasOwnCheckout) return found;
  const otherRepo = otherRepository(git, found.repo);
  if (head === null || otherRepo !== null || found.sha === null) return { ...found, otherRepo };
  return {
    ...found,
    ref: null,
    sha: null,
    baseRef: null,
    baseSha: null,
    advice: `The checkout is at ${head.slice(0, 12)}, not at the commit of the run: give --ref and --sha of what was scanned.`,
  };
}

/** The name of the repository in this directory, if it is another one. A fork or a mirror has another name too. */
function otherRepository(git: Git, repo: string | null): string | null {
  const url = git('remote', 'get-url', 'origin');
  const name = url === null ? null : repositoryOfUrl(url);
  return repo === null || name === null || isNameOf(name, repo) ? null : name;
}

/** Returns the environment of this process. */
export function currentEnvironment(): Environment {
  return {
    env: process.env,
    git: gitIn(process.cwd()),
    readJson: (path) => {
      try {
        return JSON.parse(readFileSync(path, 'utf8'));
      } catch {
        return null;
      }
    },
  };
}
