/** Exceptions from policies: people request them, somebody else reviews them, and the requester may withdraw them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';

export type Exception = Answer<'listExceptions'>['items'][number];
export type ExceptionRequest = Query<'listExceptions'>;

/** Reads the exceptions, the newest first. */
export function exceptionsQuery(slug: string, request: ExceptionRequest) {
  return queryOptions({
    queryKey: ['exceptions', slug, request],
    queryFn: ({ signal }) => api.listExceptions({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The subject of an exception: violations, or everything that a policy finds in a repository. */
export type ExceptionSubject = { violations: string[] } | { policy: string; repo: string };

export interface ExceptionTerms {
  mode: 'exempt' | 'downgrade';
  enforcement_mode?: 'monitor' | 'warn';
  until?: string;
  reason: string;
}

/** Requests exceptions. Exceptions that already wait are in the answer, unchanged. */
export async function requestExceptions(
  slug: string,
  about: ExceptionSubject,
  terms: ExceptionTerms,
): Promise<Exception[]> {
  const body = { ...about, ...terms };
  return (await api.requestExceptions({ path: { tenant_slug: slug }, body })).items;
}
