/**
 * The first person of an install opens the one-time link that the server prints, and becomes its operator. As soon as
 * the install has a person, all such links are invalid.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Database, type InstallTx, installTx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { createUser } from '../users/service.ts';
import {
  deleteVerifications,
  hasPeople,
  insertVerification,
  lockSetup,
  takeVerification,
} from './sign-in-store.ts';

const identifier = 'setup';
// A link in a log gives access, so it is valid only as long as it takes to install Merlon. A restart prints another
// one.
const hours = 24;

/**
 * Returns the secret part of a new link, or null if the install has people or takes no passwords. Older links stay
 * valid until they expire.
 */
export async function createSetupToken(
  db: Database,
  { passwords }: Pick<Config, 'passwords'>,
): Promise<string | null> {
  if (!passwords) return null;
  return installTx(db, async (tx) => {
    if (await hasPeople(tx)) return null;
    const token = randomBytes(24).toString('base64url');
    await insertVerification(tx, { identifier, value: digest(token), hours });
    return token;
  });
}

export async function isSetUp(db: Database): Promise<boolean> {
  return installTx(db, hasPeople);
}

/** Creates the operator. Throws 404 for an invalid link, and DomainError for a bad e-mail, name or password. */
export async function setUp(
  db: Database,
  { token, email, name, password }: { token: string; email: string; name: string; password: string },
): Promise<void> {
  await installTx(db, async (tx) => {
    if (await hasPeople(tx)) throw resourceNotFound();
    if (!(await takeVerification(tx, { identifier, value: digest(token) }))) throw resourceNotFound();
    // If two people open two links at the same moment, the lock lets only one of them become the operator.
    await lockSetup(tx);
    if (await hasPeople(tx)) throw resourceNotFound();
    await createUser(tx, email, name, password, { operator: true });
    await removeSetupLinks(tx);
  });
}

/** Removes the links, which are invalid once there is a person. Returns true if one of them had not expired. */
export async function removeSetupLinks(tx: InstallTx): Promise<boolean> {
  const ends = await deleteVerifications(tx, identifier);
  return ends.some((end) => end.getTime() > Date.now());
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
