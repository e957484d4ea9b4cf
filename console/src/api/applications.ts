/** Applications: the repositories that each groups, and how admins change that. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';
import { byIdQuery, readAgain } from './queries.ts';

export type Application = Answer<'listApplications'>['items'][number];
export type ApplicationDetail = Answer<'getApplication'>;

export type ApplicationCounts = Answer<'listApplicationCounts'>['items'][number];

const subject = 'applications';

/** Reads one page of the applications, the oldest first. A search shows the exact name first. */
export function applicationsQuery(slug: string, filters: Query<'listApplications'>) {
  return queryOptions({
    queryKey: [subject, slug, 'list', filters],
    queryFn: ({ signal }) => api.listApplications({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Counts the repositories of each application of a page, and names its owner. */
export function applicationCountsQuery(slug: string, ids: string[]) {
  return byIdQuery([subject, slug, 'counts'], ids, (signal) =>
    api.listApplicationCounts({ path: { tenant_slug: slug }, query: { ids }, signal }),
  );
}

/** Reads one application with its repositories, ordered by name. */
export function applicationQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', id],
    queryFn: ({ signal }) => api.getApplication({ path: { tenant_slug: slug, application: id }, signal }),
  });
}

/** Replaces the repositories of the application by exactly these ids. */
export function groupRepositories(slug: string, id: string, repositories: string[]) {
  return api.setApplicationRepositories({
    path: { tenant_slug: slug, application: id },
    body: { repositories },
  });
}

/**
 * Applications are read again at once. Data that policies derive from the change is read again when a page shows it.
 */
export function applicationsChanged(queryClient: QueryClient, slug: string): Promise<void> {
  return readAgain(queryClient, slug, [subject]);
}
