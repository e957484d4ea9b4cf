/** SQL of a workspace that comes from another install, and of the users that its rows name. */
import type { InstallTx } from '../../db/database.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';

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

/** False if the install has the workspace, or its slug. */
export async function insertMovedTenant(tx: InstallTx, workspace: MovedWorkspace): Promise<boolean> {
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
  return made.length > 0;
}

interface TakenAccount {
  id: UserId;
  email: string;
  kind: string;
  /** It has a credential, and an address that is not proved. */
  is_unproved: boolean;
}

/** The accounts of the install that have an address or an id of these people. */
export async function listTakenAccounts(tx: InstallTx, people: MovedPerson[]): Promise<TakenAccount[]> {
  return tx.query<TakenAccount>(
    `select id, email, kind, not email_verified
              and exists (select 1 from user_credential c where c.user_id = u.id) as is_unproved
       from user_account u where email = any($1) or id = any($2)`,
    [people.map(({ email }) => email), people.map(({ id }) => id)],
  );
}

/** Inserts accounts without a password. */
export async function insertMovedPeople(tx: InstallTx, people: MovedPerson[]): Promise<void> {
  await tx.query(
    `insert into user_account (id, email, name, kind, disabled_at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])`,
    [
      people.map(({ id }) => id),
      people.map(({ email }) => email),
      people.map(({ name }) => name),
      people.map(({ kind }) => kind),
      people.map(({ disabledAt }) => disabledAt),
    ],
  );
}
