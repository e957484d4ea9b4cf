/** Policies, the facts that a condition may use, and the number of violations of each policy. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RequestBody } from './client.ts';
import { readAgain } from './queries.ts';

export type Policy = Answer<'getPolicy'>;

export type Fact = Answer<'listPolicyFacts'>['items'][number];

/** The counts of a policy that finds something. */
export type PolicyCounts = Answer<'listPolicyCounts'>['items'][number];

export type DryRun = Answer<'dryRunPolicy'>;

// A person needs no more to see whether the condition is right.
const listedMatches = 100;

/** A policy as somebody has written it. It may hold any value. */
export type PolicyDocument = Record<string, unknown>;

const subject = 'policies';

export function policiesKey(slug: string): string[] {
  return [subject, slug];
}

// Progress moves a few times a second, and people do not need to see each step.
const progressMs = 5_000;

/** Reads the policies, ordered by key. It polls while one of them is being evaluated. */
export function policiesQuery(slug: string) {
  return queryOptions({
    queryKey: [subject, slug, 'list'],
    queryFn: ({ signal }) => api.listPolicies({ path: { tenant_slug: slug }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ evaluation }) => evaluation.pending) ? progressMs : false,
  });
}

/** Reads one policy by id or key. */
export function policyQuery(slug: string, policy: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', policy],
    queryFn: ({ signal }) => api.getPolicy({ path: { tenant_slug: slug, policy }, signal }),
    refetchInterval: ({ state }) => (state.data?.evaluation.pending ? progressMs : false),
  });
}

/** `isMoving` says that an evaluation is running, so the counts change by themselves. */
export function policyCountsQuery(slug: string, isMoving: boolean) {
  return queryOptions({
    // The key holds `isMoving`, so the counts are read once more after the evaluation has ended.
    queryKey: [subject, slug, 'counts', isMoving],
    staleTime: 0,
    queryFn: ({ signal }) => api.listPolicyCounts({ path: { tenant_slug: slug }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? progressMs : false,
  });
}

/** Reads the facts. They change only with the version of the server. */
export function factsQuery(slug: string) {
  return queryOptions({
    queryKey: [subject, slug, 'facts'],
    queryFn: ({ signal }) => api.listPolicyFacts({ path: { tenant_slug: slug }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Evaluates the policy as if it were active. Throws 422 with every mistake and its document path. Needs the role admin.
 */
export function dryRun(slug: string, document: PolicyDocument, signal?: AbortSignal) {
  const body = document as RequestBody<'dryRunPolicy'>;
  return api.dryRunPolicy({ path: { tenant_slug: slug }, query: { matches: listedMatches }, body, signal });
}

/** Creates a policy by key, or changes one by key or id. The document's own key is not sent. */
export function putPolicy(slug: string, policy: string, { key: _, ...document }: PolicyDocument) {
  const body = document as RequestBody<'putPolicy'>;
  return api.putPolicy({ path: { tenant_slug: slug, policy }, body });
}

/** Policies are read again at once. Data that depends on them is read again when a page shows it. */
export function policiesChanged(queryClient: QueryClient, slug: string): Promise<void> {
  return readAgain(queryClient, slug, [subject]);
}
