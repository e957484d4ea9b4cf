/** The setup of a workspace and of the server. Needs the role admin. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

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

export function renameWorkspace(slug: string, name: string) {
  return api.changeSettings({ path: { tenant_slug: slug }, body: { name } });
}
