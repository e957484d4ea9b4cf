/** Sets how answers are cached: fresh for a few seconds, and read again when the window comes to the front. */
import { QueryClient } from '@tanstack/react-query';
import { isApiError } from './errors.ts';

// A return within this time shows the same page at once, and people do not decide on old numbers.
const freshMs = 5_000;
const triesAfterFailure = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (failures, error) => failures < triesAfterFailure && worthRetrying(error),
      },
      // The form's data, which may hold a password, is forgotten with the form.
      mutations: { retry: false, gcTime: 0 },
    },
  });
}

// An error of the API stays the same when the request is repeated. Only a server that is down may come back.
function worthRetrying(error: unknown): boolean {
  return !isApiError(error) || error.status >= 500;
}
