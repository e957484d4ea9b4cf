/** Names of advisories that Merlon has learned from reports. An admin lists, forgets and restores them. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type AdvisoryName = Answer<'listAdvisoryNames'>['items'][number];

export const advisoryNamesKey = (slug: string) => ['advisory-names', slug];

export function advisoryNamesQuery(slug: string) {
  return infiniteQueryOptions({
    queryKey: advisoryNamesKey(slug),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listAdvisoryNames({ path: { tenant_slug: slug }, query: { cursor }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

export function setNameForgotten(slug: string, name: AdvisoryName, forgotten: boolean) {
  return api.changeAdvisoryName({ path: { tenant_slug: slug, name: name.id }, body: { forgotten } });
}
