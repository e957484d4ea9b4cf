/** The key figures of a workspace, and of one repository over time. */
import { queryOptions } from '@tanstack/react-query';
import type { Scope } from '../scopes.ts';
import { type Answer, api, type Query } from './client.ts';

export type Overview = Answer<'getOverview'>;

// The numbers change with each scan. People do not look again sooner than this.
const freshMs = 15_000;

export function overviewQuery(slug: string, scope?: Scope) {
  return queryOptions({
    queryKey: ['overview', slug, scope],
    queryFn: ({ signal }) => api.getOverview({ path: { tenant_slug: slug }, query: { scope }, signal }),
    staleTime: freshMs,
  });
}

export type StatusReport = Answer<'getStatusReport'>;

export function statusReportQuery(slug: string, query: Query<'getStatusReport'>) {
  return queryOptions({
    queryKey: ['status-report', slug, query],
    queryFn: ({ signal }) => api.getStatusReport({ path: { tenant_slug: slug }, query, signal }),
    staleTime: freshMs,
  });
}

export type TrendHistory = Answer<'getTrend'>;

/** Reads the trend of the workspace, or of one repository by its id. */
export function trendQuery(slug: string, repo?: string) {
  return queryOptions({
    queryKey: ['trend', slug, repo ?? null],
    queryFn: ({ signal }) => api.getTrend({ path: { tenant_slug: slug }, query: { repo }, signal }),
    staleTime: freshMs,
  });
}
