/** How a workspace and the server are set up. Needs the role admin. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';

export type Settings = Answer<'getSettings'>;
export type Feed = NonNullable<Settings['intel']['kev']>;

export function settingsKey(slug: string): string[] {
  return ['settings', slug];
}

export function settingsQuery(slug: string) {
  return queryOptions({
    queryKey: settingsKey(slug),
    queryFn: ({ signal }) => call<Settings>('GET', `/manage/v1/${slug}/settings`, { signal }),
  });
}

export function renameWorkspace(slug: string, name: string): Promise<Settings> {
  return call('PATCH', `/manage/v1/${slug}/settings`, { body: { name } });
}
