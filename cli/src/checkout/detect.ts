/** Detects the CI system and reads its facts about the checkout. */
import { readFileSync } from 'node:fs';
import { isAzurePipelines, readAzurePipelines } from './azure-pipelines.ts';
import type { Checkout, Environment } from './checkout.ts';
import { gitIn, readGit } from './git.ts';
import { isGithubActions, readGithubActions } from './github-actions.ts';
import { isGitlabCi, readGitlabCi } from './gitlab-ci.ts';
import { isJenkins, readJenkins } from './jenkins.ts';
import { repositoryOfUrl } from './remote-url.ts';

/** Returns null if there is no CI and no checkout. */
export function detectCheckout(environment: Environment): Checkout | null {
  const found = readCi(environment);
  return found === null ? readGit(environment) : { ...found, otherRepo: otherRepository(environment, found) };
}

function readCi(environment: Environment): Checkout | null {
  if (isGithubActions(environment)) return readGithubActions(environment);
  if (isGitlabCi(environment)) return readGitlabCi(environment);
  if (isJenkins(environment)) return readJenkins(environment);
  if (isAzurePipelines(environment)) return readAzurePipelines(environment);
  return null;
}

/** A run can check out another repository than its own. A fork or a mirror has another name too, but the same commit. */
function otherRepository({ env, git }: Environment, { repo, sha }: Checkout): string | null {
  const url = git('remote', 'get-url', 'origin');
  const name = url === null ? null : repositoryOfUrl(url);
  // A server can have its repositories below a path of its own.
  if (repo === null || name === null || `/${name}`.toLowerCase().endsWith(`/${repo}`.toLowerCase()))
    return null;
  // For a pull request, the run has the commit of the merge in its own variable.
  const commits = [sha, env.GITHUB_SHA, env.CI_COMMIT_SHA, env.GIT_COMMIT, env.BUILD_SOURCEVERSION];
  const head = git('rev-parse', '--verify', '-q', 'HEAD');
  return head !== null && commits.includes(head) ? null : name;
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
