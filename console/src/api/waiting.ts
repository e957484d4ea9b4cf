/** The numbers of tasks that wait for the signed-in person in a workspace. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type Waiting = keyof Answer<'getWaiting'>;

export const waitingKey = 'waiting';

// Every page shows these numbers. A decision reads them again sooner.
const readAgainMs = 60_000;

export function waitingQuery(slug: string) {
  return queryOptions({
    queryKey: [waitingKey, slug],
    queryFn: ({ signal }) => api.getWaiting({ path: { tenant_slug: slug }, signal }),
    staleTime: readAgainMs,
    refetchInterval: readAgainMs,
    retry: false,
  });
}
