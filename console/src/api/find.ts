/** The search of the command palette: the first few matches of each kind, with one bounded request for each kind. */
import { useQueries } from '@tanstack/react-query';
import { termsOf } from '../search-terms.ts';
import { api } from './client.ts';

const foundAtMost = 5;
// A person types the same text again, or goes back by a letter.
const freshMs = 30_000;

/** True if the text begins like the name of an advisory, which only vulnerabilities have. */
export function isAdvisoryName(text: string): boolean {
  return /^(cve|ghsa)-/i.test(text);
}

export function useFound(slug: string | undefined, text: string) {
  const isNamed = slug !== undefined && text.length > 1 && !isAdvisoryName(text);
  const terms = termsOf(text);
  const path = { tenant_slug: slug ?? '' };
  const query = { q: text, per_page: foundAtMost };
  const options = { staleTime: freshMs, retry: false };
  const named = <Page>(
    kind: string,
    list: (parts: { path: typeof path; query: typeof query; signal: AbortSignal }) => Promise<Page>,
  ) => ({
    ...options,
    queryKey: ['find', slug, kind, text],
    queryFn: ({ signal }: { signal: AbortSignal }) => list({ path, query, signal }),
    enabled: isNamed,
  });
  const [repositories, organizations, applications, packages, vulnerabilities] = useQueries({
    queries: [
      named('repositories', api.listRepositories),
      named('organizations', api.listOrganizations),
      named('applications', api.listApplications),
      named('packages', api.listPackages),
      {
        ...options,
        queryKey: ['find', slug, 'vulnerabilities', terms.join(' ')],
        queryFn: ({ signal }) =>
          api.listVulnerabilities({
            path,
            query: { q: terms.join(' '), scope: 'all', per_page: foundAtMost },
            signal,
          }),
        enabled: slug !== undefined && terms.length > 0,
      },
    ],
  });
  const all = [repositories, organizations, applications, packages, vulnerabilities];
  return {
    repositories: repositories.data?.items ?? [],
    organizations: organizations.data?.items ?? [],
    applications: applications.data?.items ?? [],
    packages: packages.data?.items ?? [],
    vulnerabilities: vulnerabilities.data?.items ?? [],
    isLooking: all.some(({ isFetching }) => isFetching),
    /** True if some of the searches failed, so that results may be missing. */
    hasFailed: all.some(({ isError }) => isError),
  };
}
