/** A workspace that comes from another install, and the users that its rows name. */
import type { InstallTx } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import { newId, type TenantId, type UserId } from '../../domain/ids.ts';
import { checkSlug } from '../entry.ts';

export interface MovedWorkspace {
  id: TenantId;
  slug: string;
  name: string;
  settings: Record<string, unknown>;
  trackedBranches: string[];
  /** An instant in ISO 8601. */
  createdAt: string;
}

export interface MovedPerson {
  id: UserId;
  email: string;
  name: string;
  kind: 'user' | 'service';
  disabledAt: string | null;
}

/** Throws DomainError if the install already has it, or its slug. */
export async function insertMovedWorkspace(tx: InstallTx, workspace: MovedWorkspace): Promise<void> {
  checkSlug(workspace.slug);
  const made = await tx.query(
    `insert into tenant (id, slug, name, settings, tracked_branches, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
    [
      workspace.id,
      workspace.slug,
      workspace.name,
      workspace.settings,
      workspace.trackedBranches,
      workspace.createdAt,
    ],
  );
  if (made.length === 0) {
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
  const taken = await tx.query<{ id: UserId; email: string; kind: string; is_unproved: boolean }>(
    `select id, email, kind, not email_verified
              and exists (select 1 from user_credential c where c.user_id = u.id) as is_unproved
       from user_account u where email = any($1) or id = any($2)`,
    [people.map(({ email }) => email), people.map(({ id }) => id)],
  );
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
  await tx.query(
    `insert into user_account (id, email, name, kind, disabled_at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])`,
    [
      missing.map(({ id }) => id),
      missing.map(({ email }) => email),
      missing.map(({ name }) => name),
      missing.map(({ kind }) => kind),
      missing.map(({ disabledAt }) => disabledAt),
    ],
  );
  return otherIds;
}
