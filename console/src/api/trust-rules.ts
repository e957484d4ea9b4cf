/** Trust rules: which runs of a CI provider get a key without a stored one. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type TrustRule = Answer<'listTrustRules'>['items'][number];
export type CiProvider = TrustRule['provider'];

export function trustRulesQuery(slug: string) {
  return queryOptions({
    queryKey: ['trust-rules', slug],
    queryFn: ({ signal }) => api.listTrustRules({ path: { tenant_slug: slug }, signal }),
  });
}
