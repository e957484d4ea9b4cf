/** People and service users. */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../../refusal.ts';
import { findUserByEmail, insertUser, type UserRow, upsertPassword } from './store.ts';

/** `password` null: signs in by other means, or not at all. Throws Refusal. */
export async function createUser(
  tx: Tx,
  email: string,
  name: string,
  password: string | null,
): Promise<UserRow> {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) {
    throw new Refusal('invalid', `${email}: not an e-mail address`);
  }
  if (name.trim() === '' || name.length > 255) {
    throw new Refusal('invalid', '--name: must have 1 to 255 characters');
  }
  if (password !== null && password.length < minPasswordLength) {
    throw new Refusal('invalid', `the password must have ${minPasswordLength} characters or more`);
  }
  const user = { id: newId(), email: email.toLowerCase(), name: name.trim() };
  if (!(await insertUser(tx, { ...user, kind: 'user' }))) {
    throw new Refusal('conflict', `there is a user ${user.email} already`);
  }
  if (password !== null) await upsertPassword(tx, user.id, await hashPassword(password));
  return user;
}

// NIST SP 800-63B asks for 8 at least where there is a second factor and 15 where there is none; 12 with a slow
// hash and a limit on guessing is between them.
const minPasswordLength = 12;

// The form and cost of the library that the console signs in with: salt and scrypt's output in hex.
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  const derive = promisify<string, string, number, object, Buffer>(scrypt);
  const key = await derive(password.normalize('NFKC'), salt, 64, {
    N: 16384,
    r: 16,
    p: 1,
    maxmem: 64 * 1024 * 1024,
  });
  return `${salt}:${key.toString('hex')}`;
}

/** The actor of a workspace key: no person, no sign-in. */
export async function createServiceUser(tx: Tx, email: string, name: string): Promise<string> {
  const id = newId();
  await insertUser(tx, { id, email, name, kind: 'service' });
  return id;
}

/** Throws Refusal when there is none. */
export async function getUser(tx: Tx, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new Refusal('missing', `there is no user ${email}`);
  return user;
}
