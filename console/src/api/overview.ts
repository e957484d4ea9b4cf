/** The numbers of a workspace at a glance, and of one repository over time. */
import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client.ts';

// The numbers move with each scan; nobody reads them anew more often than this.
const freshMs = 15_000;

export function overviewQuery(slug: string) {
  return queryOptions({
    queryKey: ['overview', slug],
    queryFn: ({ signal }) =>
      body(api.GET('/api/v1/{tenant_slug}/overview', { params: { path: { tenant_slug: slug } }, signal })),
    staleTime: freshMs,
  });
}

export type Overview = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof overviewQuery>['queryFn']>>>
>;

/** Of the workspace, or of one repository by its id. */
export function trendQuery(slug: string, repo?: string) {
  return queryOptions({
    queryKey: ['trend', slug, repo ?? null],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/v1/{tenant_slug}/trend', {
          params: { path: { tenant_slug: slug }, query: repo === undefined ? {} : { repo } },
          signal,
        }),
      ),
    staleTime: freshMs,
  });
}
