/** The numbers of open vulnerabilities in all repositories of each application or organization on a page. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type GroupCounts = Answer<'listApplicationOpen'>['items'][number];

export function groupCountsQuery(slug: string, kind: 'applications' | 'organizations', ids: string[]) {
  return queryOptions({
    queryKey: [kind, slug, 'open', ids],
    queryFn: async ({ signal }) => {
      const parts = { path: { tenant_slug: slug }, query: { ids }, signal };
      const { items } = await (kind === 'applications'
        ? api.listApplicationOpen(parts)
        : api.listOrganizationOpen(parts));
      return new Map(items.map((item) => [item.id, item]));
    },
    enabled: ids.length > 0,
  });
}
