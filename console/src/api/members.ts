/** Who is in a workspace, and who is asked in. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, body } from './client.ts';
import { call } from './http.ts';
import type { Role } from './workspaces.ts';

export type Member = Answer<'listMembers'>['items'][number];

export type Invitation = Answer<'listInvitations'>['items'][number];

export function membersKey(slug: string): string[] {
  return ['members', slug];
}

/** Needs the role member. */
export function membersQuery(slug: string) {
  return queryOptions({
    queryKey: membersKey(slug),
    queryFn: ({ signal }) => call<{ items: Member[] }>('GET', `/manage/v1/${slug}/members`, { signal }),
  });
}

export function changeRole(slug: string, userId: string, role: Role): Promise<Member> {
  return call('PATCH', `/manage/v1/${slug}/members/${userId}`, { body: { role } });
}

export function removeMember(slug: string, userId: string): Promise<undefined> {
  return call('DELETE', `/manage/v1/${slug}/members/${userId}`);
}

/** How many open vulnerabilities are assigned to the member. */
export function assignedCountQuery(slug: string, userId: string) {
  return queryOptions({
    queryKey: [...membersKey(slug), 'assigned', userId],
    queryFn: async ({ signal }) => {
      const { summary } = await body(
        api.GET('/api/v1/{tenant_slug}/vulnerabilities', {
          params: {
            path: { tenant_slug: slug },
            query: { assignee: userId, state: 'open', per_page: 1 },
          },
          signal,
        }),
      );
      return summary.total;
    },
  });
}

export function invitationsKey(slug: string): string[] {
  return ['invitations', slug];
}

/** Those that nobody has accepted. Needs the role admin. */
export function invitationsQuery(slug: string) {
  return queryOptions({
    queryKey: invitationsKey(slug),
    queryFn: ({ signal }) =>
      call<{ items: Invitation[] }>('GET', `/manage/v1/${slug}/invitations`, { signal }),
  });
}

/** The token is shown this once: it must not be given to anything that keeps answers. */
export function invite(
  slug: string,
  email: string,
  role: Role,
): Promise<{ invitation: Invitation; link_token: string }> {
  return call('POST', `/manage/v1/${slug}/invitations`, { body: { email, role } });
}

export function withdrawInvitation(slug: string, id: string): Promise<undefined> {
  return call('DELETE', `/manage/v1/${slug}/invitations/${id}`);
}
