/** The settings of the mails that the person gets from a workspace. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type Notifications = Answer<'getNotifications'>;

export const notificationsKey = (slug: string) => ['notifications', slug];

export function notificationsQuery(slug: string) {
  return queryOptions({
    queryKey: notificationsKey(slug),
    queryFn: ({ signal }) => api.getNotifications({ path: { tenant_slug: slug }, signal }),
  });
}
