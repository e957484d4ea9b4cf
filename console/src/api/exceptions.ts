/** Exceptions from policies: asked for, reviewed by somebody else, withdrawn. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';

export const exceptionStatuses = ['requested', 'approved', 'refused', 'withdrawn', 'ended'] as const;

type ExceptionPage = Answer<'listExceptions'>;
export type Exception = ExceptionPage['items'][number];

export interface ExceptionRequest {
  status?: readonly string[] | undefined;
  repo?: string | undefined;
  policy?: string[] | undefined;
  /** What is about this violation, be it as one of its policy in its repository. */
  violation?: string | undefined;
  cursor?: string | undefined;
}

function pathOf(slug: string, rest = ''): string {
  return `/manage/v1/${slug}/exceptions${rest}`;
}

/** Newest first. */
export function exceptionsQuery(slug: string, request: ExceptionRequest) {
  return queryOptions({
    queryKey: ['exceptions', slug, request],
    queryFn: ({ signal }) =>
      call<ExceptionPage>('GET', pathOf(slug), {
        query: { ...request },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** What is asked about: violations, or all that a policy finds in a repository. */
export type ExceptionSubject = { violations: string[] } | { policy: string; repo: string };

export interface ExceptionTerms {
  mode: 'exempt' | 'downgrade';
  enforcement_mode?: 'monitor' | 'warn';
  until?: string;
  reason: string;
}

/** Those that wait already are among the answer, as they were. */
export async function askExceptions(
  slug: string,
  about: ExceptionSubject,
  terms: ExceptionTerms,
): Promise<Exception[]> {
  return (await call<{ items: Exception[] }>('POST', pathOf(slug), { body: { ...about, ...terms } })).items;
}

export function reviewException(
  slug: string,
  id: string,
  decision: 'approve' | 'refuse',
  reason: string,
): Promise<Exception> {
  const body = { decision, ...(reason === '' ? {} : { reason }) };
  return call('POST', pathOf(slug, `/${id}/review`), { body });
}

export function withdrawException(slug: string, id: string, reason: string): Promise<Exception> {
  const body = reason === '' ? {} : { reason };
  return call('POST', pathOf(slug, `/${id}/withdraw`), { body });
}
