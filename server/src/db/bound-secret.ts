/**
 * A database belongs to one secret: a process with another one could not decrypt what is stored, and would give each
 * secret in a report another identity. The database holds the fingerprint of its secret.
 */
import { existsSync } from 'node:fs';
import type pg from 'pg';
import { type InstallSecret, loadInstallSecret } from './install-secret.ts';

type Queryable = Pick<pg.Pool, 'query'>;

const lost = 'If it is lost or has leaked, see merlond secret accept --help.';

/**
 * Checks that the file is that of the database, and binds a database to it that is not bound yet; then it returns true.
 * `create` makes a missing file for such a database. Throws an Error that says what to do.
 */
export async function requireBoundSecret(db: Queryable, path: string, create: boolean): Promise<boolean> {
  const bound = await findBound(db);
  if (bound === undefined) return bindToSecret(db, await loadInstallSecret(path, create), path);
  if (!existsSync(path))
    throw new Error(
      `${path}: no such file, and the database belongs to the secret ${bound}. Put your copy of it there. ${lost}`,
    );
  refuseAnotherSecret(bound, await loadInstallSecret(path, false), path);
  return false;
}

/**
 * Binds the database to the file, whatever it was bound to before. Returns true. Throws an Error while a process uses
 * the database.
 */
export async function acceptSecret(db: Queryable, path: string, create: boolean): Promise<true> {
  if (await isUsed(db))
    throw new Error('A process of Merlon uses this database. Stop all processes, and try again.');
  const { fingerprint } = await loadInstallSecret(path, create);
  await db.query(
    'insert into install_secret (fingerprint) values ($1) on conflict (id) do update set fingerprint = excluded.fingerprint',
    [fingerprint],
  );
  return true;
}

/**
 * Binds the database to the secret, and returns true if no other process has done so meanwhile. Throws an Error if one
 * has bound it to another secret.
 */
export async function bindToSecret(db: Queryable, secret: InstallSecret, path: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into install_secret (fingerprint) values ($1) on conflict do nothing',
    [secret.fingerprint],
  );
  refuseAnotherSecret(await findBound(db), secret, path);
  return rowCount === 1;
}

/** Undoes `bindToSecret`, so that a database that is still empty may be bound to another secret. */
export async function unbindSecret(db: Queryable, fingerprint: string): Promise<void> {
  await db.query('delete from install_secret where fingerprint = $1', [fingerprint]);
}

/** Throws an Error that says what to do if the database is bound to another secret. */
export function refuseAnotherSecret(
  bound: string | undefined,
  { fingerprint }: InstallSecret,
  path: string,
): void {
  if (bound === undefined || bound === fingerprint) return;
  throw new Error(
    `${path}: the database belongs to the secret ${bound}, and this file holds ${fingerprint}. Use the file that the other nodes have, or that of the backup. ${lost}`,
  );
}

/** Returns the fingerprint of the secret to which the database is bound; undefined if no process has used it yet. */
export async function findBound(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ fingerprint: string }>('select fingerprint from install_secret');
  return rows[0]?.fingerprint;
}

/** True if another process of Merlon has a connection: it would keep the secret that it has read. */
async function isUsed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'merlond' and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}
