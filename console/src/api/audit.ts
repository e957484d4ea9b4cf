/** The audit log: who did what to what, when. Needs the role admin. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, api, type Query } from './client.ts';

export type AuditEvent = Answer<'listAudit'>['items'][number];
/** The action comes from the address of the page. The server knows all actions and refuses any other. */
export type AuditFilter = Omit<Query<'exportAudit'>, 'action'> & { action?: string | undefined };

const pageSize = 50;

export function auditQuery(slug: string, filter: AuditFilter, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['audit', slug, filter, cursor],
    queryFn: ({ signal }) =>
      api.listAudit({
        path: { tenant_slug: slug },
        query: { ...(filter as Query<'exportAudit'>), cursor, per_page: pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Reads all actions that the log can have. */
export function auditActionsQuery(slug: string) {
  return queryOptions({
    queryKey: ['audit-actions', slug],
    queryFn: ({ signal }) => api.listAuditActions({ path: { tenant_slug: slug }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the address of a CSV file with all events of the filter, for a link. */
export function auditExportUrl(slug: string, filter: AuditFilter): string {
  return addressOf('exportAudit', {
    path: { tenant_slug: slug },
    query: filter as Query<'exportAudit'>,
  });
}
