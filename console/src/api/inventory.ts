/** Repositories with their references, series and policies; and organizations. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';
import { byIdQuery, endlessQuery } from './queries.ts';

export type Repository = Answer<'listRepositories'>['items'][number];
export type RepositoryDetail = Answer<'getRepository'>;
export type Reference = Answer<'listReferences'>['items'][number];
export type Organization = Answer<'listOrganizations'>['items'][number];

export type OrganizationParent = Answer<'listOrganizationParents'>['items'][number];

export type RepositoryCounts = Answer<'listRepositoryCounts'>['items'][number];

export type RepositoryScans = Answer<'listRepositoryScans'>['items'][number];

export type RepositoryPolicy = Answer<'listRepositoryPolicies'>['items'][number];

export function repositoriesQuery(slug: string, filters: Query<'listRepositories'>) {
  return queryOptions({
    queryKey: ['repositories', slug, filters],
    queryFn: ({ signal }) => api.listRepositories({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Counts the open vulnerabilities of each repository of a page. */
export function repositoryCountsQuery(slug: string, ids: string[]) {
  return byIdQuery(['repository-counts', slug], ids, (signal) =>
    api.listRepositoryCounts({ path: { tenant_slug: slug }, query: { ids }, signal }),
  );
}

/** Reads the last scan and the verdict of each repository of a page. */
export function repositoryScansQuery(slug: string, ids: string[]) {
  return byIdQuery(['repository-scans', slug], ids, (signal) =>
    api.listRepositoryScans({ path: { tenant_slug: slug }, query: { ids }, signal }),
  );
}

/** Reads one repository by id or by full name. */
export function repositoryQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['repository', slug, repo],
    queryFn: ({ signal }) => api.getRepository({ path: { tenant_slug: slug, repo }, signal }),
  });
}

/** The query for `is_exposed`: true if people outside can reach the software of the repository. */
export function exposureQuery(slug: string, repository: string) {
  return queryOptions({
    queryKey: ['exposure', slug, repository],
    queryFn: async ({ signal }) => {
      const { is_exposed } = await api.getManagedRepository({
        path: { tenant_slug: slug, repository },
        signal,
      });
      return is_exposed;
    },
  });
}

export function referencesQuery(slug: string, repo: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['references', slug, repo, cursor ?? null],
    queryFn: ({ signal }) =>
      api.listReferences({ path: { tenant_slug: slug }, query: { repo, cursor }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function trackedBranchesQuery(slug: string, repository: string) {
  return queryOptions({
    queryKey: ['tracked-branches', slug, repository],
    queryFn: ({ signal }) => api.getTrackedBranches({ path: { tenant_slug: slug, repository }, signal }),
  });
}

/** Sets the names of tracked branches; null means those of the workspace. Needs the role admin. */
export function setTrackedBranches(slug: string, repository: string, own: string[] | null) {
  return api.setTrackedBranches({ path: { tenant_slug: slug, repository }, body: { own } });
}

// A person looks through about this many. The button loads more.
const seriesAtOnce = 50;

/** Reads the series of all references of a repository, the oldest first. */
export function repositorySeriesQuery(slug: string, repo: string) {
  return endlessQuery(['series', slug, 'repository', repo], (cursor, signal) =>
    api.listScanSeries({
      path: { tenant_slug: slug },
      query: { repo, cursor, per_page: seriesAtOnce },
      signal,
    }),
  );
}

/** Reads the active policies that apply, the rule that makes each apply, and the number of violations of each. */
export function repositoryPoliciesQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['repository-policies', slug, repo],
    queryFn: ({ signal }) =>
      api.listRepositoryPolicies({ path: { tenant_slug: slug }, query: { repo }, signal }),
  });
}

export function organizationsQuery(slug: string, filters: Query<'listOrganizations'>) {
  return queryOptions({
    queryKey: ['organizations', slug, filters],
    queryFn: ({ signal }) => api.listOrganizations({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Reads the parent of each organization of a page, which is null if it has none. */
export function organizationParentsQuery(slug: string, ids: string[]) {
  return byIdQuery(['organizations', slug, 'parents'], ids, (signal) =>
    api.listOrganizationParents({ path: { tenant_slug: slug }, query: { ids }, signal }),
  );
}

/** Reads who owns which paths of the repository. Needs the role member. */
export function codeOwnersQuery(slug: string, repository: string) {
  return queryOptions({
    queryKey: ['code-owners', slug, repository],
    queryFn: ({ signal }) => api.getCodeOwners({ path: { tenant_slug: slug, repository }, signal }),
  });
}

/** Sets the CODEOWNERS file; uploads do not replace it any more. Needs the role admin. */
export function setCodeOwners(slug: string, repository: string, file: { path: string; content: string }) {
  return api.setCodeOwners({ path: { tenant_slug: slug, repository }, body: file });
}
