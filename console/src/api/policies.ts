/** Policies as people read and write them, what a condition may ask about, and how much each policy finds. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RequestBody } from './client.ts';

export type Policy = Answer<'getPolicy'>;

export type Fact = Answer<'listPolicyFacts'>['items'][number];

/** Of a policy that finds something. */
export type PolicyCounts = Answer<'listPolicyCounts'>['items'][number];

export type DryRun = Answer<'dryRunPolicy'>;

/** A policy as it is written, whatever somebody has written. */
export type PolicyDocument = Record<string, unknown>;

const subject = 'policies';

export function policiesKey(slug: string): string[] {
  return [subject, slug];
}

// Progress moves a few times a second; nobody needs to see each.
const progressMs = 5_000;

/** By key. Asked again while the workspace is being asked by one of them. */
export function policiesQuery(slug: string) {
  return queryOptions({
    queryKey: [subject, slug, 'list'],
    queryFn: ({ signal }) => api.listPolicies({ path: { tenant_slug: slug }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ evaluation }) => evaluation.pending) ? progressMs : false,
  });
}

/** By id or key. */
export function policyQuery(slug: string, policy: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', policy],
    queryFn: ({ signal }) => api.getPolicy({ path: { tenant_slug: slug, policy }, signal }),
    refetchInterval: ({ state }) => (state.data?.evaluation.pending ? progressMs : false),
  });
}

/** `isMoving`: the workspace is being asked, so that they change by themselves. */
export function policyCountsQuery(slug: string, isMoving: boolean) {
  return queryOptions({
    // Once more when it has come to an end: what was read just before is of before.
    queryKey: [subject, slug, 'counts', isMoving],
    staleTime: 0,
    queryFn: ({ signal }) => api.listPolicyCounts({ path: { tenant_slug: slug }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? progressMs : false,
  });
}

/** They change with the version of the server. */
export function factsQuery(slug: string) {
  return queryOptions({
    queryKey: [subject, slug, 'facts'],
    queryFn: ({ signal }) => api.listPolicyFacts({ path: { tenant_slug: slug }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** As if it were active. Throws 422 with every mistake and its place. Needs the role admin. */
export function dryRun(slug: string, document: PolicyDocument, signal?: AbortSignal) {
  const body = document as RequestBody<'dryRunPolicy'>;
  return api.dryRunPolicy({ path: { tenant_slug: slug }, body, signal });
}

/** Made by key, changed by key or id. The document's own key is not sent. */
export function putPolicy(slug: string, policy: string, { key: _, ...document }: PolicyDocument) {
  const body = document as RequestBody<'putPolicy'>;
  return api.putPolicy({ path: { tenant_slug: slug, policy }, body });
}

/** Policies are read again at once; what hangs on them when it is next looked at. */
export async function policiesChanged(queryClient: QueryClient, slug: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: policiesKey(slug) }),
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== subject && queryKey[1] === slug,
      refetchType: 'none',
    }),
  ]);
}
