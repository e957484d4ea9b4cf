/** Enumerations of repositories, as they are stored. */

/** The database stores the position in this list. */
export const repositorySources = ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'] as const;
export type RepositorySource = (typeof repositorySources)[number];
