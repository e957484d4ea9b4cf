/**
 * The first person of an install opens the one-time link that the server prints, and becomes its operator. As soon as
 * the install has a person, all such links are invalid.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Database, type InstallTx, installTx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { createUser } from '../users/service.ts';

const identifier = 'setup';
// A link in a log gives access, so it is valid only as long as it takes to install Merlon. A restart prints another one.
const hours = 24;

/**
 * Returns the secret part of a new link, or null if the install has people or takes no passwords. Older links stay valid
 * until they expire.
 */
export async function createSetupToken(
  db: Database,
  { passwords }: Pick<Config, 'passwords'>,
): Promise<string | null> {
  if (!passwords) return null;
  return installTx(db, async (tx) => {
    if (await hasPeople(tx)) return null;
    const token = randomBytes(24).toString('base64url');
    await tx.query(
      `insert into user_verification (id, identifier, value, expires_at)
       values ($1, $2, $3, now() + make_interval(hours => $4))`,
      [newId(), identifier, digest(token), hours],
    );
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
    const known = await tx.query(
      'delete from user_verification where identifier = $1 and value = $2 and expires_at > now() returning id',
      [identifier, digest(token)],
    );
    if (known.length === 0) throw resourceNotFound();
    // If two people open two links at the same moment, the lock lets only one of them become the operator.
    await tx.query(`select pg_advisory_xact_lock(hashtext('merlon.setup'))`);
    if (await hasPeople(tx)) throw resourceNotFound();
    await createUser(tx, email, name, password, { operator: true });
    await removeSetupLinks(tx);
  });
}

/** Removes the links, which are invalid once there is a person. Returns true if one of them had not expired. */
export async function removeSetupLinks(tx: InstallTx): Promise<boolean> {
  const links = await tx.query<{ expires_at: Date }>(
    'delete from user_verification where identifier = $1 returning expires_at',
    [identifier],
  );
  return links.some(({ expires_at }) => expires_at.getTime() > Date.now());
}

async function hasPeople(tx: InstallTx): Promise<boolean> {
  const [row] = await tx.query<{ there: boolean }>(
    `select exists (select 1 from user_account where kind = 'user') as there`,
  );
  return row?.there === true;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
