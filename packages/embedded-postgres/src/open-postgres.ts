// Owns the life of the embedded PostgreSQL: who starts it, who joins it, who stops it. What it runs on is in
// the files beside: binaries, user, cluster (disk), postmaster (process), lock (between processes).
// Must never know about Merlon's schema, nor keep a connection open: callers make their own from the URLs.
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, prepareBinaries } from './binaries.ts';
import {
  appRole,
  checkClusterVersion,
  claimCluster,
  clusterExists,
  createCluster,
  databaseName,
  openCredentials,
  ownerRole,
  writeSettings,
} from './cluster.ts';
import { EmbeddedError, errorCode, errorText } from './error.ts';
import { type Lease, listLeases, takeLease, withLock } from './lock.ts';
import {
  identify,
  isRunning,
  type Postmaster,
  readPostmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { chooseRunUser, directoryOwner } from './run-user.ts';

export { EmbeddedError } from './error.ts';

export interface EmbeddedDatabase {
  host: '127.0.0.1';
  port: number;
  /** The superuser, for migrations and operator's commands. */
  ownerUrl: string;
  /** The role of the running service. Migrations make the role, with the password of this URL. */
  appUrl: string;
  /** Generated; letters and digits only. */
  appPassword: string;
  /** False when PostgreSQL was already running and this process joined it. */
  startedHere: boolean;
  /** Leaves PostgreSQL, and stops it if no other process uses it: the last one out. Harmless when repeated. */
  stop(): Promise<void>;
}

/** An orphan that answers does so at once; ten seconds is for a machine under load. */
const answerTimeoutMs = 10_000;

/**
 * Opens the PostgreSQL of a data directory: joins the one that runs, or makes the cluster if there is none and
 * starts it. When it resolves, PostgreSQL takes connections and the database `merlon` exists (empty at first).
 * Throws EmbeddedError, whose message is for the operator.
 */
export async function openEmbedded(options: {
  dataDir: string;
  log?: (message: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  try {
    const dataDir = makeDataDir(resolve(options.dataDir));
    return await withLock(join(dataDir, 'postgres.lock'), directoryOwner(dataDir), () =>
      openLocked(dataDir, log),
    );
  } catch (error) {
    throw explain(error, options.dataDir);
  }
}

async function openLocked(dataDir: string, log: (message: string) => void): Promise<EmbeddedDatabase> {
  const clusterDir = join(dataDir, 'postgres');
  const leasesDir = join(dataDir, 'leases');
  const owner = directoryOwner(dataDir);
  const others = listLeases(leasesDir);
  const elsewhere = others.find((lease) => lease.elsewhere);
  if (elsewhere !== undefined) {
    throw new EmbeddedError(
      `The data directory ${dataDir} is in use by a process in another container (there: process ${elsewhere.pid}). ` +
        'Run this command inside that container (docker exec), or stop it first.',
    );
  }

  const exists = clusterExists(clusterDir);
  const credentials = openCredentials(dataDir, exists, owner);
  const urlFor = (port: number, database = databaseName): string =>
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
      claimCluster(clusterDir, user);
    } else {
      log(`making a PostgreSQL ${binaries.major} database in ${clusterDir}`);
      await createCluster({ dataDir, clusterDir, binaries, user, password: credentials.ownerPassword });
    }
    writeSettings(clusterDir, user);
    const preferredPort = previous?.port || undefined;
    running = await startPostmaster({ dataDir, clusterDir, binaries, user, owner, preferredPort, log });
  }
  const { port } = running;

  let lease: Lease;
  try {
    await ensureDatabase(urlFor(port), urlFor(port, 'postgres'));
    lease = takeLease(leasesDir, owner);
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
    appUrl: `postgresql://${appRole}:${credentials.appPassword}@127.0.0.1:${port}/${databaseName}`,
    appPassword: credentials.appPassword,
    startedHere,
    stop() {
      stopping ??= leave();
      return stopping;
    },
  };
}

// A postmaster that dies is rare; requests are answered with 503 for as long.
const lookMs = 2_000;

/**
 * Looks after the PostgreSQL that `openEmbedded` opened, for a process that runs for long: where something has killed
 * it, it is started anew on its port, as any command beside the process would do. `stop` this first.
 */
export function keepRunning(
  { port }: Pick<EmbeddedDatabase, 'port'>,
  options: { dataDir: string; log: (message: string) => void },
): { stop(): Promise<void> } {
  const clusterDir = join(realpathSync(options.dataDir), 'postgres');
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    if (isRunning(clusterDir) || !clusterExists(clusterDir)) return;
    options.log('PostgreSQL has ended: starting it anew');
    try {
      const anew = await openEmbedded(options);
      // Its lease; this process has one of its own, so that PostgreSQL stays.
      await anew.stop();
      if (anew.port !== port) options.log(`its port ${port} is taken: restart this process`);
    } catch (error) {
      options.log(errorText(error));
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, lookMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** The PostgreSQL that runs on the cluster and answers, or undefined once nothing stands in the way of a start. */
async function findRunning(
  dataDir: string,
  found: Postmaster | undefined,
  usedByOthers: boolean,
  urlFor: (port: number, database: string) => string,
  log: (message: string) => void,
): Promise<Postmaster | undefined> {
  if (found === undefined) return undefined;
  const clusterDir = join(dataDir, 'postgres');
  // A stale file stays: PostgreSQL finds orphaned children by it, and replaces it.
  if (identify(found.pid, clusterDir) !== 'ours') return undefined;

  const deadline = Date.now() + answerTimeoutMs;
  for (;;) {
    const answer = await ask(urlFor(found.port, 'postgres'));
    if (answer === 'answers') {
      if (!usedByOthers) log(`found PostgreSQL running without its server (process ${found.pid}); using it`);
      return found;
    }
    if (answer === 'refuses') {
      throw new EmbeddedError(
        `The PostgreSQL of ${clusterDir} runs (process ${found.pid}) and refuses the password in ` +
          `${join(dataDir, 'postgres-credentials.json')}. Put that file back from a backup of the data directory.`,
      );
    }
    // It may be ending by itself.
    if (identify(found.pid, clusterDir) !== 'ours') return undefined;
    if (Date.now() > deadline) break;
    await sleep(100);
  }
  if (usedByOthers) {
    throw new EmbeddedError(
      `The PostgreSQL of ${clusterDir} (process ${found.pid}) does not answer, and another process uses it. ` +
        'Stop that one (merlond), and start again.',
    );
  }
  log(`PostgreSQL (process ${found.pid}) was left behind and does not answer; stopping it`);
  await stopPostmaster(clusterDir, undefined, 'hung');
  return undefined;
}

async function ask(url: string): Promise<'answers' | 'refuses' | 'silent'> {
  const client = newClient(url, 2_000);
  try {
    await client.connect();
    await client.query('select 1');
    return 'answers';
  } catch (error) {
    // SQLSTATE 28P01: wrong password. 53300: too many connections, so it lives and works.
    if (errorCode(error) === '28P01') return 'refuses';
    return errorCode(error) === '53300' ? 'answers' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(url: string, maintenanceUrl: string): Promise<void> {
  const client = newClient(url, answerTimeoutMs);
  try {
    await client.connect();
    return;
  } catch (error) {
    // 3D000: no such database. 53300: too many connections, so that others already use it.
    if (errorCode(error) === '53300') return;
    if (errorCode(error) !== '3D000') throw error;
  } finally {
    await client.end().catch(() => {});
  }
  const maintenance = newClient(maintenanceUrl, answerTimeoutMs);
  try {
    await maintenance.connect();
    await maintenance.query(`create database ${databaseName} template template0 encoding 'UTF8' locale 'C'`);
  } finally {
    await maintenance.end().catch(() => {});
  }
}

function newClient(connectionString: string, timeoutMs: number): Client {
  // Without TLS whatever PGSSLMODE says: it is loopback, and the embedded server has no certificate.
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

function makeDataDir(dataDir: string): string {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // PostgreSQL's own user has to pass through the directories that root makes; what lies in them stays closed.
  if (first !== undefined && process.getuid?.() === 0) {
    for (let made = dataDir; made.startsWith(first); made = dirname(made)) chmodSync(made, 0o711);
  }
  return realpathSync(dataDir);
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedError) return error;
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    const user = process.getuid === undefined ? 'this user' : `the user with id ${process.getuid()}`;
    return new EmbeddedError(
      `The data directory ${resolve(dataDir)} cannot be used by ${user}: ${errorText(error)}. Set MERLON_DATA_DIR ` +
        'to a directory that it can write, or give it this one (chown).',
      { cause: error },
    );
  }
  if (code === 'ENOSPC' || code === '53100') {
    return new EmbeddedError(
      `The disk of the data directory ${resolve(dataDir)} is full: ${errorText(error)}. Free some space, or set ` +
        'MERLON_DATA_DIR to a larger disk.',
      { cause: error },
    );
  }
  return new EmbeddedError(
    `The embedded PostgreSQL in ${resolve(dataDir)} failed: ${errorText(error)}. Its log: ${join(resolve(dataDir), 'postgres.log')}.`,
    { cause: error },
  );
}
