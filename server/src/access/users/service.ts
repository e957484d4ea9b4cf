/** People and service users. */
import type { InstallTx, Tx } from '../../db/database.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { hasTwin, isForPassword, parseEmail } from '../../domain/email.ts';
import { conflictingInput, invalidInput, resourceNotFound } from '../../domain/errors.ts';
import { newId, type UserId } from '../../domain/ids.ts';
import { checkedName, countCharacters } from '../../domain/plain-name.ts';
import { lockAccount } from './lookup.ts';
import { hashPassword } from './passwords.ts';
import { isServiceAddress } from './service-account.ts';
import {
  deleteSessions,
  findUserByEmail,
  insertUser,
  readEmail,
  type UserRow,
  updateOperator,
  updatePassword,
  upsertPassword,
} from './store.ts';

/**
 * With `password` null, the user signs in by other means or not at all. An `operator` may create workspaces.
 * `emailVerified` says that somebody confirms the address, so that a provider with this address opens the account.
 * Throws DomainError.
 */
export async function createUser(
  tx: InstallTx,
  email: string,
  name: string,
  password: string | null,
  { operator = false, emailVerified = true }: { operator?: boolean; emailVerified?: boolean } = {},
): Promise<UserRow> {
  const user = { id: newId<'user'>(), email: checkedEmail(email), name: checkedName(name, 'name') };
  if (password !== null) checkPassword(password, user.email);
  if (!(await insertUser(tx, { ...user, kind: 'user', operator, emailVerified }))) {
    throw emailTaken(user.email);
  }
  if (password !== null) await upsertPassword(tx, user.id, await hashPassword(password));
  return user;
}

export function emailTaken(email: string): DomainError {
  return conflictingInput(`There is already a user ${email}.`, 'email');
}

/** Returns the folded address of a person, as it is stored. Throws DomainError. */
export function checkedEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    const reason = hasTwin(text)
      ? 'has letters or unseen characters that make it look like another address: type it anew'
      : 'is no e-mail address';
    throw invalidInput(`The text "${text}" ${reason}.`, 'email');
  }
  if (isServiceAddress(email)) {
    throw invalidInput(`The address ${email} is that of a service account, not of a person.`, 'email');
  }
  return email;
}

/** Sets the password and ends all sessions. Throws DomainError. */
export async function setPassword(tx: InstallTx, userId: UserId, password: string): Promise<void> {
  checkPassword(password, await readEmail(tx, userId));
  await upsertPassword(tx, userId, await hashPassword(password));
  await deleteSessions(tx, userId);
}

/**
 * Sets the password like `setPassword`, if `before`, the hash that the caller has checked, is still stored. Otherwise
 * returns false and changes nothing. Throws DomainError on `field`.
 */
export async function replacePassword(
  tx: InstallTx,
  userId: UserId,
  before: string,
  password: string,
  field: string,
): Promise<boolean> {
  checkLength(password, field);
  if (!(await updatePassword(tx, userId, before, await hashPassword(password)))) return false;
  await deleteSessions(tx, userId);
  return true;
}

function checkPassword(password: string, email: string): void {
  checkPasswordAddress(email);
  checkLength(password, 'password');
}

/** Throws DomainError if nobody could sign in with this folded address and a password. */
export function checkPasswordAddress(email: string): void {
  if (isForPassword(email)) return;
  throw invalidInput(
    `The address ${email} cannot sign in with a password: before the @ are only letters a to z, digits, and any of _ + - ' between them and dots, and after it a plain domain name. Take another address, or sign in by OpenID Connect.`,
    'email',
  );
}

function checkLength(password: string, field: string): void {
  const count = countCharacters(password);
  if (count < minPasswordLength || count > maxPasswordLength) {
    throw invalidInput(
      `The password must have ${minPasswordLength} to ${maxPasswordLength} characters.`,
      field,
    );
  }
}

// NIST SP 800-63B asks for at least 8 characters with a second factor and 15 without one. 12 with a slow hash and a
// limit on guessing is between them.
export const minPasswordLength = 12;
/** The limit is longer than any passphrase and limits the work of hashing. */
export const maxPasswordLength = 256;

/** Lets the user create workspaces, or no longer. Throws DomainError for a new operator whose address is not proved. */
export async function setOperator(tx: InstallTx, userId: UserId, isOperator: boolean): Promise<void> {
  const { isProved } = await lockAccount(tx, userId);
  if (isOperator && !isProved) {
    throw conflictingInput(
      'The address is not proved, so another person may have the account. Confirm the address first: merlond user password.',
      'email',
    );
  }
  await updateOperator(tx, userId, isOperator);
}

/** Makes the actor of a workspace key, which is no person and cannot sign in. */
export async function createServiceUser(tx: Tx, email: string, name: string): Promise<UserId> {
  const id = newId<'user'>();
  await insertUser(tx, { id, email, name, kind: 'service', operator: false, emailVerified: false });
  return id;
}

export function noUser(email: string): DomainError {
  return resourceNotFound(`There is no user ${email}. To create one, run merlond user create.`);
}

/** Throws DomainError if there is no such user. */
export async function getUser(tx: InstallTx, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw noUser(email);
  return user;
}
