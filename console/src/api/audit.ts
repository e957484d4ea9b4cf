/** The audit log: who did what to what, when. Needs the role admin. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, api, type Query } from './client.ts';

export type AuditEvent = Answer<'listAudit'>['items'][number];
export type AuditFilter = Query<'exportAudit'>;

const pageSize = 50;

export function auditQuery(slug: string, filter: AuditFilter, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['audit', slug, filter, cursor],
    queryFn: ({ signal }) =>
      api.listAudit({
        path: { tenant_slug: slug },
        query: { ...filter, cursor, per_page: pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Returns the address of a CSV file with all events of the filter, for a link. */
export function auditExportUrl(slug: string, filter: AuditFilter): string {
  return addressOf('exportAudit', {
    path: { tenant_slug: slug },
    query: filter,
  });
}
