/** SQL of teams: their members, and the names by which CODEOWNERS files mean them. */
import type { Person } from '../../access/members/lookup.ts';
import { changedNow, insertRows, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { parseId, type TeamId, type UserId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';

export interface TeamRow {
  id: TeamId;
  name: string;
  /** In lower case, by name. */
  owner_names: string[];
  /** The number of members. */
  members: number;
  /** True if the user whom the list is for is a member. */
  is_mine: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The teams by name, for the user; with `id` only that one. */
export async function listTeams(tx: Tx, userId: UserId | null, id: TeamId | null = null): Promise<TeamRow[]> {
  return tx.query<TeamRow>(
    `select t.id, t.name, t.created_at, t.updated_at,
            array(select n.name from team_owner_name n where n.tenant_id = $1 and n.team_id = t.id order by n.name)
              as owner_names,
            (select count(*)::int from team_member m where m.tenant_id = $1 and m.team_id = t.id) as members,
            exists (select 1 from team_member m where m.tenant_id = $1 and m.team_id = t.id and m.user_id = $2)
              as is_mine
       from team t where t.tenant_id = $1 and ($3::uuid is null or t.id = $3) order by t.name_key`,
    [tx.tenantId, userId, id],
  );
}

export interface TeamMember extends Person {
  /** The group of the identity provider that makes the person a member; null: an admin has chosen the person. */
  group_name: string | null;
}

export async function listTeamMembers(tx: Tx, teamId: TeamId): Promise<TeamMember[]> {
  return tx.query<TeamMember>(
    `select u.id, u.name, u.email, m.group_name from team_member m join user_account u on u.id = m.user_id
      where m.tenant_id = $1 and m.team_id = $2 order by lower(u.name), u.id`,
    [tx.tenantId, teamId],
  );
}

/** Locks the workspace's row of settings, so that two requests do not exceed the number of teams together. */
export async function lockTeams(tx: Tx): Promise<void> {
  await tx.query('select 1 from tenant where id = $1 for no key update', [tx.tenantId]);
}

/** Locks the team until the transaction ends. */
export async function lockTeam(tx: Tx, id: TeamId): Promise<boolean> {
  const rows = await tx.query('select 1 from team where tenant_id = $1 and id = $2 for update', [
    tx.tenantId,
    id,
  ]);
  return rows.length > 0;
}

/** Returns false if a team has that name. */
export async function insertTeam(tx: Tx, { id, name }: { id: TeamId; name: string }): Promise<boolean> {
  const rows = await tx.query(
    `insert into team (tenant_id, id, name, name_key) values ($1, $2, $3, $4)
     on conflict (tenant_id, name_key) do nothing returning id`,
    [tx.tenantId, id, name, nameKeyOf(name)],
  );
  return rows.length > 0;
}

/** Fails with a unique violation if another team has the name. */
export async function updateTeam(tx: Tx, { id, name }: { id: TeamId; name: string }): Promise<void> {
  await updateRow(tx, 'team', id, { name, name_key: nameKeyOf(name) }, changedNow);
}

export async function deleteTeam(tx: Tx, id: TeamId): Promise<void> {
  await tx.query('delete from team where tenant_id = $1 and id = $2', [tx.tenantId, id]);
}

/**
 * Sets the members that an admin chooses to exactly these. One who is a member by a group of the identity provider
 * becomes a chosen one, and the others by a group stay as they are. A person whose membership of the workspace has
 * ended since fails by a foreign key.
 */
export async function setTeamMembers(tx: Tx, teamId: TeamId, userIds: UserId[]): Promise<void> {
  await tx.query(
    `delete from team_member
      where tenant_id = $1 and team_id = $2 and group_name is null and user_id <> all($3::uuid[])`,
    [tx.tenantId, teamId, userIds],
  );
  await insertRows(
    tx,
    'team_member',
    userIds.map((user_id) => ({ user_id, team_id: teamId })),
    {
      conflict:
        '(tenant_id, team_id, user_id) do update set group_name = null where t.group_name is not null',
    },
  );
}

/** The groups of the identity provider of a team, by name. */
export async function listTeamGroups(tx: Tx, teamId: TeamId): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'select name from team_group where tenant_id = $1 and team_id = $2 order by name',
    [tx.tenantId, teamId],
  );
  return rows.map(({ name }) => name);
}

/** Sets the groups to exactly these. Members by a group that is removed leave the team. */
export async function setTeamGroups(tx: Tx, teamId: TeamId, names: string[]): Promise<void> {
  await tx.query('delete from team_group where tenant_id = $1 and team_id = $2 and name <> all($3::text[])', [
    tx.tenantId,
    teamId,
    names,
  ]);
  await insertRows(
    tx,
    'team_group',
    names.map((name) => ({ name, team_id: teamId })),
    { conflict: 'do nothing' },
  );
}

/** Ends the user's memberships by groups that are not among these. Returns the teams. */
export async function removeGroupMemberships(
  tx: Tx,
  userId: UserId,
  groups: readonly string[],
): Promise<TeamId[]> {
  const rows = await tx.query<{ team_id: TeamId }>(
    `delete from team_member
      where tenant_id = $1 and user_id = $2 and group_name is not null and group_name <> all($3::text[])
      returning team_id`,
    [tx.tenantId, userId, groups],
  );
  return rows.map((row) => row.team_id);
}

export interface TeamOfGroup {
  team_id: TeamId;
  group_name: string;
}

/**
 * The teams with one of these groups of which the user is no member, each once. Their groups stay until the end of the
 * transaction.
 */
export async function listTeamsOfGroups(
  tx: Tx,
  userId: UserId,
  groups: readonly string[],
): Promise<TeamOfGroup[]> {
  const rows = await tx.query<TeamOfGroup>(
    `select g.team_id, g.name as group_name from team_group g
      where g.tenant_id = $1 and g.name = any($3::text[])
        and not exists (select 1 from team_member m
                         where m.tenant_id = $1 and m.team_id = g.team_id and m.user_id = $2)
      order by g.team_id, g.name for key share of g`,
    [tx.tenantId, userId, groups],
  );
  return [...new Map(rows.map((row) => [row.team_id, row])).values()];
}

/** Returns the teams that the user was no member of. */
export async function addGroupMemberships(
  tx: Tx,
  userId: UserId,
  teams: readonly TeamOfGroup[],
): Promise<TeamId[]> {
  const rows = await insertRows<{ team_id: TeamId }>(
    tx,
    'team_member',
    teams.map((team) => ({ ...team, user_id: userId })),
    { conflict: 'do nothing', returning: 'team_id' },
  );
  return rows.map((row) => row.team_id);
}

/** Sets the names to exactly these. Returns those that another team has, which are not set. */
export async function setOwnerNames(tx: Tx, teamId: TeamId, names: string[]): Promise<string[]> {
  await tx.query(
    'delete from team_owner_name where tenant_id = $1 and team_id = $2 and name <> all($3::text[])',
    [tx.tenantId, teamId, names],
  );
  await insertRows(
    tx,
    'team_owner_name',
    names.toSorted().map((name) => ({ name, team_id: teamId })),
    { conflict: 'do nothing' },
  );
  const rows = await tx.query<{ name: string }>(
    'select name from team_owner_name where tenant_id = $1 and name = any($2::text[]) and team_id <> $3 order by name',
    [tx.tenantId, names, teamId],
  );
  return rows.map(({ name }) => name);
}

/** The id of the team with this id or name, if there is one. */
export async function findTeams(tx: Tx, text: string): Promise<TeamId[]> {
  const id = parseId('team', text);
  const rows = await tx.query<{ id: TeamId }>(
    `select id from team where tenant_id = $1 and ${id === undefined ? 'name_key' : 'id'} = $2`,
    [tx.tenantId, id ?? nameKeyOf(text)],
  );
  return rows.map((row) => row.id);
}

/** The ids of the teams of which the user is a member. */
export async function listTeamsOf(tx: Tx, userId: UserId): Promise<TeamId[]> {
  const rows = await tx.query<{ team_id: TeamId }>(
    'select team_id from team_member where tenant_id = $1 and user_id = $2',
    [tx.tenantId, userId],
  );
  return rows.map((row) => row.team_id);
}
