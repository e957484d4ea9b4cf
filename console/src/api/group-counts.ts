/** The numbers of open vulnerabilities in all repositories of each application or organization on a page. */
import { type Answer, api } from './client.ts';
import { byIdQuery } from './queries.ts';

export type GroupCounts = Answer<'listApplicationOpen'>['items'][number];

export function groupCountsQuery(slug: string, kind: 'applications' | 'organizations', ids: string[]) {
  return byIdQuery([kind, slug, 'open'], ids, (signal) => {
    const parts = { path: { tenant_slug: slug }, query: { ids }, signal };
    return kind === 'applications' ? api.listApplicationOpen(parts) : api.listOrganizationOpen(parts);
  });
}
