/** SQL of user accounts. */
import type { Tx } from '../../db/database.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
}

/** False when the e-mail is taken. `email` is in lower case. */
export async function insertUser(tx: Tx, user: UserRow & { kind: 'user' | 'service' }): Promise<boolean> {
  const rows = await tx.query(
    `insert into user_account (id, email, name, kind) values ($1, $2, $3, $4)
     on conflict (email) do nothing returning id`,
    [user.id, user.email, user.name, user.kind === 'service' ? 1 : 0],
  );
  return rows.length > 0;
}

export async function upsertPassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(
    `insert into user_password (user_id, hash) values ($1, $2)
     on conflict (user_id) do update set hash = excluded.hash, updated_at = now()`,
    [userId, hash],
  );
}

/** People only: a service user has no sign-in and joins nothing. */
export async function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const rows = await tx.query<UserRow>(
    'select id, email, name from user_account where email = $1 and kind = 0',
    [email.toLowerCase()],
  );
  return rows[0];
}
