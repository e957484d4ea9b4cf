/** Teams: the groups of members who own code together. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';

export type Team = Answer<'listTeams'>['items'][number];
export type TeamMember = Answer<'getTeam'>['members'][number];
export type TeamOpen = Answer<'listTeamOpen'>['items'][number];
/** The fields of the form. Members are the ids of those whom an admin has chosen. */
export interface TeamFields {
  name: string;
  owner_names: string[];
  members: string[];
  groups: string[];
}

export const teamsKey = (slug: string) => ['teams', slug];

export function teamsQuery(slug: string) {
  return queryOptions({
    queryKey: teamsKey(slug),
    queryFn: ({ signal }) => api.listTeams({ path: { tenant_slug: slug }, signal }),
  });
}

/** Reads a team with its members. Needs the role member. */
export function teamQuery(slug: string, team: string) {
  return queryOptions({
    queryKey: [...teamsKey(slug), team],
    queryFn: ({ signal }) => api.getTeam({ path: { tenant_slug: slug, team }, signal }),
    // A form that starts from an old copy would remove the members whom another admin has added.
    gcTime: 0,
  });
}

/** Maps the id of each team to the open vulnerabilities whose file it owns. */
export function teamOpenQuery(slug: string) {
  return queryOptions({
    queryKey: [...teamsKey(slug), 'open'],
    queryFn: async ({ signal }) => {
      const { items } = await api.listTeamOpen({ path: { tenant_slug: slug }, signal });
      return new Map(items.map((item) => [item.id, item]));
    },
  });
}
