/**
 * The cluster: PostgreSQL's data in `<dataDir>/postgres`. A finished cluster is never deleted or overwritten. A new one
 * is created in `<dataDir>/postgres.incomplete-*` and renamed once complete, so `<dataDir>/postgres` is always
 * finished, and the incomplete directories never are.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { lastLines, runProgram, saysDiskFull } from './run-program.ts';
import { findUnreachable, type RunUser, setOwner, unreachableError } from './run-user.ts';

const incompletePrefix = 'postgres.incomplete-';

/** True if there is a finished cluster. Throws EmbeddedPostgresError for a directory that is something else. */
export function clusterExists(clusterDir: string): boolean {
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return true;
  if (!existsSync(clusterDir) || readdirSync(clusterDir).length === 0) return false;
  throw new EmbeddedPostgresError(
    'data_dir_unusable',
    `${clusterDir} is not empty and holds no PostgreSQL data (no PG_VERSION). Foreign files are not deleted: ` +
      'move it away, or use another data directory.',
  );
}

/** Throws EmbeddedPostgresError when another major version of PostgreSQL made the cluster. */
export function checkClusterVersion(clusterDir: string, binaries: Binaries): void {
  const version = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  if (version === binaries.major) return;
  throw new EmbeddedPostgresError(
    'other_version',
    `The data in ${clusterDir} was made by PostgreSQL ${version}, and this release has PostgreSQL ` +
      `${binaries.major}, which cannot read it.`,
  );
}

/**
 * Repairs permissions that a copy or a restored backup loses and PostgreSQL requires. A cluster that root now owns is
 * given to the user that PostgreSQL runs as, and no other user may enter it.
 */
export function repairOwnership(clusterDir: string, user: RunUser): void {
  const found = statSync(clusterDir);
  if (user !== undefined && found.uid !== user.uid) {
    setOwner(clusterDir, user);
    for (const entry of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' }))
      setOwner(join(clusterDir, entry), user);
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(clusterDir, 0o700);
}

/**
 * Runs initdb. The caller holds the lock, and there is no cluster. An incomplete one of an earlier attempt is removed.
 */
export async function createCluster(options: {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  user: RunUser;
  /** The superuser that initdb makes. */
  ownerRole: string;
  password: string;
}): Promise<void> {
  const { dataDir, clusterDir, binaries, user, ownerRole, password } = options;
  removeIncomplete(dataDir);
  // Each attempt has a new name, because the initdb of a killed process may still be writing under its own name.
  const incomplete = join(dataDir, `${incompletePrefix}${randomBytes(6).toString('hex')}`);
  mkdirSync(incomplete, { mode: 0o700 });
  setOwner(incomplete, user);
  const passwordFile = join(incomplete, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  setOwner(passwordFile, user);
  const created = join(incomplete, 'data');
  const { code, output } = await runProgram(binaries.initdb, user, [
    ...['-D', created, '-U', ownerRole, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C', '--no-instructions'],
  ]);
  if (code !== 0) {
    const blocking = user === undefined ? undefined : findUnreachable(incomplete, user);
    removeIncomplete(dataDir);
    if (user !== undefined && blocking !== undefined) throw unreachableError(dataDir, blocking, user.name);
    const diskFull = saysDiskFull(output);
    throw new EmbeddedPostgresError(
      diskFull ? 'disk_full' : 'failed',
      `PostgreSQL could not make its data directory ${clusterDir} (initdb ended with ${code}).` +
        `${diskFull ? ` The disk of ${dataDir} is full: free some space.` : ''} Its last lines:\n${lastLines(output)}`,
    );
  }
  renameSync(created, clusterDir);
  syncDirectory(dataDir);
  removeIncomplete(dataDir);
}

/** Removes incomplete clusters. A directory that cannot be removed now is tried again by the next start. */
function removeIncomplete(dataDir: string): void {
  for (const entry of readdirSync(dataDir)) {
    if (!entry.startsWith(incompletePrefix)) continue;
    try {
      rmSync(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // The initdb of an earlier attempt is still writing there.
    }
  }
}

/** Makes a rename in the directory survive a crash. Windows neither allows nor needs it. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
