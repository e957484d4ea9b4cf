/** Applications: what each groups, and how admins change that. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';

type ApplicationPage = Answer<'listApplications'>;
export type Application = ApplicationPage['items'][number];
export type ApplicationDetail = Answer<'getApplication'>;

export interface ApplicationFields {
  name: string;
  description: string | null;
}

const subject = 'applications';

function pathOf(slug: string, id: string, rest = ''): string {
  return `/manage/v1/${slug}/applications/${encodeURIComponent(id)}${rest}`;
}

/** In order of their making. */
export function applicationsQuery(slug: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'list', cursor ?? null],
    queryFn: ({ signal }) =>
      call<ApplicationPage>('GET', `/console/api/v1/${slug}/applications`, { query: { cursor }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** How many repositories each application of a page groups. */
export function applicationCountsQuery(slug: string, ids: string[]) {
  return queryOptions({
    queryKey: [subject, slug, 'counts', ids],
    queryFn: async ({ signal }) => {
      const path = `/console/api/v1/${slug}/application-counts`;
      const { items } = await call<Answer<'listApplicationCounts'>>('GET', path, { query: { ids }, signal });
      return new Map(items.map(({ id, repositories }) => [id, repositories]));
    },
    enabled: ids.length > 0,
  });
}

/** With its repositories, by name. */
export function applicationQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', id],
    queryFn: ({ signal }) =>
      call<ApplicationDetail>('GET', `/console/api/v1/${slug}/applications/${encodeURIComponent(id)}`, {
        signal,
      }),
  });
}

export function createApplication(slug: string, fields: ApplicationFields): Promise<ApplicationDetail> {
  return call('POST', `/manage/v1/${slug}/applications`, { body: fields });
}

export function changeApplication(
  slug: string,
  id: string,
  fields: ApplicationFields,
): Promise<ApplicationDetail> {
  return call('PATCH', pathOf(slug, id), { body: fields });
}

export function deleteApplication(slug: string, id: string): Promise<undefined> {
  return call('DELETE', pathOf(slug, id));
}

/** Exactly these, by their ids. */
export function groupRepositories(
  slug: string,
  id: string,
  repositories: string[],
): Promise<ApplicationDetail> {
  return call('PUT', pathOf(slug, id, '/repositories'), { body: { repositories } });
}

/** Applications are read again at once; what policies make of the change when it is next looked at. */
export async function applicationsChanged(queryClient: QueryClient, slug: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [subject, slug] }),
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== subject && queryKey[1] === slug,
      refetchType: 'none',
    }),
  ]);
}
