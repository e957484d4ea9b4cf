/** The members of a workspace and its invitations. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';
import type { Role } from './workspaces.ts';

export type Member = Answer<'listMembers'>['items'][number];

export type Invitation = Answer<'listInvitations'>['items'][number];

export function membersKey(slug: string): string[] {
  return ['members', slug];
}

/** Reads the members. Needs the role member. */
export function membersQuery(slug: string) {
  return queryOptions({
    queryKey: membersKey(slug),
    queryFn: ({ signal }) => api.listMembers({ path: { tenant_slug: slug }, signal }),
  });
}

/** Counts the open vulnerabilities that are assigned to the member. */
export function assignedCountQuery(slug: string, userId: string) {
  return queryOptions({
    queryKey: [...membersKey(slug), 'assigned', userId],
    queryFn: async ({ signal }) => {
      const { summary } = await api.listVulnerabilities({
        path: { tenant_slug: slug },
        query: { assignee: userId, state: 'open', per_page: 1 },
        signal,
      });
      return summary.total;
    },
  });
}

export function invitationsKey(slug: string): string[] {
  return ['invitations', slug];
}

/** Reads the invitations that nobody has accepted yet. Needs the role admin. */
export function invitationsQuery(slug: string) {
  return queryOptions({
    queryKey: invitationsKey(slug),
    queryFn: ({ signal }) => api.listInvitations({ path: { tenant_slug: slug }, signal }),
    // Mails leave within seconds, and the page shows when they have.
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ mail }) => mail?.status === 'pending') ? 5_000 : false,
  });
}

/**
 * Creates an invitation, or replaces an open one with a new link and a new mail. The token is shown only this once, so
 * it must not be given to anything that caches answers.
 */
export function invite(slug: string, email: string, role: Role) {
  return api.invite({ path: { tenant_slug: slug }, body: { email, role } });
}
