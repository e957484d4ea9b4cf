/** Streams: which tool looks at which reference, the closings that the guard holds, and what people do about both. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';

export type StreamPage = Answer<'listStreams'>;
export type Stream = StreamPage['items'][number];

const subject = 'streams';

export function streamsQuery(slug: string, request: Query<'listStreams'>) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) => api.listStreams({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What a release would fix; `seen`: how many stand by the stream, these too. */
export function heldClosingQuery(slug: string, stream: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'held', stream, cursor],
    queryFn: ({ signal }) =>
      api.listHeldClosing({ path: { tenant_slug: slug, stream }, query: { cursor }, signal }),
    placeholderData: keepPreviousData,
  });
}

export type StreamAction = 'release' | 'discard' | 'retire';

/** Gives how many vulnerabilities are fixed by it. */
export async function decideStream(
  slug: string,
  stream: string,
  action: StreamAction,
  reason: string,
): Promise<number> {
  const path = { tenant_slug: slug, stream };
  const { fixed } = await (action === 'retire'
    ? api.retireStream({ path, body: { reason } })
    : api.decideHeldClosing({ path, body: { action, reason } }));
  return fixed;
}
