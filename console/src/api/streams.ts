/** Streams: which tool looks at which reference, the closings that the guard holds, and what people do about both. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';
import type { ChangedPage } from './scans.ts';

type Listed = Answer<'listStreams'>;
export type Stream = Listed['items'][number];
export type StreamPage = Listed;

export interface StreamRequest {
  repo?: string | undefined;
  /** Of which the guard holds a closing; that nobody has fed for long. */
  state?: 'held' | 'stale';
  /** Those that this scan fed. */
  scan?: string;
  cursor?: string | undefined;
}

const subject = 'streams';

export function streamsQuery(slug: string, request: StreamRequest) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) =>
      call<StreamPage>('GET', `/manage/v1/${slug}/streams`, { query: { ...request }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What a release would fix; `seen`: how many stand by the stream, these too. */
export type HeldClosing = ChangedPage & { seen: number };

export function heldClosingQuery(slug: string, stream: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'held', stream, cursor],
    queryFn: ({ signal }) =>
      call<HeldClosing>('GET', pathOf(slug, stream, 'held-closing'), { query: { cursor }, signal }),
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
  const { fixed } = await (action === 'retire'
    ? call<{ fixed: number }>('POST', pathOf(slug, stream, 'retire'), { body: { reason } })
    : call<{ fixed: number }>('POST', pathOf(slug, stream, 'held-closing'), { body: { action, reason } }));
  return fixed;
}

function pathOf(slug: string, stream: string, what: string): string {
  return `/manage/v1/${slug}/streams/${encodeURIComponent(stream)}/${what}`;
}
