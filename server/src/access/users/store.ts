/** SQL of user accounts. */
import type { InstallTx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { newId, type UserId } from '../../domain/ids.ts';

export interface UserRow {
  id: UserId;
  email: string;
  name: string;
}

/** False if the e-mail is taken. `email` must be in lower case. */
export async function insertUser(
  tx: InstallTx,
  user: UserRow & { kind: 'user' | 'service'; operator: boolean; emailVerified: boolean },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into user_account (id, email, name, kind, operator, email_verified) values ($1, $2, $3, $4, $5, $6)
     on conflict (email) do nothing returning id`,
    [user.id, user.email, user.name, user.kind, user.operator, user.emailVerified],
  );
  return rows.length > 0;
}

export async function upsertPassword(tx: InstallTx, userId: UserId, hash: string): Promise<void> {
  await tx.query(
    `insert into user_credential (id, user_id, provider_id, account_id, password)
     values ($1, $2, 'credential', $4, $3)
     on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = excluded.updated_at`,
    [newId(), userId, hash, userId],
  );
}

export async function readEmail(tx: InstallTx, userId: UserId): Promise<string> {
  const [row] = await tx.query<{ email: string }>('select email from user_account where id = $1', [userId]);
  return row?.email ?? '';
}

export async function hasPassword(tx: InstallTx, userId: UserId): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from user_credential where user_id = $1 and provider_id = 'credential' and password is not null`,
    [userId],
  );
  return rows.length > 0;
}

/** False if the stored password is no longer `before`. */
export async function updatePassword(
  tx: InstallTx,
  userId: UserId,
  before: string,
  hash: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update user_credential set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, before, hash],
  );
  return rows.length > 0;
}

/** Finds people only, because a service user cannot sign in or join a workspace. */
export async function findUserByEmail(tx: InstallTx, email: string): Promise<UserRow | undefined> {
  const rows = await tx.query<UserRow>(
    `select id, email, name from user_account where email = $1 and kind = 'user'`,
    [foldEmail(email)],
  );
  return rows[0];
}

export async function deleteSessions(tx: InstallTx, userId: UserId): Promise<void> {
  await tx.query('delete from user_session where user_id = $1', [userId]);
}

/** Throws `uniqueViolation` for the address of another account. */
export async function updateEmail(tx: InstallTx, userId: UserId, email: string): Promise<void> {
  await tx.query('update user_account set email = $2, updated_at = now() where id = $1', [userId, email]);
}

export async function updateOperator(tx: InstallTx, userId: UserId, isOperator: boolean): Promise<void> {
  await tx.query('update user_account set operator = $2, updated_at = now() where id = $1', [
    userId,
    isOperator,
  ]);
}

/** False if the user was already in this state. */
export async function setDisabled(tx: InstallTx, userId: UserId, isDisabled: boolean): Promise<boolean> {
  const rows = await tx.query(
    `update user_account set disabled_at = case when $2 then $3::timestamptz end, updated_at = $3
      where id = $1 and (disabled_at is not null) <> $2 returning id`,
    [userId, isDisabled, new Date()],
  );
  return rows.length > 0;
}
