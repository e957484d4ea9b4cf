/**
 * The first person of an install: whoever opens the one-time link that the server printed becomes its operator. Once
 * there is anybody, no link opens anything.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Database, installTx, type Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { createUser } from '../users/service.ts';

const identifier = 'setup';
// A link in a log is a key: it lives as long as somebody who installs a server takes, and a restart prints another.
const hours = 24;

/** The secret part of a new link; null where there are people already. Older links go on until they expire. */
export async function makeSetupToken(db: Database): Promise<string | null> {
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

/** Makes the operator. Throws 404 for a link that opens nothing, DomainError for a bad e-mail, name or password. */
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
    // Two who open two links at the same moment: one of them comes first.
    await tx.query(`select pg_advisory_xact_lock(hashtext('merlon.setup'))`);
    if (await hasPeople(tx)) throw resourceNotFound();
    await createUser(tx, email, name, password, { operator: true });
    await tx.query('delete from user_verification where identifier = $1', [identifier]);
  });
}

async function hasPeople(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ there: boolean }>(
    `select exists (select 1 from user_account where kind = 'user') as there`,
  );
  return row?.there === true;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
