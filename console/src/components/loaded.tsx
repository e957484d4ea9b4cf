/**
 * The states of a query in one component: lines while it loads, the error if it fails, else its data, with a line above
 * it if it could not be read again. A list has a text in place of no rows.
 */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAnySearch } from '../use-any-search.ts';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';
import { OldData } from './read-failure.tsx';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Names the loading content: `the vulnerabilities`. */
  noun?: string;
  lines?: number;
  /** For a further page of a list: leads to the first one, because a cursor that the server refuses stays refused. */
  onFirstPage?: (() => void) | undefined;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, noun, lines = 6, onFirstPage, children }: LoadedProps<T>) {
  if (query.data !== undefined) {
    // Loaded data stays in sight when a later refresh fails. Further pages of it have an error of their own.
    return (
      <>
        {query.isRefetchError && <OldData query={query} {...(noun && { noun })} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) {
    return <ErrorState error={query.error} onRetry={() => query.refetch()} onFirstPage={onFirstPage} />;
  }
  return <LoadingState label={noun ? `Loading ${noun}` : 'Loading'} lines={lines} />;
}

interface LoadedListProps<Page> extends Omit<LoadedProps<Page>, 'onFirstPage'> {
  /** Shown in place of a list without rows. */
  none: ReactNode;
}

/**
 * A further page without rows does not mean that the list is empty: a decision may have removed its rows. Its pager
 * leads back.
 */
export function LoadedList<Page extends { items: unknown[] }>(props: LoadedListProps<Page>) {
  const { none, children, ...loaded } = props;
  const { search, set } = useAnySearch();
  const { cursor } = search;
  return (
    <Loaded {...loaded} onFirstPage={cursor === undefined ? undefined : () => set({})}>
      {(page) => (page.items.length === 0 && cursor === undefined ? none : children(page))}
    </Loaded>
  );
}
