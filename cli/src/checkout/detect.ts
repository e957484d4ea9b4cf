/** Detects the CI system and reads its facts about the checkout. */
import { readFileSync } from 'node:fs';
import { isAzurePipelines, readAzurePipelines } from './azure-pipelines.ts';
import type { Checkout, Surroundings } from './checkout.ts';
import { gitIn, readGit } from './git.ts';
import { isGithubActions, readGithubActions } from './github-actions.ts';
import { isGitlabCi, readGitlabCi } from './gitlab-ci.ts';
import { isJenkins, readJenkins } from './jenkins.ts';

/** Returns null if there is no CI and no checkout. */
export function detectCheckout(surroundings: Surroundings): Checkout | null {
  if (isGithubActions(surroundings)) return readGithubActions(surroundings);
  if (isGitlabCi(surroundings)) return readGitlabCi(surroundings);
  if (isJenkins(surroundings)) return readJenkins(surroundings);
  if (isAzurePipelines(surroundings)) return readAzurePipelines(surroundings);
  return readGit(surroundings);
}

/** Returns the environment of this process. */
export function surroundingsHere(): Surroundings {
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
