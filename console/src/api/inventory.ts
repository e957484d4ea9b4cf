/** Repositories with their references and streams, what applies to them, and organizations. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { api, body } from './client.ts';
import { call, given } from './http.ts';
import type { StreamPage } from './streams.ts';

export type Repository = Answer<'listRepositories'>['items'][number];
export type RepositoryDetail = Answer<'getRepository'>;
export type Reference = Answer<'listReferences'>['items'][number];
export type Organization = Answer<'listOrganizations'>['items'][number];

export type OrganizationParent = Answer<'listOrganizationParents'>['items'][number];

export type RepositoryCounts = Answer<'listRepositoryCounts'>['items'][number];

export type RepositoryPolicy = Answer<'listRepositoryPolicies'>['items'][number];

export interface RepositoryFilters {
  org?: string | undefined;
  source?: string[] | undefined;
  cursor?: string | undefined;
}

const pathOf = (slug: string) => ({ path: { tenant_slug: slug } });

export function repositoriesQuery(slug: string, filters: RepositoryFilters) {
  return queryOptions({
    queryKey: ['repositories', slug, filters],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/v1/{tenant_slug}/repositories', {
          params: { ...pathOf(slug), query: given(filters) as object },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** What is open in each repository of a page. */
export function repositoryCountsQuery(slug: string, ids: string[]) {
  return queryOptions({
    queryKey: ['repository-counts', slug, ids],
    queryFn: async ({ signal }) => {
      const path = `/console/api/v1/${slug}/repository-counts`;
      const { items } = await call<{ items: RepositoryCounts[] }>('GET', path, { query: { ids }, signal });
      return new Map(items.map((item) => [item.id, item]));
    },
    enabled: ids.length > 0,
  });
}

/** By id, or by full name. */
export function repositoryQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['repository', slug, repo],
    queryFn: ({ signal }) =>
      call<RepositoryDetail>('GET', `/console/api/v1/${slug}/repositories/${encodeURIComponent(repo)}`, {
        signal,
      }),
  });
}

export function referencesQuery(slug: string, repo: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['references', slug, repo, cursor ?? null],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/v1/{tenant_slug}/references', {
          params: { ...pathOf(slug), query: { repo, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** Only an admin may do this. Gives the changed repository. */
export function changeDefaultBranch(slug: string, repository: string, branch: string) {
  return body(
    api.PATCH('/manage/v1/{tenant_slug}/repositories/{repository}', {
      params: { path: { tenant_slug: slug, repository } },
      body: { default_branch: branch },
    }),
  );
}

// As many as one looks through; more come by the button.
const streamsAtOnce = 50;

/** Which tools look at it: of every reference, those that were first there first. */
export function repositoryStreamsQuery(slug: string, repo: string) {
  return infiniteQueryOptions({
    queryKey: ['streams', slug, 'repository', repo],
    queryFn: ({ pageParam: cursor, signal }) =>
      call<StreamPage>('GET', `/manage/v1/${slug}/streams`, {
        query: { repo, cursor, per_page: streamsAtOnce },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** Which active policies apply, by which rule, and how much each finds there. */
export function repositoryPoliciesQuery(slug: string, repo: string) {
  return queryOptions({
    queryKey: ['repository-policies', slug, repo],
    queryFn: ({ signal }) =>
      call<{ items: RepositoryPolicy[] }>('GET', `/manage/v1/${slug}/repository-policies`, {
        query: { repo },
        signal,
      }),
  });
}

export function organizationsQuery(slug: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['organizations', slug, cursor ?? null],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/v1/{tenant_slug}/organizations', {
          params: { ...pathOf(slug), query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** What each organization of a page is part of, by its id; null: of none. */
export function organizationParentsQuery(slug: string, ids: string[]) {
  return queryOptions({
    queryKey: ['organizations', slug, 'parents', ids],
    queryFn: async ({ signal }) => {
      const path = `/console/api/v1/${slug}/organization-parents`;
      const { items } = await call<{ items: OrganizationParent[] }>('GET', path, { query: { ids }, signal });
      return new Map(items.map(({ id, parent }) => [id, parent]));
    },
    enabled: ids.length > 0,
  });
}
