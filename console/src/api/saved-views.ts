/** Saved views: a page with its query, under a name. A view belongs to one person, or is shared in the workspace. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type SavedView = Answer<'listSavedViews'>['items'][number];

const subject = 'saved-views';

export function savedViewsQuery(slug: string) {
  return queryOptions({
    queryKey: [subject, slug],
    queryFn: ({ signal }) => api.listSavedViews({ path: { tenant_slug: slug }, signal }),
  });
}

export async function savedViewsChanged(queryClient: QueryClient, slug: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [subject, slug] });
}
