/** Detects the CI system and reads its facts about the checkout. */
import { readFileSync } from 'node:fs';
import { isAzurePipelines, readAzurePipelines } from './azure-pipelines.ts';
import type { Checkout, Environment } from './checkout.ts';
import { gitIn, readGit } from './git.ts';
import { isGithubActions, readGithubActions } from './github-actions.ts';
import { isGitlabCi, readGitlabCi } from './gitlab-ci.ts';
import { isJenkins, readJenkins } from './jenkins.ts';

/** Returns null if there is no CI and no checkout. */
export function detectCheckout(environment: Environment): Checkout | null {
  if (isGithubActions(environment)) return readGithubActions(environment);
  if (isGitlabCi(environment)) return readGitlabCi(environment);
  if (isJenkins(environment)) return readJenkins(environment);
  if (isAzurePipelines(environment)) return readAzurePipelines(environment);
  return readGit(environment);
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
