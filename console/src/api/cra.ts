/** Actively exploited vulnerabilities of products, and what was reported about them (Cyber Resilience Act). */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, api, type Query, type RequestBody } from './client.ts';
import { sessionAddress } from './http.ts';

export type CraNotificationPage = Answer<'listCraNotifications'>;
export type CraNotification = CraNotificationPage['items'][number];
export type CraStep = Query<'exportCraDocument'>['step'];
export type CraChange = RequestBody<'recordCraSteps'>;

export const craKey = (slug: string) => ['cra', slug];

/** Reads one page, the next due first. */
export function craQuery(slug: string, request: Query<'listCraNotifications'>) {
  return queryOptions({
    queryKey: [...craKey(slug), request],
    queryFn: ({ signal }) =>
      api.listCraNotifications({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Returns the address of the document of a step, for a link. */
export function craDocumentUrl(slug: string, request: Query<'exportCraDocument'>): string {
  return sessionAddress(addressOf('exportCraDocument', { path: { tenant_slug: slug }, query: request }));
}
