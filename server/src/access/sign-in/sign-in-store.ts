/**
 * SQL of sign-in that the library does not have: sessions of a user, identities at the provider, links of the setup.
 */
import { advisoryLocks } from '../../db/advisory-locks.ts';
import type { InstallTx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { newId, type UserId } from '../../domain/ids.ts';

// One person has fewer browsers and devices; the limit also ends a cookie that was copied long ago.
const maxSessions = 20;

/**
 * Call this after a sign-in: it keeps the newest valid sessions, and none of a disabled user. It waits for a
 * transaction that disables the user, so that no session is left for the day on which the user is enabled again.
 */
export async function limitSessions(tx: InstallTx, userId: UserId): Promise<void> {
  const [user] = await tx.query<{ is_disabled: boolean }>(
    // Shared locks of one account on Citus would end in deadlocks of its own locks.
    'select disabled_at is not null as is_disabled from user_account where id = $1 for no key update',
    [userId],
  );
  await tx.query(
    `delete from user_session where user_id = $1 and id in (
       select id from user_session where user_id = $1 and expires_at > now()
        order by created_at desc, id desc offset $2)`,
    [userId, user?.is_disabled === false ? maxSessions : 0],
  );
}

export async function isDisabled(tx: InstallTx, userId: UserId): Promise<boolean> {
  const rows = await tx.query('select 1 from user_account where id = $1 and disabled_at is not null', [
    userId,
  ]);
  return rows.length > 0;
}

export async function hasIdentity(tx: InstallTx, providerId: string, userId: UserId): Promise<boolean> {
  const rows = await tx.query('select 1 from user_credential where user_id = $1 and provider_id = $2', [
    userId,
    providerId,
  ]);
  return rows.length > 0;
}

/**
 * Finds the account of the address, if the address is not proved. Undefined if there is none, or if a given identity
 * already belongs to an account. With `lock` the account stays locked until the transaction ends.
 */
export async function findUnproven(
  tx: InstallTx,
  { email, providerId, accountId }: { email: string; providerId?: string; accountId?: string },
  lock = false,
): Promise<UserId | undefined> {
  const [row] = await tx.query<{ id: UserId }>(
    `select id from user_account u
      where email = $3 and kind = 'user' and not email_verified and disabled_at is null
        and not exists (select 1 from user_credential where provider_id = $1 and account_id = $2)
      ${lock ? 'for no key update' : ''}`,
    [providerId, accountId, email],
  );
  return row?.id;
}

/** Replaces all credentials of the account by this identity. */
export async function replaceCredentials(
  tx: InstallTx,
  userId: UserId,
  { providerId, accountId, name }: { providerId: string; accountId: string; name: string },
): Promise<void> {
  await tx.query('delete from user_credential where user_id = $1', [userId]);
  await tx.query(
    'insert into user_credential (id, user_id, provider_id, account_id) values ($1, $2, $3, $4)',
    [newId(), userId, providerId, accountId],
  );
  await renameUser(tx, userId, name);
}

export async function renameUser(tx: InstallTx, userId: UserId, name: string): Promise<void> {
  await tx.query('update user_account set name = $2, updated_at = now() where id = $1', [userId, name]);
}

/** Marks the address of the account as proved. All sessions of the account end. */
export async function proveAddress(tx: InstallTx, userId: UserId): Promise<void> {
  await tx.query('delete from user_session where user_id = $1', [userId]);
  await tx.query('update user_account set email_verified = true, updated_at = now() where id = $1', [userId]);
}

/**
 * Moves the identities of one issuer to another. `from` is empty for identities that were stored without an issuer. An
 * identity stays if the other issuer already has its subject. Returns the addresses of these, and how many have moved.
 */
export async function moveIdentities(
  tx: InstallTx,
  providerId: string,
  from: string,
  to: string,
): Promise<{ moved: number; kept: string[] }> {
  const ofIssuer = `c.provider_id = $1 and starts_with(c.account_id, $2 || '#')`;
  const movedId = `$3 || substr(c.account_id, length($2) + 1)`;
  const moved = await tx.query(
    `update user_credential c set account_id = ${movedId}, updated_at = $4
      where ${ofIssuer}
        and not exists (select 1 from user_credential o where o.provider_id = $1 and o.account_id = ${movedId})
     returning c.id`,
    [providerId, from, to, new Date()],
  );
  const kept = await tx.query<{ email: string }>(
    `select u.email from user_credential c join user_account u on u.id = c.user_id
      where ${ofIssuer} order by u.email`,
    [providerId, from],
  );
  return { moved: moved.length, kept: kept.map(({ email }) => email) };
}

/** True if the install has a person. */
export async function hasPeople(tx: InstallTx): Promise<boolean> {
  const [row] = await tx.query<{ has_people: boolean }>(
    `select exists (select 1 from user_account where kind = 'user') as has_people`,
  );
  return row?.has_people === true;
}

/** Stores a value that proves something until it expires. `identifier` says what. */
export async function insertVerification(
  tx: InstallTx,
  { identifier, value, hours }: { identifier: string; value: string; hours: number },
): Promise<void> {
  await tx.query(
    `insert into user_verification (id, identifier, value, expires_at)
     values ($1, $2, $3, now() + make_interval(hours => $4))`,
    [newId(), identifier, value, hours],
  );
}

/** Deletes the value, so that it is used once. False if it is not there or has expired. */
export async function takeVerification(
  tx: InstallTx,
  { identifier, value }: { identifier: string; value: string },
): Promise<boolean> {
  const rows = await tx.query(
    'delete from user_verification where identifier = $1 and value = $2 and expires_at > now() returning id',
    [identifier, value],
  );
  return rows.length > 0;
}

/** Returns the times at which the deleted values would have expired. */
export async function deleteVerifications(tx: InstallTx, identifier: string): Promise<Date[]> {
  const rows = await tx.query<{ expires_at: Date }>(
    'delete from user_verification where identifier = $1 returning expires_at',
    [identifier],
  );
  return rows.map((row) => row.expires_at);
}

interface Credential {
  password: string | null;
  is_disabled: boolean;
}

/** The password of a person. `lock` is the clause that locks it, as SQL. */
export async function findCredential(
  tx: InstallTx,
  email: string,
  lock = '',
): Promise<Credential | undefined> {
  const [row] = await tx.query<Credential>(
    `select c.password, u.disabled_at is not null as is_disabled
       from user_account u join user_credential c on c.user_id = u.id and c.provider_id = 'credential'
      where u.email = $1 and u.kind = 'user' ${lock}`,
    [foldEmail(email)],
  );
  return row;
}

export async function deleteSession(tx: InstallTx, token: string): Promise<void> {
  await tx.query('delete from user_session where token = $1', [token]);
}

/** Deletes expired sessions, and expired values that prove something. */
export async function deleteExpiredSessions(tx: InstallTx): Promise<void> {
  await tx.query('delete from user_session where expires_at < now()');
  await tx.query('delete from user_verification where expires_at < now()');
}

/** Only one transaction at a time sets the install up. */
export async function lockSetup(tx: InstallTx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.setUp]);
}
