/**
 * The keys of the install. A file holds one secret of 32 random bytes, the same on all nodes. HKDF derives each key
 * from it with its own purpose, so that a leaked key tells nothing about another.
 */
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';

const purposes = [
  'cursor',
  'secret-identity',
  'report-encryption',
  'session',
  'csrf',
  'known-browser',
  'webhook',
  'issue-tracker',
] as const;
export type KeyPurpose = (typeof purposes)[number];

export interface InstallSecret {
  /** 32 bytes for one purpose. */
  key(purpose: KeyPurpose): Buffer;
  /** Shows whether two nodes, or a database and a node, have the same secret. It does not reveal the secret. */
  fingerprint: string;
}

/**
 * Reads the secret. With `create`, creates the file (mode 0600) if it is missing. Throws an Error that says what to do
 * if the secret is missing or too short.
 */
export async function loadInstallSecret(path: string, create: boolean): Promise<InstallSecret> {
  let text = await readIfThere(path);
  if (text === undefined) {
    if (!create) {
      throw new Error(
        `MERLON_SECRET_FILE=${path}: no such file. Make it once, for all nodes: openssl rand -hex 32 > ${path}`,
      );
    }
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
      await chmod(path, 0o600);
    } catch (error) {
      // Another process has created the file meanwhile, so its secret is used.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    text = await readFile(path, 'utf8');
  }
  const trimmed = text.trim();
  if (!/^[0-9a-f]{64,}$/i.test(trimmed)) {
    throw new Error(`${path}: the secret must be 64 or more hexadecimal characters: openssl rand -hex 32`);
  }
  return installSecret(Buffer.from(trimmed, 'hex'));
}

export function installSecret(bytes: Buffer): InstallSecret {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', bytes, '', `merlon/${purpose}`, 32));
  const keys = new Map<KeyPurpose, Buffer>(purposes.map((purpose) => [purpose, derive(purpose)]));
  return {
    key: (purpose) => {
      const key = keys.get(purpose);
      if (!key) throw new Error(`no key for ${purpose}`);
      return key;
    },
    fingerprint: createHash('sha256').update(derive('fingerprint')).digest('hex').slice(0, 16),
  };
}

type Queryable = Pick<pg.Pool, 'query'>;

export interface SecretOptions {
  /** Creates the file if it is missing and the database is not bound to a secret. */
  create: boolean;
  /** Binds the database to the present file, whatever it was bound to before, and creates a missing one. */
  accept?: boolean;
}

/**
 * Reads the secret and binds the database to it, if it is not bound yet. Throws an Error that says what to do if the file is
 * missing, or is not that of the database: a process with another one could not decrypt what is stored, and would give each
 * secret in a report another identity.
 */
export async function loadBoundSecret(
  db: Queryable,
  path: string,
  { create, accept = false }: SecretOptions,
): Promise<InstallSecret> {
  if (accept && (await isUsed(db)))
    throw new Error('A process of Merlon uses this database. Stop all processes, and try again.');
  const bound = accept ? undefined : await findBound(db);
  if (bound !== undefined && (await readIfThere(path)) === undefined)
    throw new Error(
      `${path}: no such file, and the database belongs to the secret ${bound}. Put your copy of it there. ${lost}`,
    );
  const secret = await loadInstallSecret(path, create && bound === undefined);
  if (accept) await replaceBoundSecret(db, secret);
  else if (bound === undefined) await bindToSecret(db, secret, path);
  else refuseAnotherSecret(bound, secret, path);
  return secret;
}

/** Binds the database to the secret. Throws an Error if another process has bound it to another one meanwhile. */
export async function bindToSecret(db: Queryable, secret: InstallSecret, path: string): Promise<void> {
  await db.query('insert into install_secret (fingerprint) values ($1) on conflict do nothing', [
    secret.fingerprint,
  ]);
  refuseAnotherSecret(await findBound(db), secret, path);
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

const lost = 'If it is lost or has leaked, see merlond secret accept --help.';

/** True if another process of Merlon has a connection: it would keep the secret that it has read. */
async function isUsed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'merlond' and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}

async function replaceBoundSecret(db: Queryable, { fingerprint }: InstallSecret): Promise<void> {
  await db.query(
    'insert into install_secret (fingerprint) values ($1) on conflict (id) do update set fingerprint = excluded.fingerprint',
    [fingerprint],
  );
}

/** Returns the fingerprint of the secret to which the database is bound; undefined if no process has used it yet. */
export async function findBound(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ fingerprint: string }>('select fingerprint from install_secret');
  return rows[0]?.fingerprint;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
