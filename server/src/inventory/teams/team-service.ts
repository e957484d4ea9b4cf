/**
 * Admins make, change and delete teams. A team has members of the workspace, and names that mean it in CODEOWNERS
 * files.
 */

import { type Static, Type } from 'typebox';
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import { findMembers } from '../../access/members/lookup.ts';
import type { Tx } from '../../db/database.ts';
import { foreignKeyViolation, uniqueViolation } from '../../db/error-codes.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { foldEmail } from '../../domain/email.ts';
import {
  conflictingInput,
  invalidInput,
  invalidTransition,
  orNotFound,
  resourceNotFound,
} from '../../domain/errors.ts';
import { memberRule } from '../../domain/field-rules.ts';
import { formatId, getId, newId, parseId, type TeamId, type UserId } from '../../domain/ids.ts';
import { checkedName, maxNameLength } from '../../domain/plain-name.ts';
import { markTeamsChanged } from '../code-owners/code-owners-store.ts';
import { ownTeams } from './named-teams.ts';
import {
  deleteTeam,
  insertTeam,
  listTeamGroups,
  listTeamMembers,
  listTeams,
  lockTeam,
  lockTeams,
  setOwnerNames,
  setTeamGroups,
  setTeamMembers,
  type TeamMember,
  type TeamRow,
  updateTeam,
} from './team-store.ts';

// A file names a team in a few ways at most: as the group of each forge, and by former names.
const maxOwnerNames = 20;
// More people than this are no team that takes care of anything.
const maxMembers = 1_000;

const ownerNames = Type.Array(Type.String({ minLength: 1, maxLength: maxNameLength }), {
  title: 'TeamOwnerNames',
  maxItems: maxOwnerNames,
  description: 'Names that mean the team in CODEOWNERS files, such as @acme/payments.',
});

// Few groups make a team; one that mirrors a department has some for its sites.
const maxGroups = 20;
const groups = Type.Array(Type.String({ minLength: 1, maxLength: maxNameLength }), {
  title: 'TeamGroups',
  maxItems: maxGroups,
  description:
    'Groups of the identity provider, as it writes them. A person who has one of them is a member of the team from the next sign-in on.',
});

/** The fields of a team that an admin sets. */
export const TeamFields = Type.Object({
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  owner_names: ownerNames,
  members: Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
    title: 'TeamMembers',
    maxItems: maxMembers,
    description:
      'Members of the workspace: user ids or e-mail addresses. The list replaces those chosen before; other members by a group stay.',
  }),
  groups,
});
export type TeamFields = Static<typeof TeamFields>;

export interface FullTeam {
  team: TeamRow;
  members: TeamMember[];
  groups: string[];
}

// The list has no pages. The largest companies have some hundred teams that own code.
const maxTeams = 500;

/** Throws 404. `userId` is the caller. */
export async function getTeam(tx: Tx, text: string, userId: UserId): Promise<FullTeam> {
  return readTeam(tx, getId('team', text), userId);
}

/** Makes a team and records it. Throws DomainError, and 409 if there are too many teams. */
export async function createTeam(tx: Tx, actor: Actor, input: TeamFields): Promise<FullTeam> {
  const name = checkedTeamName(input.name);
  await lockTeams(tx);
  if ((await listTeams(tx, actor.actorId)).length >= maxTeams) {
    throw invalidTransition(`The workspace has ${maxTeams} teams, which is the limit: delete one first.`);
  }
  const id = newId<'team'>();
  if (!(await insertTeam(tx, { id, name }))) throw taken(name);
  const set = await setFields(tx, id, input);
  await markTeamsChanged(tx, set.owner_names ?? []);
  await recordAudit(tx, actor, 'team.create', id, { name, ...set });
  return readTeam(tx, id, actor.actorId);
}

/** Changes the given fields and keeps the others. Throws 404, DomainError. */
export async function changeTeam(
  tx: Tx,
  actor: Actor,
  text: string,
  input: Partial<TeamFields>,
): Promise<FullTeam> {
  const id = getId('team', text);
  if (!(await lockTeam(tx, id))) throw resourceNotFound();
  const before = await readTeam(tx, id, actor.actorId);
  const name = input.name === undefined ? before.team.name : checkedTeamName(input.name);
  await updateTeam(tx, { id, name }).catch((error: { code?: string }) => {
    throw error.code === uniqueViolation ? taken(name) : error;
  });
  await setFields(tx, id, input);
  const after = await readTeam(tx, id, actor.actorId);
  const [was, is] = [before.team.owner_names, after.team.owner_names];
  await markTeamsChanged(tx, [
    ...was.filter((name) => !is.includes(name)),
    ...is.filter((name) => !was.includes(name)),
  ]);
  await recordAudit(tx, actor, 'team.change', id, { from: recorded(before), to: recorded(after) });
  return after;
}

/** Deletes the team; its members stay in the workspace. Throws 404. */
export async function removeTeam(tx: Tx, actor: Actor, text: string): Promise<void> {
  const id = getId('team', text);
  if (!(await lockTeam(tx, id))) throw resourceNotFound();
  const { team } = await readTeam(tx, id, actor.actorId);
  await deleteTeam(tx, id);
  await markTeamsChanged(tx, team.owner_names);
  await recordAudit(tx, actor, 'team.delete', id, { name: team.name });
}

function checkedTeamName(text: string): string {
  const name = checkedName(text, 'name');
  if (name.toLowerCase() !== ownTeams) return name;
  throw invalidInput(`Must not be ${name}: filters call the teams of the caller so.`, 'name');
}

async function readTeam(tx: Tx, id: TeamId, userId: UserId | null): Promise<FullTeam> {
  const [row] = await listTeams(tx, userId, id);
  const team = orNotFound(row);
  return { team, members: await listTeamMembers(tx, id), groups: await listTeamGroups(tx, id) };
}

/** Sets the members, names and groups that are given. Returns them as the audit log shows them. */
async function setFields(
  tx: Tx,
  id: TeamId,
  { owner_names: names, members, groups }: Partial<TeamFields>,
): Promise<{ members?: string[]; owner_names?: string[]; groups?: string[] }> {
  const people = members === undefined ? null : await resolvePeople(tx, id, members);
  const ownerNames = names === undefined ? null : checkedOwnerNames(names);
  const groupNames = groups === undefined ? null : groups.map((name) => checkedName(name, 'groups'));
  if (groupNames !== null) await setTeamGroups(tx, id, [...new Set(groupNames)].toSorted());
  if (people !== null) {
    await setTeamMembers(tx, id, people).catch((error: { code?: string }) => {
      throw error.code === foreignKeyViolation ? noMember() : error;
    });
  }
  if (ownerNames !== null) {
    const held = await setOwnerNames(tx, id, ownerNames);
    if (held.length > 0) {
      throw conflictingInput(`Another team has ${held.join(', ')}.`, 'owner_names');
    }
  }
  return {
    ...(people && { members: people.map((one) => formatId('user', one)) }),
    ...(ownerNames && { owner_names: ownerNames }),
    ...(groupNames && { groups: groupNames }),
  };
}

function recorded({ team, members, groups }: FullTeam) {
  const chosen = members.filter(({ group_name: group }) => group === null);
  return {
    name: team.name,
    owner_names: team.owner_names,
    members: chosen.map(({ id }) => formatId('user', id)),
    groups,
  };
}

async function resolvePeople(tx: Tx, teamId: TeamId, texts: string[]): Promise<UserId[]> {
  const asked = texts.map((text) => parseId('user', text) ?? foldEmail(text));
  const people = await findMembers(tx, {
    userIds: texts.flatMap((text) => parseId('user', text) ?? []),
    emails: texts.filter((text) => parseId('user', text) === undefined).map(foldEmail),
  });
  // Those who are in the team already stay, also if their account is disabled.
  const known = [...people, ...(await listTeamMembers(tx, teamId))];
  const idOf = new Map(known.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const]));
  return [...new Set(asked.map((one) => idOf.get(one) ?? refuse()))];
}

function refuse(): never {
  throw noMember();
}

function noMember(): DomainError {
  return invalidInput(memberRule, 'members');
}

// A name of a person or a group at a forge. A mail address means the person whose address it is, never a team.
const ownerName = /^@[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9_.-]+)*$/;

/** Returns the names in lower case, each once. Throws DomainError. */
function checkedOwnerNames(names: string[]): string[] {
  const folded = [...new Set(names.map((name) => name.trim().toLowerCase()))];
  const wrong = folded.find((name) => !ownerName.test(name));
  if (wrong === undefined) return folded;
  throw invalidInput('Must begin with @, such as @acme/payments.', 'owner_names');
}

function taken(name: string): DomainError {
  return conflictingInput(`There is already a team ${name}.`, 'name');
}
