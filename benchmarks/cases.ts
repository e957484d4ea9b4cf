/**
 * The lists that are measured: each filter of the API alone and the common combinations, in the sorts that differ
 * in cost. The names of repositories and references are those of the seed.
 */
import { dayMs } from '../server/src/domain/time.ts';
import type { ListQuery, Sort } from '../server/src/vulnerabilities/filters.ts';

export interface ReadCase {
  name: string;
  query: ListQuery;
  /** True if docs/performance.md promises that the time does not grow with the workspace. */
  flat: boolean;
  sorts: Sort[];
}

// The seed gives an eighth of all vulnerabilities to repository 0; number 250 of 500 is near the median.
const largestRepository = 'team-1/service-0';
export const medianRepository = 'team-11/service-250';
const everySort: Sort[] = ['severity', 'newest', 'oldest'];

function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

/** `sha` is the commit of a scan of the median repository, `rule` a rule of the workspace. */
export function readCases({ sha, rule }: { sha: string; rule: string } = { sha: '', rule: '' }): ReadCase[] {
  const flat = (name: string, query: ListQuery, sorts: Sort[] = ['severity', 'newest']): ReadCase => ({
    name,
    query,
    flat: true,
    sorts,
  });
  const bounded = (name: string, query: ListQuery): ReadCase => ({
    name,
    query,
    flat: false,
    sorts: ['severity'],
  });
  return [
    flat('all', {}, everySort),
    flat('repo (largest)', { repo: largestRepository }, everySort),
    flat('repo (median)', { repo: medianRepository }),
    flat('ref develop', { ref: 'develop' }, everySort),
    flat('ref HEAD', { ref: 'HEAD' }, everySort),
    flat('repo + ref main', { repo: largestRepository, ref: 'main' }, everySort),
    flat('state open', { state: 'open' }, everySort),
    flat('source git_history', { source: 'git_history' }),
    flat('confirmed yes', { confirmed: 'yes' }),
    flat('triaged no', { triaged: 'no' }),
    flat('fix yes', { fix: 'yes' }, everySort),
    flat('HEAD + open + fix no', { ref: 'HEAD', state: 'open', fix: 'no' }),
    flat('severity critical', { severity: ['critical'] }),
    flat('severity critical, high', { severity: ['critical', 'high'] }, everySort),
    flat('type secret', { type: ['secret'] }),
    flat('unassigned', { assignee: 'unassigned' }),
    flat('HEAD + open + critical, high', { ref: 'HEAD', state: 'open', severity: ['critical', 'high'] }),
    flat('repo + open', { repo: largestRepository, state: 'open' }),
    flat('repo + HEAD + open + dependency', {
      repo: largestRepository,
      ref: 'HEAD',
      state: 'open',
      type: ['dependency'],
    }),
    flat('open + untriaged + critical', { state: 'open', triaged: 'no', severity: ['critical'] }),
    bounded('assignee me', { assignee: 'me' }),
    bounded('assignee me + open + HEAD', { assignee: 'me', state: 'open', ref: 'HEAD' }),
    bounded('exploitable', { exploitable: 'yes' }),
    bounded('exploitable + open + HEAD', { exploitable: 'yes', state: 'open', ref: 'HEAD' }),
    bounded('EPSS at least 0.1', { epss_min: '0.1' }),
    bounded('EPSS at least 0.1 + open + HEAD', { epss_min: '0.1', state: 'open', ref: 'HEAD' }),
    bounded('introduced since a month', { introduced_since: daysAgo(30) }),
    bounded('introduced since a year', { introduced_since: daysAgo(365) }),
    bounded('introduced since a year + HEAD + open', {
      introduced_since: daysAgo(365),
      ref: 'HEAD',
      state: 'open',
    }),
    bounded('application of 20', { application: 'Twenty' }),
    bounded('application of 20 + HEAD + open', { application: 'Twenty', ref: 'HEAD', state: 'open' }),
    bounded('rule', { rule }),
    bounded('overdue', { due: 'overdue' }),
    bounded('due soon + HEAD + open', { due: 'soon', ref: 'HEAD', state: 'open' }),
    flat('scope tracked', { scope: 'tracked' }),
    flat('scope default_branches', { scope: 'default_branches' }),
    flat('scope all + open', { scope: 'all', state: 'open' }),
    bounded('package openssl', { package: 'openssl' }),
    bounded('package openssl + HEAD', { package: 'openssl', ref: 'HEAD' }),
    bounded('sha', { sha }),
    bounded('sha + repo', { sha, repo: medianRepository }),
    bounded('q openssl', { q: 'openssl' }),
    bounded('q openssl overflow + open', { q: 'openssl overflow', state: 'open' }),
  ];
}

/** Returns the lists whose time must not grow with the workspace, in each of their sorts. */
export function flatQueries(): ListQuery[] {
  return readCases()
    .filter(({ flat }) => flat)
    .flatMap(({ query, sorts }) => sorts.map((sort) => ({ ...query, sort })));
}

/** Returns the query string, encoded as by a browser. */
export function queryText(query: ListQuery & { cursor?: string }): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.toString();
}
