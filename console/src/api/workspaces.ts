/** The workspaces of the signed-in person, and the workspace that a page is about. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Answer, api } from './client.ts';
import { ApiError } from './errors.ts';

/** The roles are in order of rising power. */
export const roles = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof roles)[number];

export type Workspaces = Answer<'listWorkspaces'>;
export type Workspace = Workspaces['items'][number];

export const workspacesKey = ['workspaces'];

// Roles and names change rarely, and the server decides anyway.
const workspacesFreshMs = 30_000;

export const workspacesQuery = queryOptions({
  queryKey: workspacesKey,
  // No signal is passed, for the same reason as for the session.
  queryFn: () => api.listWorkspaces(),
  staleTime: workspacesFreshMs,
});

export function roleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export interface CurrentWorkspace extends Workspace {
  /** Hides actions that the server would refuse. */
  may: (needed: Role) => boolean;
}

/**
 * Gives the workspace of the address. Only pages under `/w/$slug` may call it: they are not shown without a workspace.
 */
export function useWorkspace(): CurrentWorkspace {
  const { slug } = useParams({ from: '/w/$slug' });
  const { data } = useSuspenseQuery(workspacesQuery);
  const workspace = data.items.find((item) => item.slug === slug);
  if (!workspace) throw new ApiError(404, { code: 'TENANT_NOT_FOUND' }, null);
  return { ...workspace, may: (needed) => roleAtLeast(workspace.role, needed) };
}
