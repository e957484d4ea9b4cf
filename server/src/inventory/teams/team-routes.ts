/** `/manage/v1/{tenant_slug}/teams`: the teams of a workspace, which admins make, change and delete. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { peopleAccess } from '../../http/principal.ts';
import {
  closedObject,
  extendedObject,
  list,
  namedObject,
  nullableString,
  PersonBrief,
  paramsWith,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { changeTeam, createTeam, type FullTeam, getTeam, removeTeam, TeamFields } from './team-service.ts';
import { listTeams, type TeamRow } from './team-store.ts';

const admin = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Teams'];

const TeamItem = namedObject('Team', {
  id: Type.String(),
  name: Type.String(),
  owner_names: TeamFields.properties.owner_names,
  members_count: Type.Integer(),
  is_mine: Type.Boolean({ description: 'True: the caller is a member of the team.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
const TeamDetail = extendedObject('TeamDetail', TeamItem, {
  groups: TeamFields.properties.groups,
  members: Type.Array(
    namedObject('TeamMember', {
      ...PersonBrief.properties,
      group: nullableString(
        'The group of the identity provider that makes the person a member; null: an admin has chosen the person.',
      ),
    }),
    { description: 'By name.' },
  ),
});

const teamParams = paramsWith({ team: 'Id of the team, team_….' });

export function teamRoutes(app: Server): void {
  const { db } = app.deps;
  const path = '/manage/v1/:tenant_slug/teams';

  app.get(path, {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'listTeams',
      tags,
      summary: 'List the teams, by name',
      response: { 200: list(TeamItem) },
    },
    handler: async (request) => {
      const { tenant, user } = principalOf(request);
      const rows = await tenantReadTx(db, tenant.id, (tx) => listTeams(tx, user.id));
      return { items: rows.map(teamItem) };
    },
  });

  app.get(`${path}/:team`, {
    config: { access: peopleAccess },
    schema: {
      operationId: 'getTeam',
      tags,
      summary: 'Show a team and its members',
      params: teamParams,
      response: { 200: TeamDetail },
    },
    handler: async (request) => {
      const { tenant, user } = principalOf(request);
      return teamDetail(await tenantReadTx(db, tenant.id, (tx) => getTeam(tx, request.params.team, user.id)));
    },
  });

  app.post(path, {
    config: { access: admin, conflicts: true },
    schema: {
      operationId: 'createTeam',
      tags,
      summary: 'Create a team',
      body: closedObject({
        ...Type.Partial(TeamFields).properties,
        name: TeamFields.properties.name,
      }),
      response: { 201: TeamDetail },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const input = { owner_names: [], members: [], groups: [], ...request.body };
      const made = await tenantTx(db, principal.tenant.id, (tx) => createTeam(tx, actorOf(principal), input));
      return reply.code(201).send(teamDetail(made));
    },
  });

  app.patch(`${path}/:team`, {
    config: { access: admin },
    schema: {
      operationId: 'changeTeam',
      tags,
      summary:
        'Change the name of a team, its members, its groups, or the names that mean it in CODEOWNERS files',
      params: teamParams,
      body: Type.Partial(TeamFields, { additionalProperties: false }),
      response: { 200: TeamDetail },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { team } = request.params;
      const input = request.body;
      return teamDetail(
        await tenantTx(db, principal.tenant.id, (tx) => changeTeam(tx, actorOf(principal), team, input)),
      );
    },
  });

  app.delete(`${path}/:team`, {
    config: { access: admin },
    schema: {
      operationId: 'deleteTeam',
      tags,
      summary: 'Delete a team; its members stay in the workspace',
      params: teamParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, (tx) =>
        removeTeam(tx, actorOf(principal), request.params.team),
      );
      return reply.code(204).send(null);
    },
  });
}

function teamItem(row: TeamRow) {
  return {
    id: formatId('team', row.id),
    name: row.name,
    owner_names: row.owner_names,
    members_count: row.members,
    is_mine: row.is_mine,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

function teamDetail({ team, members, groups: names }: FullTeam) {
  return {
    ...teamItem(team),
    groups: names,
    members: members.map(({ id, name, email, group_name: group }) => ({
      id: formatId('user', id),
      display_name: name,
      email,
      group,
    })),
  };
}
