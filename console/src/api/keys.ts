/**
 * API keys: a person's own, and a workspace's. The value of a new key is an answer of `createOwnKey` and
 * `createWorkspaceKey` alone; whoever calls them must not give it to anything that keeps answers.
 */
import { queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';
import type { Role } from './workspaces.ts';

export type KeyKind = 'personal' | 'workspace';
export const keyStatuses = ['Active', 'Expired', 'Disabled'] as const;

export type ApiKey = Answer<'listWorkspaceKeys'>['items'][number];

export type KeyChoices = Answer<'listKeyScopes'>;

export const keysKey = ['keys'];

export const ownKeysQuery = queryOptions({
  queryKey: [...keysKey, 'own'],
  queryFn: ({ signal }) => call<{ items: ApiKey[] }>('GET', '/console/keys', { signal }),
});

export function workspaceKeysQuery(slug: string) {
  return queryOptions({
    queryKey: [...keysKey, 'workspace', slug],
    queryFn: ({ signal }) => call<{ items: ApiKey[] }>('GET', `/manage/v1/${slug}/keys`, { signal }),
  });
}

export const keyChoicesQuery = queryOptions({
  queryKey: ['key-choices'],
  queryFn: ({ signal }) => call<KeyChoices>('GET', '/console/key-scopes', { signal }),
  // They change with the server's version.
  staleTime: Number.POSITIVE_INFINITY,
});

export interface MadeKey {
  key: ApiKey;
  /** The key itself, this once. */
  value: string;
}

export interface NewKey {
  name: string;
  scopes: string[];
  /** `90d`, a date, `never`. */
  expires: string;
}

export function createOwnKey(key: NewKey & { workspaces: string[] | null }): Promise<MadeKey> {
  return call('POST', '/console/keys', { body: key });
}

export function createWorkspaceKey(slug: string, key: NewKey & { role: Role }): Promise<MadeKey> {
  return call('POST', `/manage/v1/${slug}/keys`, { body: key });
}

/** For ever. `slug` is the workspace of a workspace key. */
export function revokeKey(slug: string, { id, kind }: ApiKey): Promise<undefined> {
  return call('DELETE', kind === 'personal' ? `/console/keys/${id}` : `/manage/v1/${slug}/keys/${id}`);
}
