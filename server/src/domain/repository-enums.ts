/** Enumerations of repositories, as they are stored. */

/** The position is the stored number. */
export const repositorySources = ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'] as const;
export type RepositorySource = (typeof repositorySources)[number];
