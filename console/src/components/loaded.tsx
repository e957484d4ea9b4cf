/** A query's three states in one: lines while it loads, what happened where it fails, else its data. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** What is loading: `the vulnerabilities`. */
  what?: string;
  lines?: number;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, what, lines = 6, children }: LoadedProps<T>) {
  // Data that is there stays in sight when a later refresh fails; the next one will tell.
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return <LoadingState label={what ? `Loading ${what}` : 'Loading'} lines={lines} />;
}
