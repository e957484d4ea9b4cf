/** A workspace that comes from another install, and the users that its rows name. */
import type { InstallTx } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import { newId, type UserId } from '../../domain/ids.ts';
import { checkSlug } from '../entry.ts';
import {
  insertMovedPeople,
  insertMovedTenant,
  listTakenAccounts,
  type MovedPerson,
  type MovedWorkspace,
} from './moved-workspace-store.ts';

/** Throws DomainError if the install already has it, or its slug. */
export async function insertMovedWorkspace(tx: InstallTx, workspace: MovedWorkspace): Promise<void> {
  checkSlug(workspace.slug);
  if (!(await insertMovedTenant(tx, workspace))) {
    throw conflictingInput(
      `The workspace, or another one with the slug ${workspace.slug}, is in this install already. Give it another slug with --slug. A second copy of a workspace needs another install.`,
    );
  }
}

/**
 * Finds the users by e-mail address or creates them, without a password or any power over the install. Returns the ids
 * that differ in this install. Throws DomainError if an address belongs to an account of another kind, or to one that
 * another person may have, who would get the memberships of its owner.
 */
export async function matchPeople(tx: InstallTx, people: MovedPerson[]): Promise<Map<UserId, UserId>> {
  const taken = await listTakenAccounts(tx, people);
  const byEmail = new Map(taken.map((user) => [user.email, user]));
  const ids = new Set(taken.map(({ id }) => id));
  const otherIds = new Map<UserId, UserId>();
  const missing: MovedPerson[] = [];
  for (const person of people) {
    const found = byEmail.get(person.email);
    if (found !== undefined && found.kind !== person.kind) {
      throw conflictingInput(
        `The address ${person.email} is that of an account of another kind in this install.`,
      );
    }
    if (found?.is_unproved) {
      throw conflictingInput(
        `The account ${person.email} of this install has an address that is not proved, so another person may have it. Confirm the address first: merlond user password ${person.email}.`,
      );
    }
    const id = found?.id ?? (ids.has(person.id) ? newId() : person.id);
    if (id !== person.id) otherIds.set(person.id, id);
    if (found === undefined) missing.push({ ...person, id });
  }
  await insertMovedPeople(tx, missing);
  return otherIds;
}
