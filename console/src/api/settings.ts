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

export type Forge = Answer<'listForges'>['items'][number];

/** Lists the forges that hold repositories of the workspace. */
export function forgesQuery(slug: string) {
  return queryOptions({
    queryKey: ['forges', slug],
    queryFn: ({ signal }) => api.listForges({ path: { tenant_slug: slug }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export type ChangedSettings = RequestBody<'changeSettings'>;

export function changeSettings(slug: string, changed: ChangedSettings) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: changed });
}
