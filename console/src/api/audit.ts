/** The audit log: who did what to what, when. Needs the role admin. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call, urlOf } from './http.ts';

type AuditPage = Answer<'listAudit'>;
export type AuditEvent = AuditPage['items'][number];

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** RFC 3339. */
  since?: string | undefined;
  /** Before it. */
  until?: string | undefined;
}

const pageSize = 50;

export function auditQuery(slug: string, filter: AuditFilter, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['audit', slug, filter, cursor],
    queryFn: ({ signal }) =>
      call<AuditPage>('GET', `/manage/v1/${slug}/audit`, {
        query: { ...filter, cursor, per_page: pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** All that the log knows to be done. */
export function auditActionsQuery(slug: string) {
  return queryOptions({
    queryKey: ['audit-actions', slug],
    queryFn: ({ signal }) =>
      call<Answer<'listAuditActions'>>('GET', `/manage/v1/${slug}/audit/actions`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** For a link: all events of the filter as CSV. */
export function auditExportUrl(slug: string, filter: AuditFilter): string {
  return urlOf(`/manage/v1/${slug}/audit/export`, { ...filter }).href;
}
