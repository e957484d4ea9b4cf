/** Enumerations of repositories, as they are stored. */

export const repositorySources = ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'] as const;
export type RepositorySource = (typeof repositorySources)[number];
