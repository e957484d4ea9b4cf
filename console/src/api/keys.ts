/**
 * API keys: a person's own, and a workspace's. Only `createOwnKey` and `createWorkspaceKey` answer with the value of a
 * new key. Their caller must not give it to anything that caches answers.
 */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RequestBody } from './client.ts';

export type KeyKind = 'personal' | 'workspace';
export const keyStatuses = ['Active', 'Expired', 'Disabled'] as const;

export type ApiKey = Answer<'listWorkspaceKeys'>['items'][number];

export type KeyChoices = Answer<'listKeyScopes'>;

export const keysKey = ['keys'];

export const ownKeysQuery = queryOptions({
  queryKey: [...keysKey, 'own'],
  queryFn: ({ signal }) => api.listOwnKeys({ signal }),
});

export function workspaceKeysQuery(slug: string) {
  return queryOptions({
    queryKey: [...keysKey, 'workspace', slug],
    queryFn: ({ signal }) => api.listWorkspaceKeys({ path: { tenant_slug: slug }, signal }),
  });
}

export const keyChoicesQuery = queryOptions({
  queryKey: ['key-choices'],
  queryFn: ({ signal }) => api.listKeyScopes({ signal }),
  // The list changes only with the version of the server.
  staleTime: Number.POSITIVE_INFINITY,
});

export type CreatedKey = Answer<'createOwnKey'>;

export function createOwnKey(key: RequestBody<'createOwnKey'>) {
  return api.createOwnKey({ body: key });
}

export function createWorkspaceKey(slug: string, key: RequestBody<'createWorkspaceKey'>) {
  return api.createWorkspaceKey({ path: { tenant_slug: slug }, body: key });
}

/** Revokes a key for ever. `slug` is the workspace of a workspace key. */
export function revokeKey(slug: string, { id: key, kind }: ApiKey) {
  return kind === 'personal'
    ? api.revokeOwnKey({ path: { key } })
    : api.revokeWorkspaceKey({ path: { tenant_slug: slug, key } });
}
