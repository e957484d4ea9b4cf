/** Issue trackers, and the issues of a vulnerability. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type IssueTracker = Answer<'listIssueTrackers'>['items'][number];
export type TrackerKind = IssueTracker['kind'];
export type LinkedIssue = Answer<'listVulnerabilityIssues'>['items'][number];
export type TrackerChoice = Answer<'listVulnerabilityIssues'>['trackers'][number];

/** The fields of the form. Repositories and applications of the rule are ids. */
export interface TrackerFields
  extends Pick<
    IssueTracker,
    | 'name'
    | 'url'
    | 'project'
    | 'user'
    | 'labels'
    | 'issue_type'
    | 'closed_status'
    | 'open_status'
    | 'allows_public'
  > {
  /** Empty: the one that is stored. */
  token: string;
  rule: {
    least_severity: NonNullable<IssueTracker['rule']>['least_severity'];
    blocking_only: boolean;
    repositories: string[];
    applications: string[];
  } | null;
}

export const trackersKey = (slug: string) => ['issue-trackers', slug];

export function trackersQuery(slug: string) {
  return queryOptions({
    queryKey: trackersKey(slug),
    queryFn: ({ signal }) => api.listIssueTrackers({ path: { tenant_slug: slug }, signal }),
  });
}

export function createTracker(slug: string, kind: TrackerKind, { url, ...fields }: TrackerFields) {
  // An empty address is that of the public service.
  const body = { kind, ...fields, ...(url.trim() === '' ? {} : { url }) };
  return api.createIssueTracker({ path: { tenant_slug: slug }, body });
}

export function changeTracker(
  slug: string,
  tracker: string,
  { token, ...fields }: Partial<TrackerFields> & { enabled?: boolean },
) {
  const body = token ? { ...fields, token } : fields;
  return api.changeIssueTracker({ path: { tenant_slug: slug, tracker }, body });
}

export function issuesQuery(slug: string, vulnerability: string) {
  return queryOptions({
    queryKey: ['issues', slug, vulnerability],
    queryFn: ({ signal }) =>
      api.listVulnerabilityIssues({ path: { tenant_slug: slug, vulnerability }, signal }),
    // The tracker answers within seconds.
    refetchInterval: ({ state }) => (state.data?.items.some(isOnItsWay) ? 2_000 : false),
  });
}

const isOnItsWay = ({ state, error }: LinkedIssue): boolean => state === 'waiting' && error === null;
