/** The setup of a workspace and of the server. Needs the role admin. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RequestBody } from './client.ts';

export type Settings = Answer<'getSettings'>;
export type Feed = NonNullable<Settings['intel']['kev']>;

export function settingsKey(slug: string): string[] {
  return ['settings', slug];
}

export function settingsQuery(slug: string) {
  return queryOptions({
    queryKey: settingsKey(slug),
    queryFn: ({ signal }) => api.getSettings({ path: { tenant_slug: slug }, signal }),
  });
}

/** Sets the names of the branches that count like the default branch. */
export function setTrackedBranches(slug: string, names: string[]) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { tracked_branches: names } });
}

export type Forge = Answer<'listForges'>['items'][number];

/** Lists the forges that hold repositories of the workspace. */
export function forgesQuery(slug: string) {
  return queryOptions({
    queryKey: ['forges', slug],
    queryFn: ({ signal }) => api.listForges({ path: { tenant_slug: slug }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function setForges(slug: string, forges: Forge[]) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { forges } });
}

export function renameWorkspace(slug: string, name: string) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { name } });
}

export type NewRepositories = NonNullable<RequestBody<'changeSettings'>['new_repositories']>;

export type AdvisoryMatching = NonNullable<RequestBody<'changeSettings'>['advisory_matching']>;

/** Sets whether packages are matched with the loaded advisories. */
export function setAdvisoryMatching(slug: string, matching: AdvisoryMatching) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { advisory_matching: matching } });
}

export type OwnerAssignment = NonNullable<RequestBody<'changeSettings'>['assign_owners']>;

/** Sets whether new vulnerabilities are assigned to the member whom the CODEOWNERS file names. */
export function setOwnerAssignment(slug: string, assigning: OwnerAssignment) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { assign_owners: assigning } });
}

/** Sets which environments people outside the company can reach. */
export function setExposedEnvironments(slug: string, names: string[]) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { exposed_environments: names } });
}

/** Sets which repositories a report may create. */
export function setNewRepositories(slug: string, which: NewRepositories) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { new_repositories: which } });
}
