/** Names of advisories that Merlon has learned from reports. An admin lists, forgets and restores them. */
import { type Answer, api } from './client.ts';
import { endlessQuery } from './queries.ts';

export type AdvisoryName = Answer<'listAdvisoryNames'>['items'][number];

export const advisoryNamesKey = (slug: string) => ['advisory-names', slug];

export function advisoryNamesQuery(slug: string) {
  return endlessQuery(advisoryNamesKey(slug), (cursor, signal) =>
    api.listAdvisoryNames({ path: { tenant_slug: slug }, query: { cursor }, signal }),
  );
}
