/**
 * The life cycle of the embedded PostgreSQL: which process starts it, which processes share it, and which one stops it.
 * It is independent of the schema and keeps no connection open: callers connect by the URLs.
 */
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { checkClusterVersion, clusterExists, createCluster, repairOwnership } from './cluster.ts';
import { credentialsFile, openCredentials } from './credentials.ts';
import { EmbeddedPostgresError, type ErrorCode, errorText, systemErrorCode } from './error.ts';
import { type Lease, listLeases, takeLease, withLock } from './lock.ts';
import { identify, type Postmaster, readPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { chooseRunUser, directoryOwner } from './run-user.ts';
import { type Setting, writeSettings } from './settings.ts';

export interface EmbeddedPostgresOptions {
  /** The directory that holds everything: data, passwords, log, locks. It is created if it is missing. */
  dataDir: string;
  /**
   * The name of the program, in lower case letters, digits and underscores. It names the database, the roles
   * `<name>_owner` and `<name>_app`, and the file `<name>-local.conf`. It is part of the data: a directory always needs
   * the same name.
   */
  name: string;
  /** Settings of PostgreSQL in addition to the defaults. Each start writes them again. */
  settings?: readonly Setting[];
  /**
   * A sentence to add to the message of errors with this code, for example how the program's user sets the directory.
   */
  hints?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Called with a line about a step that takes long or is unusual. */
  log?: (message: string) => void;
}

export interface EmbeddedPostgres {
  host: '127.0.0.1';
  port: number;
  /** The address for the superuser `<name>_owner`, which owns the database. */
  ownerUrl: string;
  /** The address for the role `<name>_app`. The program creates this role, with the password of this address. */
  appUrl: string;
  /** The password of `<name>_app`: generated, letters and digits only. */
  appPassword: string;
  /** False if PostgreSQL was already running and this process joined it. */
  startedHere: boolean;
  /** Leaves PostgreSQL, and stops it if no other process uses it. A second call does nothing. */
  stop(): Promise<void>;
}

/** A PostgreSQL whose program is gone answers at once. Ten seconds allow for a machine under load. */
const answerTimeoutMs = 10_000;

/**
 * Opens the PostgreSQL of a data directory: joins the one that runs, or starts it, on a new cluster if there is none.
 * When the promise resolves, PostgreSQL accepts connections and the database `<name>` exists, empty at first. Throws
 * EmbeddedPostgresError, whose message is for the operator.
 */
export async function openPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(options.name)) {
    throw new TypeError(
      `name ${options.name}: must be at most 40 of a-z, 0-9 and _, and begin with a letter`,
    );
  }
  try {
    const dataDir = createDataDir(resolve(options.dataDir));
    return await withLock(join(dataDir, 'postgres.lock'), directoryOwner(dataDir), () =>
      openLocked(dataDir, options),
    );
  } catch (error) {
    throw withHint(toEmbeddedPostgresError(error, options.dataDir), options.hints);
  }
}

async function openLocked(
  dataDir: string,
  { name, settings = [], log = () => {} }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const ownerRole = `${name}_owner`;
  const clusterDir = join(dataDir, 'postgres');
  const leasesDir = join(dataDir, 'leases');
  const owner = directoryOwner(dataDir);
  const others = listLeases(leasesDir);
  const elsewhere = others.find((lease) => lease.elsewhere);
  if (elsewhere !== undefined) {
    throw new EmbeddedPostgresError(
      'in_use',
      `The data directory ${dataDir} is in use by a process in another container (there: process ${elsewhere.pid}). ` +
        'Run this command inside that container (docker exec), or stop it first.',
    );
  }

  const exists = clusterExists(clusterDir);
  const credentials = openCredentials(dataDir, exists, owner);
  const urlFor = (port: number, database = name): string =>
    `postgresql://${ownerRole}:${credentials.ownerPassword}@127.0.0.1:${port}/${database}`;

  const previous = exists ? readPostmaster(clusterDir) : undefined;
  let running = await findRunning(dataDir, previous, others.length > 0, urlFor, log);
  const startedHere = running === undefined;
  let binaries: Binaries | undefined;
  if (running === undefined) {
    const user = chooseRunUser(dataDir, clusterDir);
    binaries = prepareBinaries(dataDir, user);
    if (exists) {
      checkClusterVersion(clusterDir, binaries);
      repairOwnership(clusterDir, user);
    } else {
      log(`making a PostgreSQL ${binaries.major} database in ${clusterDir}`);
      const password = credentials.ownerPassword;
      await createCluster({ dataDir, clusterDir, binaries, user, ownerRole, password });
    }
    writeSettings(clusterDir, name, settings, user);
    // PostgreSQL removes its own file when a full disk ends it; the processes that use it still know the port.
    const preferredPort = others[0]?.port ?? (previous?.port || undefined);
    running = await startPostmaster({ dataDir, clusterDir, binaries, user, owner, preferredPort, log });
  }
  const { port } = running;

  let lease: Lease;
  try {
    await ensureDatabase(name, urlFor(port), urlFor(port, 'postgres'));
    lease = takeLease(leasesDir, owner, port);
  } catch (error) {
    if (startedHere && others.length === 0) await stopPostmaster(clusterDir, binaries, 'fast');
    throw error;
  }
  let stopping: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    if (!existsSync(dataDir)) return lease.release();
    await withLock(join(dataDir, 'postgres.lock'), owner, async () => {
      lease.release();
      if (listLeases(leasesDir).length > 0) return;
      await stopPostmaster(clusterDir, binaries, 'fast');
    });
  };
  return {
    host: '127.0.0.1',
    port,
    ownerUrl: urlFor(port),
    appUrl: `postgresql://${name}_app:${credentials.appPassword}@127.0.0.1:${port}/${name}`,
    appPassword: credentials.appPassword,
    startedHere,
    stop() {
      stopping ??= leave();
      return stopping;
    },
  };
}

/** The PostgreSQL that runs on the cluster and answers, or undefined once nothing prevents a start. */
async function findRunning(
  dataDir: string,
  found: Postmaster | undefined,
  usedByOthers: boolean,
  urlFor: (port: number, database: string) => string,
  log: (message: string) => void,
): Promise<Postmaster | undefined> {
  if (found === undefined) return undefined;
  const clusterDir = join(dataDir, 'postgres');
  // A stale file stays, because PostgreSQL finds orphaned children by it, and replaces it.
  if (identify(found.pid, clusterDir) !== 'ours') return undefined;

  const deadline = Date.now() + answerTimeoutMs;
  for (;;) {
    const answer = await tryConnection(urlFor(found.port, 'postgres'));
    if (answer === 'accepted') {
      if (!usedByOthers) log(`found PostgreSQL running without its server (process ${found.pid}); using it`);
      return found;
    }
    if (answer === 'wrong_password') {
      throw new EmbeddedPostgresError(
        'credentials',
        `The PostgreSQL of ${clusterDir} runs (process ${found.pid}) and refuses the password in ` +
          `${credentialsFile(dataDir)}. Put that file back from a backup of the data directory.`,
      );
    }
    // It may be shutting down by itself.
    if (identify(found.pid, clusterDir) !== 'ours') return undefined;
    if (Date.now() > deadline) break;
    await sleep(100);
  }
  if (usedByOthers) {
    throw new EmbeddedPostgresError(
      'in_use',
      `The PostgreSQL of ${clusterDir} (process ${found.pid}) does not answer, and another process uses it. ` +
        'Stop that process, and start again.',
    );
  }
  log(`PostgreSQL (process ${found.pid}) was left behind and does not answer; stopping it`);
  await stopPostmaster(clusterDir, undefined, 'immediate');
  return undefined;
}

async function tryConnection(url: string): Promise<'accepted' | 'wrong_password' | 'no_answer'> {
  const client = newClient(url, 2_000);
  try {
    await client.connect();
    await client.query('select 1');
    return 'accepted';
  } catch (error) {
    // SQLSTATE 28P01 is a wrong password. 53300 is too many connections, which only a working server reports.
    if (systemErrorCode(error) === '28P01') return 'wrong_password';
    return systemErrorCode(error) === '53300' ? 'accepted' : 'no_answer';
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(name: string, url: string, maintenanceUrl: string): Promise<void> {
  const client = newClient(url, answerTimeoutMs);
  try {
    await client.connect();
    return;
  } catch (error) {
    // SQLSTATE 3D000 is a missing database. 53300 is too many connections, so the database exists and is in use.
    if (systemErrorCode(error) === '53300') return;
    if (systemErrorCode(error) !== '3D000') throw error;
  } finally {
    await client.end().catch(() => {});
  }
  const maintenance = newClient(maintenanceUrl, answerTimeoutMs);
  try {
    await maintenance.connect();
    await maintenance.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  } finally {
    await maintenance.end().catch(() => {});
  }
}

function newClient(connectionString: string, timeoutMs: number): Client {
  // TLS is off whatever PGSSLMODE is: the connection is on loopback, and the embedded server has no certificate.
  const client = new Client({
    connectionString,
    ssl: false,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: 60_000,
  });
  // A connection that breaks after its last answer must not end the process.
  client.on('error', () => {});
  return client;
}

function createDataDir(dataDir: string): string {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // PostgreSQL's own user must pass through the directories that root makes. The files in them stay closed.
  if (first !== undefined && process.getuid?.() === 0) {
    for (let made = dataDir; made.startsWith(first); made = dirname(made)) chmodSync(made, 0o711);
  }
  return realpathSync(dataDir);
}

function toEmbeddedPostgresError(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const directory = resolve(dataDir);
  const code = systemErrorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    const user = process.getuid === undefined ? 'this user' : `the user with id ${process.getuid()}`;
    return new EmbeddedPostgresError(
      'data_dir_unusable',
      `The data directory ${directory} cannot be used by ${user}: ${errorText(error)}. Use a directory that it can ` +
        'write, or make it the owner of this one (chown).',
      { cause: error },
    );
  }
  // SQLSTATE 53100 is a full disk.
  if (code === 'ENOSPC' || code === '53100') {
    return new EmbeddedPostgresError(
      'disk_full',
      `The disk of the data directory ${directory} is full: ${errorText(error)}. Free some space.`,
      { cause: error },
    );
  }
  return new EmbeddedPostgresError(
    'failed',
    `The embedded PostgreSQL in ${directory} failed: ${errorText(error)}. Its log: ${join(directory, 'postgres.log')}.`,
    { cause: error },
  );
}

function withHint(
  error: EmbeddedPostgresError,
  hints: EmbeddedPostgresOptions['hints'] = {},
): EmbeddedPostgresError {
  const hint = hints[error.code];
  // A message that ends with lines of a log gets its hint on a line of its own.
  if (hint !== undefined) error.message += `${error.message.includes('\n') ? '\n' : ' '}${hint}`;
  return error;
}
