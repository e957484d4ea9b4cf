/** How answers are kept: fresh for a few seconds, asked for again when the window comes to the front. */
import { QueryClient } from '@tanstack/react-query';
import { isApiError } from './errors.ts';

// Long enough that going back shows the same page at once, short enough that nobody decides on old numbers.
const freshMs = 5_000;
const triesAfterFailure = 2;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (failures, error) => failures < triesAfterFailure && worthRetrying(error),
      },
      // What was sent, a password among it, is forgotten with the form.
      mutations: { retry: false, gcTime: 0 },
    },
  });
}

// A refusal stays one; only a server that is away may come back.
function worthRetrying(error: unknown): boolean {
  return !isApiError(error) || error.status >= 500;
}
