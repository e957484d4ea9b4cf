/** Series: which tool scans which reference, the held closures, and the decisions about both. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';

export type SeriesPage = Answer<'listScanSeries'>;
export type Series = SeriesPage['items'][number];

/** Returns the category and the file of a series, without those that it has not. */
export function partsOfSeries({ category, file_name }: Pick<Series, 'category' | 'file_name'>): string[] {
  return [category, file_name ?? ''].filter((part) => part !== '');
}

const subject = 'series';

export function seriesQuery(slug: string, request: Query<'listScanSeries'>) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) => api.listScanSeries({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Reads what a release would fix. `seen` is the number of all vulnerabilities of the series, these included. */
export function heldClosureQuery(slug: string, series: Series, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'held', series.id, series.held?.scan_id, cursor],
    queryFn: ({ signal }) =>
      api.listHeldClosure({ path: { tenant_slug: slug, series: series.id }, query: { cursor }, signal }),
    placeholderData: keepPreviousData,
  });
}

export type SeriesAction = 'release' | 'discard' | 'retire';

/**
 * Decides about the series as it was shown, and gives the number of vulnerabilities that the decision fixes. The server
 * refuses it if the closure of another scan is held by now, or if a series to retire has a newer scan.
 */
export async function decideSeries(
  slug: string,
  { id, held, last_scan_id }: Series,
  action: SeriesAction,
  reason: string,
): Promise<number> {
  const path = { tenant_slug: slug, series: id };
  const { fixed } = await (action === 'retire'
    ? api.retireSeries({ path, body: { reason, last_scan_id } })
    : api.decideHeldClosure({ path, body: { action, scan_id: held?.scan_id ?? '', reason } }));
  return fixed;
}
