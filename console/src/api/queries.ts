/** The forms of queries that several subjects share. */
import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';

/** Reads further facts about the rows of a page, and maps them by the id of the row. Without ids nothing is read. */
export function byIdQuery<Item extends { id: string }>(
  key: QueryKey,
  ids: string[],
  read: (signal: AbortSignal) => Promise<{ items: Item[] }>,
) {
  return queryOptions({
    queryKey: [...key, ids],
    queryFn: async ({ signal }) => new Map((await read(signal)).items.map((item) => [item.id, item])),
    enabled: ids.length > 0,
  });
}

/** Reads a list of which a button shows more. */
export function endlessQuery<Page extends { next_cursor: string | null }>(
  queryKey: QueryKey,
  read: (cursor: string | null, signal: AbortSignal) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/**
 * Reads the data of these subjects again at once. All other data of the workspace is read again when a page shows it.
 * The first two parts of a key are its subject and its workspace.
 */
export async function readAgain(queryClient: QueryClient, slug: string, subjects: string[]): Promise<void> {
  await Promise.all([
    ...subjects.map((subject) => queryClient.invalidateQueries({ queryKey: [subject, slug] })),
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => !subjects.includes(String(queryKey[0])) && queryKey[1] === slug,
      refetchType: 'none',
    }),
  ]);
}
