import type { queryValues } from '@merlon/client';

/** The names of the systems that repositories and organizations come from, by the API's names. */
export const sources: Record<string, string> = {
  ghc: 'GitHub',
  ghe: 'GitHub Enterprise',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  azure_devops: 'Azure DevOps',
  local: 'Local',
} satisfies Record<(typeof queryValues.listRepositories.source)[number], string>;

export const organizationTypes: Record<string, string> = {
  github_org: 'GitHub organization',
  gitlab_group: 'GitLab group',
  bitbucket_workspace: 'Bitbucket workspace',
  azure_project: 'Azure project',
  local: 'Local',
};
