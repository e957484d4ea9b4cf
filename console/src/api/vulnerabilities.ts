/** The reads of vulnerabilities: the list with its counts, the signals of a row, and one vulnerability in full. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, api, type Query } from './client.ts';
import { sessionAddress } from './http.ts';
import { byIdQuery, endlessQuery, readAgain } from './queries.ts';
import { waitingKey } from './waiting.ts';

export type VulnerabilityPage = Answer<'listVulnerabilities'>;
export type ListedVulnerability = VulnerabilityPage['items'][number];
/** A row without the fields that `include` adds. The detail has fields of the same names in its own form. */
export type Vulnerability = Omit<
  ListedVulnerability,
  'package' | 'rule' | 'advisory' | 'fix' | 'assignee' | 'due' | 'epss' | 'open_on'
>;
export type VulnerabilityDetail = Answer<'getVulnerability'>;
export type Evidence = NonNullable<VulnerabilityDetail['evidence']>;
export type Reporter = VulnerabilityDetail['reporters'][number];
export type Suggestion = VulnerabilityDetail['suggestions'][number];
export type HistoryEvent = VulnerabilityDetail['history'][number];
export type LocationPage = Answer<'listVulnerabilityLocations'>;
export type VulnerabilityLocation = LocationPage['items'][number];
/** For each value of a filter: the number of rows that the list would have with it and all other filters. */
export type Facets = Answer<'getVulnerabilityFacets'>;
type SignalList = Answer<'listVulnerabilitySignals'>;
/** The facts about a row that the list itself leaves out. */
export type Signal = SignalList['items'][number];
type ViolationList = Answer<'listVulnerabilityViolations'>;
export type Violation = ViolationList['items'][number];
type CommentPage = Answer<'listComments'>;
export type Comment = CommentPage['items'][number];

/** The API's filters of the list. */
export type VulnerabilityFilters = Query<'getVulnerabilityFacets'>;
export type VulnerabilityListRequest = Query<'listVulnerabilities'>;

const subject = 'vulnerabilities';

export function vulnerabilitiesQuery(slug: string, request: VulnerabilityListRequest) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) => api.listVulnerabilities({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

export function facetsQuery(slug: string, filters: VulnerabilityFilters) {
  return queryOptions({
    queryKey: [subject, slug, 'facets', filters],
    queryFn: ({ signal }) =>
      api.getVulnerabilityFacets({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

const largestPage = 200;

/** Reads the first rows of a list over its pages, in its order, with their signals. */
export async function firstRows(
  slug: string,
  request: VulnerabilityListRequest,
  count: number,
): Promise<{ item: ListedVulnerability; signal: Signal }[]> {
  const rows: { item: ListedVulnerability; signal: Signal }[] = [];
  const path = { tenant_slug: slug };
  let cursor: string | null | undefined;
  do {
    const query = { ...request, cursor, per_page: Math.min(largestPage, count - rows.length) };
    const { items, next_cursor: next }: VulnerabilityPage = await api.listVulnerabilities({ path, query });
    if (items.length === 0) break;
    const ids = items.map(({ id }) => id);
    const signals = await api.listVulnerabilitySignals({ path, query: { ids } });
    const byId = new Map(signals.items.map((signal) => [signal.id, signal]));
    // One without signals was merged into another in the meantime.
    rows.push(
      ...items.flatMap((item) => {
        const signal = byId.get(item.id);
        return signal ? [{ item, signal }] : [];
      }),
    );
    cursor = next;
  } while (cursor && rows.length < count);
  return rows;
}

type GroupRequest = Query<'listVulnerabilityGroups'>;
export type VulnerabilityGroup = Answer<'listVulnerabilityGroups'>['items'][number];
const groupsShown = 100;

/** Reads the groups of the list, those with the most severe vulnerabilities first. */
export function groupsQuery(slug: string, by: GroupRequest['by'], filters: VulnerabilityFilters) {
  return queryOptions({
    queryKey: [subject, slug, 'groups', by, filters],
    queryFn: ({ signal }) =>
      api.listVulnerabilityGroups({
        path: { tenant_slug: slug },
        query: { ...filters, by, limit: groupsShown },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export type ExportRequest = Query<'exportVulnerabilities'>;

/** Returns the address of a file with the whole list, for a link. */
export function vulnerabilityExportUrl(slug: string, request: ExportRequest): string {
  return sessionAddress(addressOf('exportVulnerabilities', { path: { tenant_slug: slug }, query: request }));
}

export type VexRequest = Query<'exportVex'>;

/** Returns the address of a VEX document of a repository or an application, for a link. */
export function vexUrl(slug: string, request: VexRequest): string {
  return sessionAddress(addressOf('exportVex', { path: { tenant_slug: slug }, query: request }));
}

/** Reads the signals of a page of the list, by id. */
export function signalsQuery(slug: string, ids: string[]) {
  return byIdQuery([subject, slug, 'signals'], ids, (signal) =>
    api.listVulnerabilitySignals({ path: { tenant_slug: slug }, query: { ids }, signal }),
  );
}

export function vulnerabilityQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', id],
    queryFn: ({ signal }) => api.getVulnerability({ path: { tenant_slug: slug, vulnerability: id }, signal }),
  });
}

/** Reads the policy violations of a vulnerability, the active ones first. */
export function violationsOfQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'violations', id],
    queryFn: ({ signal }) =>
      api.listVulnerabilityViolations({ path: { tenant_slug: slug, vulnerability: id }, signal }),
  });
}

export type LocationScope = 'live' | 'all';

// A person looks through about this many. The button loads more.
const locationsAtOnce = 100;

export function locationsQuery(slug: string, id: string, scope: LocationScope) {
  return endlessQuery([subject, slug, 'locations', id, scope], (cursor, signal) =>
    api.listVulnerabilityLocations({
      path: { tenant_slug: slug, vulnerability: id },
      query: { scope, cursor, per_page: locationsAtOnce },
      signal,
    }),
  );
}

const commentsAtOnce = 100;

/** Reads the comments, the newest last. */
export function commentsQuery(slug: string, id: string) {
  return endlessQuery([subject, slug, 'comments', id], (cursor, signal) =>
    api.listComments({
      path: { tenant_slug: slug, vulnerability: id },
      query: { cursor, per_page: commentsAtOnce },
      signal,
    }),
  );
}

/**
 * Vulnerabilities have changed. They and the waiting tasks are read again at once. Everything else of the workspace,
 * such as counts and violations, is read again when a page shows it.
 */
export function vulnerabilitiesChanged(queryClient: QueryClient, slug: string): Promise<void> {
  return readAgain(queryClient, slug, [subject, waitingKey]);
}
